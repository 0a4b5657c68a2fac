import { cycleBands, cycleStatuses, cycleTypes, evaluationStatuses, type KpiCycle } from '@tenure/contract';
import { day, flag, oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';
import { cycleSteps } from './wizard/steps.ts';

/** The filters and page of the cycle list, all in the address. */
export const cyclesSearch = searchParams({
  page: wholeNumber(1),
  per_page: wholeNumber(1, 100),
  search: someText(100),
  entity_id: wholeNumber(1),
  status: oneOf(cycleStatuses),
  type: oneOf(cycleTypes),
  start_from: day,
  start_to: day,
  sort_by: oneOf(['start_date', 'end_date', 'name', 'status', 'created_at']),
  sort_direction: oneOf(['asc', 'desc']),
});
export type CyclesSearch = ReturnType<typeof cyclesSearch>;

export const cycleFilters = ['search', 'entity_id', 'status', 'type', 'start_from', 'start_to'] as const;

export const cycleTabs = ['overview', 'departments', 'participants', 'eligible', 'results'] as const;
export type CycleTab = (typeof cycleTabs)[number];
/** The confirmation dialogs of a cycle. */
export const cycleDialogs = ['publish', 'edit', 'owner', 'remind', 'close', 'reopen', 'delete'] as const;
export type CycleDialog = (typeof cycleDialogs)[number];
export const groupings = ['department', 'reviewer'] as const;

/** The state of a cycle's page: tab, filters and open dialog. */
export const cycleSearch = searchParams({
  tab: oneOf(cycleTabs),
  do: oneOf(cycleDialogs),
  page: wholeNumber(1),
  search: someText(100),
  department_id: wholeNumber(1),
  reviewer_id: wholeNumber(0),
  status: oneOf(evaluationStatuses),
  band: oneOf(cycleBands),
  overdue: flag,
  without: flag,
  out: flag,
  by: oneOf(groupings),
  table: flag,
});
export type CycleSearch = ReturnType<typeof cycleSearch>;
export type TabProps = { cycle: KpiCycle; search: CycleSearch; onChange: (change: CycleSearch) => void };

/** The draft and the step of the wizard. */
export const newCycleSearch = searchParams({ cycle: wholeNumber(1), step: oneOf(cycleSteps) });
