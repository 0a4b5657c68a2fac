import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { evaluationTesting } from '../../testing/evaluations.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import { skipSelfAssessments } from './scheduled-steps.ts';

/** A step that reaches a person late still leaves them the cycle's minimum number of days. */

const app = await startApp();
const { as, make, deps } = app;
const kpi = kpiMaker(app);
const { rowOf } = evaluationTesting(app);
const entity = await make.entity();
const asHr = await as((await make.employee({ entity_id: entity.id, roles: ['HR'] })).user_id);
const leader = () => make.employee({ entity_id: entity.id, roles: ['TeamLead'] });
const [reviewer, other] = [await leader(), await leader()];
const asReviewer = await as(reviewer.user_id);
const path = (id: number, step: string) => `/api/kpi-evaluations/${id}/${step}`;
const reason = 'Scores need reasons.';

type Fields = Parameters<typeof kpi.cycle>[0];
const over = { self_assessment_closes_on: dayFromNow(-5), manager_review_closes_on: dayFromNow(-2) };
const near = { self_assessment_closes_on: dayFromNow(1), manager_review_closes_on: dayFromNow(2) };
const far = { self_assessment_closes_on: dayFromNow(20), manager_review_closes_on: dayFromNow(30) };

async function made(status: 'self_assessment' | 'manager_review' | 'hr_review', cycleFields: Fields) {
  const cycle = await kpi.cycle({ status: 'published', ...cycleFields });
  const employee = await make.employee({ entity_id: entity.id });
  const { id } = await kpi.evaluation({ status, reviewer, employee, cycle_id: cycle.id });
  return { id, employee };
}
const openUntil = async (id: number) => (await asHr.get(`/api/kpi-evaluations/${id}`)).body.data.stage_open_until;

test.each([
  ['is over', over, dayFromNow(3)],
  ['ends too soon', near, dayFromNow(3)],
  ['leaves enough', far, null],
  ['has no end', {}, null],
  ['is over, and the cycle leaves ten days', { ...over, min_days: 10 }, dayFromNow(10)],
] as const)('a review that comes back to the reviewer has time where the window %s', async (_name, cycle, until) => {
  const { id } = await made('hr_review', cycle);
  const answer = await asHr.post(path(id, 'return'), { reason });
  expect(answer.body.data).toMatchObject({ status: 'manager_review', stage_open_until: until });
  expect((await asReviewer.put(`/api/kpi-evaluations/${id}`, { strengths: 'Planning' })).status).toBe(200);
});

test('a day that leaves less is refused with the first possible one, a later one holds', async () => {
  const { id } = await made('hr_review', over);
  const refused = await asHr.post(path(id, 'return'), { reason, until: dayFromNow(2) });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['until']]);
  expect((await rowOf(id))['status']).toBe('hr_review');
  expect((await asHr.post(path(id, 'return'), { reason, until: dayFromNow(6) })).status).toBe(200);
  expect(await openUntil(id)).toBe(dayFromNow(6));
});

test('another reviewer has time, by hand, when work is handed over, and where there was none', async () => {
  const byHand = await made('manager_review', over);
  const change = (id: number, to: number) => asHr.put(path(id, 'reviewer'), { reviewer_id: to, reason });
  expect((await change(byHand.id, other.id)).body.data.stage_open_until).toBe(dayFromNow(3));
  const leaver = await leader();
  const cycle = await kpi.cycle({ status: 'published', ...over });
  const employee = await make.employee({ entity_id: entity.id });
  const handed = await kpi.evaluation({ status: 'manager_review', reviewer: leaver, employee, cycle_id: cycle.id });
  const body = { reason: 'Moves to another company.', reassign_to: other.id };
  expect((await asHr.post(`/api/employees/${leaver.id}/deactivate`, body)).status).toBe(200);
  expect(await openUntil(handed.id)).toBe(dayFromNow(3));
  expect(
    (await (await as(other.user_id)).put(`/api/kpi-evaluations/${handed.id}`, { strengths: 'Planning' })).status,
  ).toBe(200);
});

test('a skipped self-assessment gives the reviewer time, by HR and by the clock', async () => {
  const byHr = await made('self_assessment', over);
  expect((await asHr.post(path(byHr.id, 'skip-self-assessment'), { reason })).status).toBe(200);
  const byClock = await made('self_assessment', { ...over, auto_skip_self: true });
  await skipSelfAssessments({ deps, now: Temporal.Now.instant() });
  expect([await openUntil(byHr.id), await openUntil(byClock.id)]).toEqual([dayFromNow(3), dayFromNow(3)]);
});

test('a person who takes part late has the least days from publishing', async () => {
  const department = await make.department({ entity_id: entity.id, manager_id: reviewer.id });
  const employee = await make.employee({ department_id: department.id });
  const template = await kpi.template();
  const departments = [{ department_id: department.id, template_id: template.id }];
  const cycle = await kpi.cycle({ status: 'draft', ...over, departments });
  const { data } = (await asHr.get(`/api/kpi-cycles/${cycle.id}/preflight`)).body;
  expect(data.warnings[0].message).toMatch(/It stays open for 3 days after publishing\.$/);
  expect((await asHr.post(`/api/kpi-cycles/${cycle.id}/publish`)).body.result.created).toBe(1);
  const asPerson = await as(employee.user_id);
  const [row] = (await asPerson.get(`/api/kpi-evaluations?cycle_id=${cycle.id}`)).body.data;
  expect(row).toMatchObject({ stage_open_until: dayFromNow(3), due_on: dayFromNow(3) });
  expect((await asPerson.put(`/api/kpi-evaluations/${row.id}`, { self_comment: 'Good.' })).status).toBe(200);
});
