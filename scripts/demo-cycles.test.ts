import { expect, test } from 'vitest';
import { startApp } from '../server/src/testing/app.ts';
import { insertDemoCycles } from './demo-cycles.ts';
import { insertDemoTemplates } from './demo-kpi.ts';
import { insertDemo } from './demo-people.ts';

const { deps, as, owner } = await startApp();
const today = Temporal.Now.plainDateISO('UTC');
const cast = await deps.db.transaction().execute(async (trx) => {
  const made = await insertDemo(trx, today);
  await insertDemoCycles(trx, today, { ...made, ids: await insertDemoTemplates(trx) });
  return made;
});
const hr = await as(cast.hr.user_id);

test('the demo has a year of rounds that are over and one in every state', async () => {
  const { data } = (await hr.get('/api/kpi-cycles')).body;
  expect(data.map(({ status }: { status: string }) => status)).toEqual(['published', 'closed', 'closed', 'closed']);
  const [running, over] = data;
  const now = (await hr.get(`/api/kpi-cycles/${running.id}/summary`)).body.data;
  expect(Object.values(now.by_status).every((count) => Number(count) > 0)).toBe(true);
  expect(now.median_days_per_stage).toEqual({
    self_assessment: expect.any(Number),
    manager_review: expect.any(Number),
    hr_review: expect.any(Number),
    pending_acceptance: expect.any(Number),
  });
  const then = (await hr.get(`/api/kpi-cycles/${over.id}/summary`)).body.data;
  expect(then.completion_pct).toBe(100);
  expect(then.bands.every(({ count }: { count: number }) => count > 0)).toBe(true);
});

test('what is stored of an evaluation is what its items explain', async () => {
  const { rows } = await owner.query(
    `select distinct on (template_id, status) id, overall_score::float8, self_overall_score::float8
     from kpi_evaluations where status <> 'cancelled' order by template_id, status, id`,
  );
  for (const row of rows) {
    const { data } = (await hr.get(`/api/kpi-evaluations/${row.id}`)).body;
    if (row.overall_score !== null) expect(data.explain.result.score).toBe(row.overall_score);
    if (row.self_overall_score !== null) expect(data.explain.self.score).toBe(row.self_overall_score);
  }
  expect(rows.length).toBeGreaterThan(20);
});

test('evaluations of people without a sign-in were not assessed by them, and their answers are recorded', async () => {
  const { rows } = await owner.query(
    `select v.status, v.self_skipped, v.acceptance_mode, v.talked_on is not null as was_talked_about
     from kpi_evaluations v where not v.person_signs_in and v.status <> 'cancelled'`,
  );
  expect(new Set(rows.map(({ self_skipped }) => self_skipped))).toEqual(new Set([true]));
  const statuses = new Set(rows.map(({ status }) => status));
  expect(statuses).toEqual(new Set(['manager_review', 'pending_acceptance', 'accepted', 'completed']));
  for (const row of rows.filter(({ status }) => status === 'completed'))
    expect([row.acceptance_mode, row.was_talked_about]).toEqual(['recorded', true]);
});

test('a person of the cast has a self-assessment to write', async () => {
  const employee = await as(cast.employee.user_id);
  const { data } = (await employee.get('/api/kpi-evaluations?mine=1&status=self_assessment')).body;
  expect(data).toHaveLength(1);
  expect(data[0].allowed_actions).toContain('self-assessment');
});

test('the manager of the cast has the team lead to review', async () => {
  const manager = await as(cast.manager.user_id);
  const { data } = (await manager.get('/api/actionable-items')).body;
  expect(data.map(({ kind }: { kind: string }) => kind)).toContain('kpi_manager_review');
});

test('each person of the cast finds unread notifications', async () => {
  const heard = async ({ user_id }: { user_id: number }) => {
    const { data } = (await (await as(user_id)).get('/api/notifications?unread=1&per_page=100')).body;
    return new Set(data.map(({ event }: { event: string }) => event));
  };
  expect(await heard(cast.hr)).toContain('kpi_manager_review_submitted');
  expect(await heard(cast.manager)).toContain('kpi_cycle_published');
  expect(await heard(cast.lead)).toContain('kpi_self_assessment_submitted');
  expect(await heard(cast.employee)).toEqual(new Set(['kpi_evaluation_assigned']));
});
