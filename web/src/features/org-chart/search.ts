import { day, oneOf, searchParams, wholeNumber } from '../../ui/search-params.ts';

export const modes = ['manager', 'department'] as const;
export type Mode = (typeof modes)[number];
export const views = ['chart', 'outline'] as const;
export type View = (typeof views)[number];

/** The state of the organisation chart, all of it in the address. */
export const orgChartSearch = searchParams({
  by: oneOf(modes),
  view: oneOf(views),
  entity_id: wholeNumber(1),
  /** The day as of which the chart is shown. */
  as_of: day,
  /** The person to expand the chart to. */
  focus: wholeNumber(1),
  /** The person or department in the drawer. */
  person: wholeNumber(1),
  department: wholeNumber(1),
});
export type OrgChartSearch = ReturnType<typeof orgChartSearch>;
