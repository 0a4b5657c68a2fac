import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { reviewTesting } from '../../testing/reviews.ts';
import { endLeavers } from '../employees/lifecycle/leavers.ts';

/** Edge cases of decisions: people whose department was closed since, and the maximum day. */

const app = await startApp();
const { as, make, deps, owner } = app;
const probation = probationMaker(app);
const { unchanged } = reviewTesting(app);

const company = await make.entity();
const manager = await make.employee({ entity_id: company.id, roles: ['Manager'] });
const hr = await as(
  (await make.employee({ entity_id: company.id, roles: [{ role: 'HR', entity_ids: [company.id] }] })).user_id,
);
const admin = await as((await make.admin()).user_id);
const signature = { method: 'typed', typed_name: 'Hana Ito' };
const submitted = async (person: object) => {
  const employee = await probation.person({ entity_id: company.id, reporting_manager_id: manager.id, ...person });
  const { id } = await probation.review({ employee, reviewer: manager, status: 'submitted' });
  return { id, employee, path: `/api/probation-reviews/${id}` };
};

test('a termination is not reversed into a closed department', async () => {
  const department = await make.department({ entity_id: company.id });
  const { id, path } = await submitted({ department_id: department.id });
  const terminate = { outcome: 'terminate', hr_comments: 'It did not work out.', signature };
  expect((await hr.post(`${path}/approve`, terminate)).status).toBe(200);
  await endLeavers({ deps, now: Temporal.Now.instant().add({ hours: 24 }) });
  await owner.query(`update departments set status = 'inactive' where id = $1`, [department.id]);
  const body = { probation_end_date: dayFromNow(30), reason: 'Decided on the wrong person.' };
  await unchanged(id, async () => {
    const answer = await admin.post(`${path}/revert`, body);
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { status: ['This person’s department is no longer active.'] },
    ]);
  });
  await owner.query(`update departments set status = 'active' where id = $1`, [department.id]);
  expect((await admin.post(`${path}/revert`, body)).status).toBe(200);
});

test('no extension ends after the last day of all', async () => {
  const { id, path } = await submitted({ probation_end_date: '9999-11-15' });
  const extend = { outcome: 'extend', hr_comments: 'More time.', signature };
  await unchanged(id, async () => {
    const answer = await hr.post(`${path}/approve`, { ...extend, outcome_extension_months: 2 });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { outcome_extension_months: ['The probation would end after the year 9999.'] },
    ]);
  });
  const shorter = await hr.post(`${path}/approve`, { ...extend, outcome_extension_months: 1 });
  expect([shorter.status, shorter.body.data.extended_until]).toEqual([200, '9999-12-15']);
});
