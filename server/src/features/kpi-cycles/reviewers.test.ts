import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';
import type { MadeEmployee } from '../../testing/make.ts';

/** Reviewers come from above: no one is reviewed by a person below them. */

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const entity = await make.entity();
const local = { role: 'HR', entity_ids: [entity.id] };
const hr = await as((await make.employee({ entity_id: entity.id, roles: [local] })).user_id);

const leader = (fields: object = {}) => make.employee({ entity_id: entity.id, roles: ['Manager'], ...fields });
const setHead = (departmentId: number, head: MadeEmployee) =>
  owner.query('update departments set manager_id = $1 where id = $2', [head.id, departmentId]);

/** A head in their own department, whose team lead is below the head. */
async function headed(fields: { parent_id?: number; reporting_manager_id?: number | null } = {}) {
  const { parent_id = null, reporting_manager_id = null } = fields;
  const department = await make.department({ entity_id: entity.id, parent_id });
  const head = await leader({ department_id: department.id, reporting_manager_id });
  const lead = await leader();
  await setHead(department.id, head);
  await owner.query('update departments set team_lead_id = $1 where id = $2', [lead.id, department.id]);
  return { department, head, lead };
}

async function cycleOf(departmentIds: readonly number[]) {
  const template = await kpi.template();
  const departments = departmentIds.map((department_id) => ({ department_id, template_id: template.id }));
  const cycle = await kpi.cycle({ status: 'draft', departments });
  return { id: cycle.id, url: `/api/kpi-cycles/${cycle.id}` };
}

const reviewersOf = async (cycleId: number) =>
  new Map(
    (
      await owner.query<{ employee_id: number; reviewer_id: number | null }>(
        'select employee_id::int, reviewer_id::int from kpi_evaluations where cycle_id = $1',
        [cycleId],
      )
    ).rows.map(({ employee_id, reviewer_id }) => [employee_id, reviewer_id]),
  );

test('a head without a manager is reviewed by the head of the department above, not by the own team lead', async () => {
  const top = await leader();
  const above = await make.department({ entity_id: entity.id, manager_id: top.id });
  const empty = await make.department({ entity_id: entity.id, parent_id: above.id });
  const { department, head, lead } = await headed({ parent_id: empty.id });
  const member = await make.employee({ department_id: department.id });
  const { id, url } = await cycleOf([department.id]);
  const { data } = (await hr.get(`${url}/preflight`)).body;
  expect([data.blockers, data.warnings]).toEqual([[], []]);
  expect((await hr.post(`${url}/publish`)).status).toBe(200);
  expect(await reviewersOf(id)).toEqual(
    new Map([
      [head.id, top.id],
      [member.id, lead.id],
    ]),
  );
});

test('without a person above the reviewer is missing: an obstacle before publishing, a task of HR after it', async () => {
  const { department, head } = await headed();
  const { id, url } = await cycleOf([department.id]);
  const { data } = (await hr.get(`${url}/preflight`)).body;
  expect(data.blockers).toMatchObject([{ code: 'no_reviewer', employee: { id: head.id } }]);
  const refused = await hr.post(`${url}/publish`);
  expect([refused.status, (await reviewersOf(id)).size]).toEqual([422, 0]);
  expect((await hr.post(`${url}/publish`, { allow_missing_reviewer: true })).status).toBe(200);
  expect(await reviewersOf(id)).toEqual(new Map([[head.id, null]]));
  const { body } = await hr.get('/api/actionable-items?kind=kpi_missing_reviewer');
  expect(body.data.map(({ employee }: { employee: { id: number } }) => employee.id)).toEqual([head.id]);
});

test('a manager in the line below is no candidate, wherever they lead', async () => {
  const top = await leader();
  const above = await make.department({ entity_id: entity.id, manager_id: top.id });
  const between = await make.department({ entity_id: entity.id, parent_id: above.id });
  const { department, head } = await headed({ parent_id: between.id });
  const report = await leader({ reporting_manager_id: head.id });
  await setHead(between.id, await leader({ reporting_manager_id: report.id }));
  const { id, url } = await cycleOf([department.id]);
  expect((await hr.post(`${url}/publish`)).status).toBe(200);
  expect((await reviewersOf(id)).get(head.id)).toBe(top.id);
});

test('HR cannot assign a person below by hand, at once or when work is handed over', async () => {
  const { head, lead } = await headed();
  const report = await leader({ reporting_manager_id: (await leader({ reporting_manager_id: head.id })).id });
  const [former, peer] = [await leader(), await leader()];
  const { id } = await kpi.evaluation({ employee: head, reviewer: former, status: 'manager_review' });
  const reason = 'The reviewer is away for long.';
  for (const below of [lead, report]) {
    const answer = await hr.put(`/api/kpi-evaluations/${id}/reviewer`, { reviewer_id: below.id, reason });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      {
        reviewer_id: [
          'A reviewer can’t be below the employee: neither a report nor a lead in a department the employee heads.',
        ],
      },
    ]);
    const handed = await hr.post(`/api/employees/${former.id}/deactivate`, { reason, reassign_to: below.id });
    expect(handed.body.errors).toEqual({
      reassign_to: ['The selected successor can’t take over evaluations of people they report to.'],
    });
  }
  expect((await hr.get(`/api/kpi-evaluations/${id}`)).body.data.reviewer_id).toBe(former.id);
  const { status } = await hr.put(`/api/kpi-evaluations/${id}/reviewer`, { reviewer_id: peer.id, reason });
  expect(status).toBe(200);
});

test('HR cannot assign a person below to a probation review', async () => {
  const { head, lead } = await headed();
  await owner.query(
    `update employees set employment_lifecycle = 'probationary', probation_start_date = current_date - 30,
            probation_end_date = current_date + 30 where id = $1`,
    [head.id],
  );
  const refused = await hr.post('/api/probation-reviews', { employee_id: head.id, reviewer_id: lead.id });
  expect(Object.keys(refused.body.errors)).toEqual(['reviewer_id']);
  const opened = await hr.post('/api/probation-reviews', { employee_id: head.id });
  expect([opened.status, opened.body.data.reviewer_id]).toEqual([201, null]);
  const { id } = opened.body.data;
  const answer = await hr.put(`/api/probation-reviews/${id}/reviewer`, { reviewer_id: lead.id });
  expect(answer.body.errors.reviewer_id).toHaveLength(1);
  const peer = await leader();
  expect((await hr.put(`/api/probation-reviews/${id}/reviewer`, { reviewer_id: peer.id })).status).toBe(200);
});
