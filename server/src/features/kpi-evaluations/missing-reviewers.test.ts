import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { evaluationTesting } from '../../testing/evaluations.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';
import type { MadeEmployee } from '../../testing/make.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { notifyMissingProbationReviewers } from '../probation-reviews/missing-reviewers.ts';
import { notifyMissingKpiReviewers } from './missing-reviewers.ts';

/** A reviewer who cannot act is treated as missing: HR gets the task in the transaction of the loss. */

const app = await startApp();
const { as, make, owner, deps } = app;
const kpi = kpiMaker(app);
const probation = probationMaker(app);
const { notificationsOf, rowOf } = evaluationTesting(app);
const entity = await make.entity();
const hr = await make.employee({ entity_id: entity.id, roles: [{ role: 'HR', entity_ids: [entity.id] }] });
const asHr = await as(hr.user_id);
const asAdmin = await as((await make.admin()).user_id);
const leader = () => make.employee({ entity_id: entity.id, roles: ['TeamLead'] });
const context = { deps, now: Temporal.Now.instant() };

const roleId = async (name: string) => {
  const { rows } = await owner.query<{ id: number }>('select id::int from roles where name = $1', [name]);
  return rows[0]?.id ?? 0;
};
const setRoles = async ({ id }: MadeEmployee, ...names: string[]) => {
  const assignments = await Promise.all(names.map(async (name) => ({ role_id: await roleId(name) })));
  expect((await asAdmin.put(`/api/employees/${id}/roles`, { assignments })).status).toBe(200);
};
type Item = { kind: string; subject: { id: number } };
/** In a separate session, because a change of roles ends the others. */
const tasksOf = async ({ user_id }: MadeEmployee, id: number) =>
  ((await (await as(user_id)).get('/api/actionable-items?per_page=100')).body.data as Item[])
    .filter(({ subject }) => subject.id === id)
    .map(({ kind }) => kind);
const queued = async (name: string) => {
  const { rows } = await owner.query('select from graphile_worker.jobs where task_identifier = $1', [name]);
  await owner.query('delete from graphile_worker._private_jobs');
  return rows.length;
};

test('HR gets the task and a notification when the role of a reviewer is taken, and the reviewer has no task', async () => {
  const reviewer = await leader();
  const employee = await make.employee({ entity_id: entity.id });
  const { id, revision } = await kpi.evaluation({ employee, reviewer, status: 'manager_review' });
  expect([await tasksOf(reviewer, id), await tasksOf(hr, id)]).toEqual([['kpi_manager_review'], []]);
  await setRoles(reviewer, 'Employee');
  expect([await tasksOf(reviewer, id), await tasksOf(hr, id)]).toEqual([[], ['kpi_missing_reviewer']]);
  expect(await rowOf(id)).toMatchObject({ reviewer_missing_since: expect.any(Date), revision });
  expect(await queued('notify_missing_kpi_reviewers')).toBe(1);
  const notified = ['kpi_reviewer_changed', 'missing', hr.user_id];
  await notifyMissingKpiReviewers(context);
  await notifyMissingKpiReviewers(context);
  expect(await notificationsOf(id)).toEqual([notified]);
  await setRoles(reviewer, 'Employee', 'TeamLead');
  expect([await tasksOf(reviewer, id), await tasksOf(hr, id)]).toEqual([['kpi_manager_review'], []]);
  expect(await queued('notify_missing_kpi_reviewers')).toBe(0);
});

test('so it is when a role no longer permits reviews, unless another role of the reviewer does', async () => {
  const [one, both] = [await make.employee({ entity_id: entity.id }), await leader()];
  const made = await asAdmin.post('/api/roles', {
    name: 'Peer reviewer',
    scope: 'managed',
    permissions: ['kpi-evaluation.view', 'kpi-evaluation.review'],
  });
  await setRoles(one, 'Peer reviewer');
  await setRoles(both, 'TeamLead', 'Peer reviewer');
  const of = (reviewer: MadeEmployee) => kpi.evaluation({ reviewer, status: 'self_assessment' });
  const [lost, kept] = [await of(one), await of(both)];
  const url = `/api/roles/${made.body.data.id}/permissions`;
  expect((await asAdmin.put(url, { permissions: ['kpi-evaluation.view'] })).status).toBe(200);
  expect(await rowOf(lost.id)).toMatchObject({ reviewer_missing_since: expect.any(Date) });
  expect(await rowOf(kept.id)).toMatchObject({ reviewer_missing_since: null });
});

