import { templateStatuses } from '@tenure/contract';
import { oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

/** The filters and page of the template list, all in the address. */
export const templatesSearch = searchParams({
  page: wholeNumber(1),
  per_page: wholeNumber(1, 100),
  search: someText(100),
  entity_id: wholeNumber(1),
  status: oneOf(templateStatuses),
  job_title: someText(150),
  grade: someText(10),
  sort_by: oneOf(['name', 'status', 'items_count', 'created_at', 'updated_at']),
  sort_direction: oneOf(['asc', 'desc']),
});
export type TemplatesSearch = ReturnType<typeof templatesSearch>;

export const templateFilters = ['search', 'entity_id', 'status', 'job_title', 'grade'] as const;
