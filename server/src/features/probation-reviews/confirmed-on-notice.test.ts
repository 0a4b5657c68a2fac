import { afterAll, afterEach, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { databaseWithClock } from '../../testing/clock.ts';
import { dayFromNow as day } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { applyDueJobChanges } from '../job-history/apply.ts';

/** A probation during an employment that ends, with a change of mind. */

const clock = await databaseWithClock();
afterAll(() => clock.end());
afterEach(() => clock.goTo(0));
const app = await startApp({}, { database: clock.database });
const { as, make, deps, owner } = app;
const probation = probationMaker(app);
const now = (days: number) => ({ deps, now: Temporal.Instant.from(`${day(days)}T12:00:00Z`) });

const company = await make.entity();
const hrPerson = await make.employee({ entity_id: company.id, roles: ['HR'] });
const manager = await make.employee({ entity_id: company.id, roles: ['Manager'] });
const ask = async (path: string, body: object) => {
  const answer = await (await as(hrPerson.user_id)).post(path, body);
  expect([path, [200, 201].includes(answer.status), answer.body.errors]).toEqual([path, true, undefined]);
  return answer.body.data as { id: number };
};
const someone = () => probation.person({ entity_id: company.id, reporting_manager_id: manager.id });
const leave = (days: number) => ({ type: 'resigned', last_working_date: day(days), reason: 'Another job' });

test('a decided confirmation counts when the separation is withdrawn after its day', async () => {
  const employee = await someone();
  const { id } = await probation.review({ employee, reviewer: manager, status: 'submitted' });
  const person = `/api/employees/${employee.id}`;
  await ask(`/api/probation-reviews/${id}/approve`, { signature: { method: 'typed', typed_name: 'Hana Ito' } });
  await ask(`${person}/separate`, leave(60));
  await clock.goTo(32);
  expect(await applyDueJobChanges(now(32))).toMatchObject({ cancelled: 1 });
  await ask(`${person}/withdraw-separation`, { reason: 'Stays with us after all' });
  expect((await (await as(hrPerson.user_id)).get(person)).body.data).toMatchObject({
    employment_lifecycle: 'confirmed',
    confirmation_date: day(31),
    last_working_date: null,
  });
  const { rows } = await owner.query(
    `select variant from notifications where event = 'employee_confirmed' and user_id = $1`,
    [employee.user_id],
  );
  expect(rows).toEqual([{ variant: 'own' }]);
});

test('a reverted confirmation does not count', async () => {
  const employee = await someone();
  const { id } = await probation.review({ employee, reviewer: manager, status: 'submitted' });
  const person = `/api/employees/${employee.id}`;
  await ask(`/api/probation-reviews/${id}/approve`, { signature: { method: 'typed', typed_name: 'Hana Ito' } });
  const admin = await as((await make.admin()).user_id);
  const back = { probation_end_date: day(40), reason: 'Decided on the wrong person.' };
  expect((await admin.post(`/api/probation-reviews/${id}/revert`, back)).status).toBe(200);
  await ask(`${person}/separate`, leave(60));
  await clock.goTo(45);
  await ask(`${person}/withdraw-separation`, { reason: 'Stays with us after all' });
  expect((await (await as(hrPerson.user_id)).get(person)).body.data).toMatchObject({
    employment_lifecycle: 'probationary',
    confirmation_date: null,
  });
});

test('the first review of a new employment goes on from none of the former one', async () => {
  const employee = await someone();
  const extended = { outcome: 'extend', outcome_extension_months: 1, effective_date: day(-20) } as const;
  await probation.review({
    employee,
    reviewer: manager,
    status: 'approved',
    probation_end_date: day(-21),
    ...extended,
  });
  const person = `/api/employees/${employee.id}`;
  await ask(`${person}/separate`, leave(-1));
  await ask(`${person}/rehire`, { joining_date: day(0) });
  const { id } = await ask('/api/probation-reviews', { employee_id: employee.id });
  const { rows } = await owner.query('select sequence, previous_review_id from probation_reviews where id = $1', [id]);
  expect(rows).toEqual([{ sequence: 2, previous_review_id: null }]);
});
