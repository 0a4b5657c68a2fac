import { expect, test } from 'vitest';
import { databaseNow } from '../../jobs/task.ts';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';
import { moveRemainingDueDays } from '../kpi-cycles/windows.ts';

const app = await startApp();
const { as, make, owner, deps } = app;
const kpi = kpiMaker(app);

/** Runs the jobs that a change of the company added. */
async function moveDueDays(): Promise<void> {
  const { rows } = await owner.query<{ payload: unknown }>(`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = 'move_kpi_due_days' returning j.payload`);
  for (const { payload } of rows) await moveRemainingDueDays({ deps, now: await databaseNow(deps.db) }, payload);
}

test('due days that count from a local day follow the time zone of the company, and others stay', async () => {
  const [tokyo, other] = [await make.entity({ timezone: 'Asia/Tokyo' }), await make.entity({ timezone: 'Asia/Tokyo' })];
  const hr = await as(
    (await make.employee({ entity_id: tokyo.id, roles: [{ role: 'HR', entity_ids: [tokyo.id] }] })).user_id,
  );
  const cycle = await kpi.cycle();
  const disputed = async (entity_id: number) => {
    const employee = await make.employee({ entity_id });
    const responded_at = '2026-05-04T20:00:00Z';
    return kpi.evaluation({ cycle_id: cycle.id, employee, status: 'disputed', responded_at });
  };
  const [one, elsewhere] = [await disputed(tokyo.id), await disputed(other.id)];
  const dueDays = async () =>
    (
      await owner.query('select due_on::text from kpi_evaluations where id = any($1) order by id', [
        [one.id, elsewhere.id],
      ])
    ).rows.map(({ due_on }) => due_on as string);
  expect(await dueDays()).toEqual(['2026-05-12', '2026-05-12']);
  const put = await hr.put(`/api/entities/${tokyo.id}`, { timezone: 'UTC' });
  expect([put.status, put.body.errors]).toEqual([200, undefined]);
  await moveDueDays();
  expect(await dueDays()).toEqual(['2026-05-11', '2026-05-12']);
});
