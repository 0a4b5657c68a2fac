import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

/** A cancelled evaluation is not counted anywhere: the person can have another one in the same cycle. */

const testApp = await startApp();
const { as, make, owner } = testApp;
const kpi = kpiMaker(testApp);
const here = await make.entity();
const hr = await as(
  (await make.employee({ entity_id: here.id, roles: [{ role: 'HR', entity_ids: [here.id] }] })).user_id,
);

/** A published cycle with a person whose evaluation HR cancelled. */
async function cancelled() {
  const head = await make.employee({ entity_id: here.id, roles: ['Manager'] });
  const department = await make.department({ entity_id: here.id, manager_id: head.id });
  const person = await make.employee({ department_id: department.id });
  const colleague = await make.employee({ department_id: department.id });
  const template = await kpi.template();
  const cycle = await kpi.cycle({
    entity_id: here.id,
    departments: [{ department_id: department.id, template_id: template.id, is_published: true }],
  });
  const fields = { cycle_id: cycle.id, reviewer: head, template };
  const { id } = await kpi.evaluation({ ...fields, employee: person, status: 'manager_review' });
  await kpi.evaluation({ ...fields, employee: colleague, status: 'completed' });
  const path = `/api/kpi-evaluations/${id}`;
  expect((await hr.post(`${path}/cancel`, { reason: 'Away all quarter' })).status).toBe(200);
  return { cycle, department, person, path, url: `/api/kpi-cycles/${cycle.id}` };
}

test('publishing again does not reverse a cancellation', async () => {
  const { url, person } = await cancelled();
  const preflight = (await hr.get(`${url}/preflight`)).body.data;
  expect([preflight.eligible, preflight.to_create, preflight.existing]).toEqual([1, 0, 1]);
  expect(preflight.excluded).toMatchObject([{ employee: { id: person.id }, reason: 'cancelled' }]);
  expect((await hr.post(`${url}/publish`, {})).body.result).toMatchObject({ created: 0, skipped: 1, blocked: 1 });
});

test('a person who joins again after the cancellation is published like a new one', async () => {
  const { url, person } = await cancelled();
  await owner.query(`update kpi_evaluations set cancelled_at = now() - interval '9 days' where employee_id = $1`, [
    person.id,
  ]);
  await owner.query('update employees set joining_date = current_date - 7 where id = $1', [person.id]);
  await owner.query('update kpi_cycles set end_date = current_date where entity_id = $1', [here.id]);
  expect((await hr.post(`${url}/publish`, {})).body.result).toMatchObject({ created: 1, blocked: 0 });
});

test('an added person has one evaluation that counts, and the cancelled one beside it', async () => {
  const { url, person, path, department } = await cancelled();
  const added = await hr.post(`${url}/people`, { employee_ids: [person.id] });
  expect(added.body.data.counts).toEqual({ total: 1, added: 1, refused: 0 });
  const summary = (await hr.get(`${url}/summary`)).body.data;
  // by status, the share of completed ones, and by department
  expect([summary.by_status.self_assessment, summary.by_status.cancelled, summary.completion_pct]).toEqual([1, 1, 50]);
  expect(summary.departments).toEqual([expect.objectContaining({ id: department.id, total: 3, completed: 1 })]);
  // counted again in publish, preflight and the list of people to add
  expect((await hr.get(`${url}/preflight`)).body.data).toMatchObject({ to_create: 0, existing: 2, excluded_count: 0 });
  expect((await hr.post(`${url}/publish`, {})).body.result).toMatchObject({ created: 0, skipped: 2 });
  const again = await hr.post(`${url}/people`, { employee_ids: [person.id] });
  expect(again.body.data.people).toMatchObject([{ reason: 'This person already has an evaluation in this cycle.' }]);
  // the person's own home page shows the valid one
  const mine = (await (await as(person.user_id)).get('/api/dashboard')).body.data.me;
  expect(mine.evaluation.status).toBe('self_assessment');
  expect((await hr.get(path)).body.data).toMatchObject({ status: 'cancelled', cancel_reason: 'Away all quarter' });
});

test('a cancelled evaluation is not restored beside another one', async () => {
  const { url, person, path } = await cancelled();
  await hr.post(`${url}/people`, { employee_ids: [person.id] });
  const refused = await hr.post(`${path}/restore`, { reason: 'Cancelled by mistake' });
  expect([refused.status, refused.body.message]).toEqual([
    422,
    'This person has another evaluation in this cycle. Cancel that one first.',
  ]);
  expect((await hr.get(path)).body.data.allowed_actions).not.toContain('restore');
  const { rows } = await owner.query(
    `select id from kpi_evaluations where employee_id = $1 and status <> 'cancelled'`,
    [person.id],
  );
  expect((await hr.post(`/api/kpi-evaluations/${rows[0].id}/cancel`, { reason: 'The first one counts' })).status).toBe(
    200,
  );
  expect((await hr.post(`${path}/restore`, { reason: 'Cancelled by mistake' })).status).toBe(200);
});

test('restoring and adding at the same moment leave one evaluation', async () => {
  const { url, person, path } = await cancelled();
  const answers = await Promise.all([
    hr.post(`${path}/restore`, { reason: 'Cancelled by mistake' }),
    hr.post(`${url}/people`, { employee_ids: [person.id] }),
  ]);
  expect(answers.every(({ status }) => status === 200 || status === 422)).toBe(true);
  const { rows } = await owner.query(
    `select count(*)::int as n from kpi_evaluations where employee_id = $1 and status <> 'cancelled'`,
    [person.id],
  );
  expect(rows).toEqual([{ n: 1 }]);
});
