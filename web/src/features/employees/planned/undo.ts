import { jobFields, jobHistory, type PlannedChange } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { call, type Input } from '../../../api/call.ts';
import { refetchRecords } from '../../../api/query.ts';

/** Plans a cancelled change again. */
const again = (change: PlannedChange) => {
  const changed = jobFields.filter((name) => change.changed_fields.includes(name));
  const body = {
    ...Object.fromEntries(changed.map((name) => [name, change[name]])),
    effective_from: change.effective_from,
    ...(change.reason && { reason: change.reason }),
  } as Input<typeof jobHistory.create>['body'];
  return call(jobHistory.create, { params: { id: change.employee_id }, body });
};

/** Plans cancelled changes again, each by the rules of a new one; returns how many were refused. */
export function useReplan(): (changes: readonly PlannedChange[]) => Promise<number> {
  const queries = useQueryClient();
  return async (changes) => {
    let refused = 0;
    // In the order of their days: later changes of a person build on earlier ones.
    for (const change of changes.toSorted((a, b) => a.effective_from.localeCompare(b.effective_from) || a.id - b.id))
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await again(change).catch(() => (refused += 1));
    void refetchRecords(queries);
    return refused;
  };
}
