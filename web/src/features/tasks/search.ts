import { actionableKinds, itemPriorities } from '@tenure/contract';
import { oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

export const taskGroupings = ['urgency', 'kind'] as const;
export type TaskGrouping = (typeof taskGroupings)[number];

/** The filters and page of the task list, all in the address. */
export const tasksSearch = searchParams({
  page: wholeNumber(1),
  search: someText(100),
  kind: oneOf(actionableKinds),
  priority: oneOf(itemPriorities),
  /** The grouping of the tasks; by urgency if undefined. */
  by: oneOf(taskGroupings),
});
export type TasksSearch = ReturnType<typeof tasksSearch>;
