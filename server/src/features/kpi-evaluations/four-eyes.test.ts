import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { evaluationTesting } from '../../testing/evaluations.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';
import type { MadeEmployee } from '../../testing/make.ts';

/** Four eyes: an HR user who submitted the manager review cannot release the result if another HR user can. */

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const { historyOf, unchanged } = evaluationTesting(app);
const release = { hr_comment: 'Consistent with peers.', performance_flag: 'standard' };
const asAdmin = await as((await make.admin()).user_id);

const hrOf = (entityId: number) =>
  make.employee({ entity_id: entityId, roles: [{ role: 'HR', entity_ids: [entityId] }, 'TeamLead'] });

/** A company with an HR user who reviews an employee and submits the review. */
async function submitted(cycleFields: Parameters<typeof kpi.cycle>[0] = {}, second?: 'HR' | 'head') {
  const { id: entity_id } = await make.entity();
  const hr = await hrOf(entity_id);
  const other = second === 'HR' ? await hrOf(entity_id) : null;
  const employee = await make.employee({ entity_id });
  const cycle = await kpi.cycle({ status: 'published', ...cycleFields });
  const made = await kpi.evaluation({ employee, reviewer: hr, status: 'manager_review', cycle_id: cycle.id });
  const asHr = await as(hr.user_id);
  const items = made.items.map(({ id }) => ({ id, manager_score: 4, manager_comment: 'As agreed.' }));
  const review = await asHr.post(`/api/kpi-evaluations/${made.id}/manager-review`, { items, manager_comment: 'Good.' });
  expect([review.status, review.body.data?.status]).toEqual([200, 'hr_review']);
  return { entity_id, hr, other, employee, id: made.id, url: `/api/kpi-evaluations/${made.id}`, asHr };
}

type Item = { kind: string; subject: { id: number } };
const tasksOf = async ({ user_id }: Pick<MadeEmployee, 'user_id'>, id: number) =>
  ((await (await as(user_id)).get('/api/actionable-items?per_page=100')).body.data as Item[])
    .filter(({ subject }) => subject.id === id)
    .map(({ kind }) => kind);

test('another HR user does the HR review; who submitted the review has no task, no action, and is refused', async () => {
  const { id, url, hr, other, asHr } = await submitted({}, 'HR');
  const { data } = (await asHr.get(url)).body;
  expect([data.four_eyes, data.allowed_actions]).toEqual(['other_hr', expect.not.arrayContaining(['hr-review'])]);
  expect(data.allowed_actions).toEqual(expect.not.arrayContaining(['update']));
  await unchanged(id, async () => {
    expect((await asHr.post(`${url}/hr-review`, release)).status).toBe(403);
    expect((await asHr.put(url, { hr_comment: 'Mine.' })).status).toBe(403);
  });
  const many = await asHr.post('/api/kpi-evaluations/bulk', {
    kind: 'hr-review',
    ids: [id],
    hr_comment: 'All good.',
  });
  expect(many.body.data.rows).toMatchObject([
    { outcome: 'refused', reason: 'You submitted this review. Another HR user releases the result.' },
  ]);
  expect((await asHr.get(url)).body.data.status).toBe('hr_review');
  expect([await tasksOf(hr, id), await tasksOf(other ?? hr, id)]).toEqual([[], ['kpi_hr_review']]);
  const asOther = await as((other ?? hr).user_id);
  expect((await asOther.get(url)).body.data.four_eyes).toBeNull();
  expect((await asOther.post(`${url}/hr-review`, release)).status).toBe(200);
  expect((await historyOf(id)).at(-1)).toEqual([
    'hr-review',
    'hr_review',
    'pending_acceptance',
    null,
    1,
    other?.user_id,
  ]);
});

test('without another HR user the step says so, and the history keeps it', async () => {
  const { id, url, hr, asHr } = await submitted();
  const { data } = (await asHr.get(url)).body;
  expect([data.four_eyes, data.allowed_actions]).toEqual(['no_other_hr', expect.arrayContaining(['hr-review'])]);
  expect(await tasksOf(hr, id)).toEqual(['kpi_hr_review']);
  expect((await asHr.post(`${url}/hr-review`, release)).status).toBe(200);
  const reason = 'The same person submitted the manager review: no other HR user has the employee in scope.';
  expect((await asHr.get(`${url}/activity`)).body.data[0]).toMatchObject({ action: 'hr-review', reason });
});

test('the history keeps it too where many results are released at once', async () => {
  const { id, asHr, entity_id, hr } = await submitted();
  const employee = await make.employee({ entity_id });
  const plain = await kpi.evaluation({ employee, reviewer: hr, status: 'hr_review' });
  const body = { kind: 'hr-review', ids: [id, plain.id], hr_comment: 'All good.' };
  const { data } = (await asHr.post('/api/kpi-evaluations/bulk', body)).body;
  expect(data.counts).toMatchObject({ changed: 2 });
  const reasons = await Promise.all(
    [id, plain.id].map(async (one) => (await asHr.get(`/api/kpi-evaluations/${one}/activity`)).body.data[0].reason),
  );
  expect(reasons).toEqual([expect.stringContaining('no other HR user'), null]);
});

test('the rule counts only people who can act: with the employee in scope, not the employee, no administrator', async () => {
  const { entity_id, url, asHr, employee } = await submitted();
  const shown = async () => (await asHr.get(url)).body.data.four_eyes;
  await hrOf((await make.entity()).id);
  expect(await shown()).toBe('no_other_hr');
  await owner.query(
    `insert into role_assignments (user_id, role_id, entity_ids) select $1, id, array[$2::bigint] from roles where name = 'HR'`,
    [employee.user_id, entity_id],
  );
  expect(await shown()).toBe('no_other_hr');
  const second = await hrOf(entity_id);
  expect(await shown()).toBe('other_hr');
  await owner.query(`update employees set activity_status = 'inactive' where id = $1`, [second.id]);
  expect(await shown()).toBe('no_other_hr');
});

test('a head with a role of HR for the people they manage is another HR user', async () => {
  const { url, asHr, employee, entity_id } = await submitted();
  const made = await asAdmin.post('/api/roles', {
    name: 'Local HR',
    scope: 'managed',
    permissions: ['kpi-evaluation.view', 'kpi-evaluation.hr-review'],
  });
  const head = await make.employee({ entity_id });
  await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [
    head.user_id,
    made.body.data.id,
  ]);
  expect((await asHr.get(url)).body.data.four_eyes).toBe('no_other_hr');
  await owner.query('update departments set manager_id = $1 where id = $2', [head.id, employee.department_id]);
  expect((await asHr.get(url)).body.data.four_eyes).toBe('other_hr');
});

test('a cycle without the rule lets the same person do both, and the rule can be set while it runs', async () => {
  const { url, asHr, hr, id } = await submitted({ four_eyes: false }, 'HR');
  expect((await asHr.get(url)).body.data).toMatchObject({ four_eyes: null });
  expect(await tasksOf(hr, id)).toEqual(['kpi_hr_review']);
  const { cycle_id } = (await asHr.get(url)).body.data;
  const answer = await asAdmin.put(`/api/kpi-cycles/${cycle_id}`, { four_eyes: true });
  expect([answer.status, answer.body.data.four_eyes]).toEqual([200, true]);
  expect((await asHr.get(url)).body.data.four_eyes).toBe('other_hr');
});
