import { employeeBulk, plannedChanges, type BulkRow, type Reply } from '@tenure/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';
import { call, type Input } from '../../../api/call.ts';
import { refetchRecords } from '../../../api/query.ts';
import type { BulkChoice } from './BulkFields.tsx';

export type Outcome = Reply<typeof employeeBulk.change>['data'];
type Body = Input<typeof employeeBulk.change>['body'];

/**
 * The requests that restore the previous state of people, one for all with the same state. `from` is the past day from
 * which they were changed.
 */
function inverseOf({ kind, rows }: Outcome, reason: string, from: string): Body[] {
  const changed = rows.filter(({ outcome }) => outcome === 'changed');
  const back = (group: readonly BulkRow[], body: object) => ({
    ids: group.map(({ id }) => id),
    revisions: group.flatMap(({ id, revision }) => (revision === null ? [] : [{ id, revision }])),
    ...body,
  });
  if (kind === 'deactivate') return [back(changed, { kind: 'reactivate', reason }) as Body];
  if (kind === 'reactivate') return [back(changed, { kind: 'deactivate', reason }) as Body];
  const alike = Map.groupBy(changed, ({ before }) => JSON.stringify(before));
  return [...alike.values()].map((group) => {
    const { department, reporting_manager: manager } = group[0]?.before ?? {};
    return back(group, {
      kind,
      ...(department && { department_id: department.id }),
      ...(manager !== undefined && { reporting_manager_id: manager?.id ?? null }),
      ...(from !== '' && { effective_from: from }),
      reason,
    }) as Body;
  });
}

/** Undoes the bulk change just made: planned changes are cancelled, others are reversed. */
export function useBulkUndo(result: Outcome, choice: BulkChoice) {
  const t = useTranslations('employees.bulk');
  const queries = useQueryClient();
  const { planned_ids: planned, counts } = result;
  const undo = useMutation<number, ApiError>({
    mutationFn: async () => {
      if (planned.length > 0)
        return (await call(plannedChanges.cancel, { body: { ids: planned } })).data.counts.cancelled;
      let undone = 0;
      for (const body of inverseOf(result, t('undoReason'), choice.from))
        // oxlint-disable-next-line no-await-in-loop -- a later group may depend on an earlier one
        undone += (await call(employeeBulk.change, { body })).data.counts.changed;
      return undone;
    },
    onSettled: () => void refetchRecords(queries),
  });
  return {
    // a person does not get back what a successor took over
    isOffered: counts.changed > 0 && choice.heir === undefined && !undo.isSuccess,
    undone: undo.isSuccess ? t('undone', { count: undo.data, failed: counts.changed - undo.data }) : undefined,
    error: undo.error,
    isPending: undo.isPending,
    start: () => undo.mutate(),
  };
}