test('a reviewer whose account is disabled is missing, and one whose work is handed over is not', async () => {
  const [closed, leaver, successor] = [await leader(), await leader(), await leader()];
  const employee = await make.employee({ entity_id: entity.id });
  const first = await kpi.evaluation({ employee, reviewer: closed, status: 'manager_review' });
  await owner.query('update users set is_enabled = false where id = $1', [closed.user_id]);
  expect(await tasksOf(hr, first.id)).toEqual(['kpi_missing_reviewer']);
  const second = await kpi.evaluation({ employee, reviewer: leaver, status: 'manager_review' });
  const body = { reason: 'Moves to another company.', reassign_to: successor.id };
  expect((await asHr.post(`/api/employees/${leaver.id}/deactivate`, body)).status).toBe(200);
  await notifyMissingKpiReviewers(context);
  expect(await rowOf(second.id)).toMatchObject({ reviewer_missing_since: null, reviewer_id: String(successor.id) });
  expect(await notificationsOf(second.id)).toEqual([['kpi_reviewer_changed', 'plain', successor.user_id]]);
});

test('a loss at a later step counts when the evaluation goes back to the reviewer', async () => {
  const reviewer = await leader();
  const employee = await make.employee({ entity_id: entity.id });
  const { id } = await kpi.evaluation({ employee, reviewer, status: 'hr_review' });
  await setRoles(reviewer, 'Employee');
  await notifyMissingKpiReviewers(context);
  expect(await notificationsOf(id)).toEqual([]);
  const second = await make.employee({ entity_id: entity.id, roles: [{ role: 'HR', entity_ids: [entity.id] }] });
  const reason = 'Scores need reasons.';
  expect((await (await as(second.user_id)).post(`/api/kpi-evaluations/${id}/return`, { reason })).status).toBe(200);
  expect(await notificationsOf(id)).toContainEqual(['kpi_reviewer_changed', 'missing', hr.user_id]);
  expect(await tasksOf(hr, id)).toEqual(['kpi_missing_reviewer']);
  await owner.query('delete from role_assignments where user_id = $1', [second.user_id]);
});

test('HR hears of an evaluation that is restored to a step whose reviewer left meanwhile', async () => {
  const reviewer = await leader();
  const employee = await make.employee({ entity_id: entity.id });
  const cancelled = { employee, reviewer, status: 'cancelled', cancelled_from: 'manager_review' } as const;
  const { id } = await kpi.evaluation(cancelled);
  await owner.query(`update employees set activity_status = 'inactive' where id = $1`, [reviewer.id]);
  await notifyMissingKpiReviewers(context);
  expect(await notificationsOf(id)).toEqual([]);
  const restored = await asAdmin.post(`/api/kpi-evaluations/${id}/restore`, { reason: 'Cancelled by mistake' });
  expect([restored.status, restored.body.errors]).toEqual([200, undefined]);
  expect(await notificationsOf(id)).toContainEqual(['kpi_reviewer_changed', 'missing', hr.user_id]);
  expect(await tasksOf(hr, id)).toEqual(['kpi_missing_reviewer']);
});

test('the same holds for probation reviews', async () => {
  const reviewer = await leader();
  const { id } = await probation.review({ reviewer, employee: await probation.person({ entity_id: entity.id }) });
  expect(await tasksOf(reviewer, id)).toEqual(['probation_review_assigned']);
  await setRoles(reviewer, 'Employee');
  expect([await tasksOf(reviewer, id), await tasksOf(hr, id)]).toEqual([[], ['probation_missing_reviewer']]);
  expect(await queued('notify_missing_probation_reviewers')).toBe(1);
  await notifyMissingProbationReviewers(context);
  const { rows } = await owner.query(
    `select event, variant, user_id::int from notifications where subject_type = 'probation_review' and subject_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ event: 'probation_reviewer_changed', variant: 'missing', user_id: hr.user_id }]);
});
