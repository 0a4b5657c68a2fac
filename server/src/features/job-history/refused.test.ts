import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { applyDueJobChanges } from './apply.ts';

/** Jobs of a person without a history, and of a company that is closed by then. */

const { as, make, deps, owner } = await startApp();
const company = await make.entity();
const buying = await make.department({ entity_id: company.id });
const inCompanies = async (...entity_ids: number[]) =>
  as((await make.employee({ department_id: buying.id, roles: [{ role: 'HR', entity_ids }] })).user_id);
const day = (offset: number) => Temporal.Now.plainDateISO('UTC').add({ days: offset }).toString();

test('a person without a history has no past to add to', async () => {
  const hr = await inCompanies(company.id);
  const { id } = await make.employee({ department_id: buying.id });
  const contents = async () =>
    (
      await owner.query(`select (select count(*)::int from job_history) as jobs,
      (select count(*)::int from audit_log) as traces`)
    ).rows[0] as unknown;
  const before = await contents();
  const body = { effective_from: '2016-01-01', effective_to: '2016-02-01', reason: 'Found in the personnel file' };
  const answer = await hr.post(`/api/employees/${id}/past-jobs`, body);
  expect([answer.status, answer.body.errors]).toEqual([422, { effective_from: ['This person has no job history.'] }]);
  expect(await contents()).toEqual(before);
});

test('no one moves into a company that is closed by the day of the move', async () => {
  const closing = await make.entity();
  const there = await make.department({ entity_id: closing.id });
  const hr = await inCompanies(company.id, closing.id);
  const { id } = await make.employee({ department_id: buying.id });
  const path = `/api/employees/${id}/job-history`;
  const move = { effective_from: day(3), entity_id: closing.id, department_id: there.id };
  const planned = await hr.post(path, move);
  expect(planned.status).toBe(201);
  await owner.query(`update entities set status = 'inactive' where id = $1`, [closing.id]);
  const now = Temporal.Now.instant().add({ hours: 24 * 4 });
  expect(await applyDueJobChanges({ deps, now })).toMatchObject({ failed: 1 });
  expect((await hr.get(`${path}?status=failed`)).body.data).toMatchObject([
    {
      id: planned.body.data.id,
      failure: 'This company isn’t available. Select another one.',
      allowed_actions: ['delete'],
    },
  ]);
  const person = (await hr.get(`/api/employees/${id}`)).body.data;
  expect([person.entity_id, person.department_id]).toEqual([company.id, buying.id]);
});
