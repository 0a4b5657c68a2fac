import { requestTask, sendRequestedReset } from '../features/account-links/requests.ts';
import type { TestApp } from './app.ts';

/** Processes the pending password link requests like the worker. Returns how many there were. */
export async function workOnRequests({ owner, deps }: Pick<TestApp, 'owner' | 'deps'>): Promise<number> {
  const { rows } = await owner.query<{ payload: unknown }>(
    `with taken as (
       delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
       where t.id = j.task_id and t.identifier = $1 returning j.id, j.payload)
     select payload from taken order by id`,
    [requestTask],
  );
  for (const { payload } of rows) await sendRequestedReset({ deps, now: Temporal.Now.instant() }, payload);
  return rows.length;
}
