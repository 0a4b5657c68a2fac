import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { evaluationTesting } from '../../testing/evaluations.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import { skipSelfAssessments } from './scheduled-steps.ts';
import { remindDue } from './reminders.ts';

/** A KPI round of a department where most people have no email address. */

const app = await startApp();
const { as, make, owner, deps } = app;
const kpi = kpiMaker(app);
const { historyOf, notificationsOf } = evaluationTesting(app);
const works = await make.entity();
const hr = await make.employee({ entity_id: works.id, roles: ['HR'] });
const otherHr = await make.employee({ entity_id: works.id, roles: ['HR'] });
const foreignHr = await make.employee({ roles: [{ role: 'HR', entity_ids: [(await make.entity()).id] }] });
const foreman = await make.employee({ entity_id: works.id, roles: ['Manager'] });
const hall = await make.department({ entity_id: works.id, manager_id: foreman.id });
const workers = [
  await make.worker({ department_id: hall.id, last_name: 'Adam' }),
  await make.worker({ department_id: hall.id, last_name: 'Blum' }),
  await make.worker({ department_id: hall.id, last_name: 'Cole' }),
] as const;
const clerks = [
  await make.employee({ department_id: hall.id, last_name: 'Dorn' }),
  await make.employee({ department_id: hall.id, last_name: 'Egge' }),
] as const;
const [asHr, asForeman] = [await as(hr.user_id), await as(foreman.user_id)];
const template = await kpi.template();
const cycle = await kpi.cycle({
  status: 'draft',
  departments: [{ department_id: hall.id, template_id: template.id }],
});
const today = dayFromNow(0);
const pdf = '%PDF-1.7\n%%EOF\n';

const evaluationOf = async (employeeId: number) =>
  Number((await owner.query('select id from kpi_evaluations where employee_id = $1', [employeeId])).rows[0]?.id);
const read = async (id: number, client = asHr) => (await client.get(`/api/kpi-evaluations/${id}`)).body.data;
const taskOf = async (client: Client, id: number) =>
  (await client.get('/api/actionable-items?per_page=100')).body.data
    .filter(({ subject }: { subject: { id: number } }) => subject.id === id)
    .map(({ kind }: { kind: string }) => kind) as string[];
const record = (id: number, fields: Record<string, string>, client = asForeman, content: Buffer | string = pdf) =>
  client.upload(`/api/kpi-evaluations/${id}/record-answer`, { name: 'sheet.pdf', content }, fields);

/** Reviews and releases the result of a person. */
async function release(id: number) {
  const { items } = await read(id, asForeman);
  const scores = items.map((item: { id: number }) => ({ id: item.id, manager_score: 4 }));
  const reviewed = await asForeman.post(`/api/kpi-evaluations/${id}/manager-review`, { items: scores });
  expect([reviewed.status, reviewed.body.message]).toEqual([200, expect.any(String)]);
  const body = { hr_comment: 'Fine.', performance_flag: 'standard' };
  expect((await asHr.post(`/api/kpi-evaluations/${id}/hr-review`, body)).status).toBe(200);
}

test('published, the evaluations of people without a sign-in begin with the review, and the history has the reason', async () => {
  const published = await asHr.post(`/api/kpi-cycles/${cycle.id}/publish`);
  expect([published.status, published.body.message]).toEqual([200, expect.any(String)]);
  for (const { id } of workers) {
    const evaluation = await read(await evaluationOf(id));
    expect(evaluation).toMatchObject({
      status: 'manager_review',
      self_skipped: true,
      person_signs_in: false,
      skip_reason: 'The employee has no sign-in.',
      reviewer_id: foreman.id,
    });
    expect(evaluation.allowed_actions).not.toContain('return');
    const history = (await historyOf(evaluation.id)).map(([action, from, to]) => [action, from, to]);
    expect(history).toEqual([
      ['publish', null, 'self_assessment'],
      ['skip-self-assessment', 'self_assessment', 'manager_review'],
    ]);
    expect(await notificationsOf(evaluation.id)).toEqual([
      ['kpi_self_assessment_submitted', 'skipped', foreman.user_id],
    ]);
    const back = await asForeman.post(`/api/kpi-evaluations/${evaluation.id}/return`, { reason: 'Please write more.' });
    expect([back.status, back.body.message]).toEqual([
      422,
      'The employee has no sign-in, so there is no self-assessment to return to.',
    ]);
  }
  for (const { id } of clerks)
    expect(await read(await evaluationOf(id))).toMatchObject({ status: 'self_assessment', person_signs_in: true });
});

test('the result is announced to the reviewer, who has the task to record the answer and is reminded', async () => {
  const id = await evaluationOf(workers[0].id);
  await release(id);
  const notified = (await notificationsOf(id)).filter(([event]) => event === 'kpi_hr_review_submitted');
  expect(notified).toEqual([['kpi_hr_review_submitted', 'record', foreman.user_id]]);
  expect(await taskOf(asForeman, id)).toEqual(['kpi_record_answer']);
  expect(await taskOf(await as(otherHr.user_id), id)).toEqual([]);
  await owner.query('update kpi_evaluations set acceptance_due_on = current_date + 1 where id = $1', [id]);
  await owner.query("update notification_settings set lead_days = '{1}' where event = 'kpi_deadline_reminder'");
  await remindDue({ deps, now: Temporal.Now.instant() });
  const reminded = (await notificationsOf(id)).filter(([event]) => event === 'kpi_deadline_reminder');
  expect(reminded.every(([, variant, user]) => variant === 'answer' && user === foreman.user_id)).toBe(true);
  const printed = await asForeman.get(`/api/kpi-evaluations/${id}/pdf`);
  expect(printed.status).toBe(200);
});

test('an answer needs the signed sheet, a possible day and, for a dispute, the reason', async () => {
  const id = await evaluationOf(workers[0].id);
  const before = await read(id);
  const without = await asForeman.post(`/api/kpi-evaluations/${id}/record-answer`, {
    outcome: 'accepted',
    talked_on: today,
  });
  expect([without.status, Object.keys(without.body.errors ?? {})]).toEqual([422, ['file']]);
  const wrong: [Record<string, string>, string[]][] = [
    [{ outcome: 'maybe', talked_on: today }, ['outcome']],
    [{ outcome: 'accepted' }, ['talked_on']],
    [{ outcome: 'accepted', talked_on: dayFromNow(1) }, ['talked_on']],
    [{ outcome: 'accepted', talked_on: dayFromNow(-30) }, ['talked_on']],
    [{ outcome: 'disputed', talked_on: today }, ['reason']],
    [{ outcome: 'accepted', talked_on: today, reason: 'That is not what happened.' }, ['reason']],
    [{ outcome: 'accepted', talked_on: today, revision: '1' }, ['status']],
  ];
  for (const [fields, names] of wrong) {
    const answer = await record(id, fields);
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, names]);
  }
  const script = await record(id, { outcome: 'accepted', talked_on: today }, asForeman, Buffer.from('<script>'));
  expect([script.status, Object.keys(script.body.errors)]).toEqual([422, ['file']]);
  expect(await read(id)).toEqual(before);
});

test('only the reviewer and HR in scope record it', async () => {
  const id = await evaluationOf(workers[0].id);
  const fields = { outcome: 'accepted', talked_on: today };
  expect((await record(id, fields, await as(clerks[0].user_id))).status).toBe(403);
  expect((await record(id, fields, await as(foreignHr.user_id))).status).toBe(404);
  const done = await record(id, fields);
  expect([done.status, done.body.message]).toEqual([200, 'Response recorded successfully.']);
  expect(done.body.data).toMatchObject({
    status: 'accepted',
    acceptance_mode: 'recorded',
    talked_on: today,
    answer_recorded_by: { user_id: foreman.user_id },
  });
  const evidence = (await asHr.get(`/api/kpi-evaluations/${id}/evidence`)).body.data;
  expect(evidence).toMatchObject([{ stage: 'answer', file_name: 'sheet.pdf', allowed_actions: [] }]);
  expect((await asForeman.delete(`/api/kpi-evaluations/${id}/evidence/${evidence[0].id}`)).status).toBe(422);
  expect((await record(id, fields)).status).toBe(422);
  expect((await asHr.post(`/api/kpi-evaluations/${id}/close`)).status).toBe(200);
});

test('HR records a dispute, which another HR user resolves', async () => {
  const id = await evaluationOf(workers[1].id);
  await release(id);
  const fields = { outcome: 'disputed', talked_on: today, reason: 'The machine was down for a week.' };
  const done = await record(id, fields, asHr);
  expect(done.body.data).toMatchObject({ status: 'disputed', dispute_reason: fields.reason, acceptance_mode: null });
  expect(await taskOf(await as(otherHr.user_id), id)).toEqual(['kpi_dispute']);
  const body = { result: 'maintained', resolution: 'We looked at it together.' };
  const resolved = await (await as(otherHr.user_id)).post(`/api/kpi-evaluations/${id}/resolve-dispute`, body);
  expect([resolved.status, resolved.body.data?.status]).toEqual([200, 'completed']);
});

test('without a reviewer who can act the task is for HR', async () => {
  const id = await evaluationOf(workers[2].id);
  await release(id);
  await owner.query('update kpi_evaluations set reviewer_missing_since = now() where id = $1', [id]);
  expect(await taskOf(asForeman, id)).toEqual([]);
  expect(await taskOf(asHr, id)).toEqual(['kpi_record_answer']);
  await owner.query('update kpi_evaluations set reviewer_missing_since = null where id = $1', [id]);
});

test('with an address the person answers, and no answer is recorded any more', async () => {
  const [, , worker] = workers;
  const id = await evaluationOf(worker.id);
  expect((await asHr.put(`/api/employees/${worker.id}`, { email: 'cole@works.example' })).status).toBe(200);
  const refused = await record(id, { outcome: 'accepted', talked_on: today });
  expect([refused.status, refused.body.message]).toEqual([
    422,
    'The employee has a sign-in, so they respond themselves.',
  ]);
  expect(await taskOf(asForeman, id)).toEqual([]);
  const { rows } = await owner.query('select user_id::int from employees where id = $1', [worker.id]);
  const own = await as(rows[0].user_id);
  expect(await taskOf(own, id)).toEqual(['kpi_acceptance']);
  expect((await record(id, { outcome: 'accepted', talked_on: today }, own)).status).toBe(403);
  expect((await own.post(`/api/kpi-evaluations/${id}/accept`)).status).toBe(200);
});

test('a person who loses the address before the first sign-in is skipped by the clock', async () => {
  const [clerk] = clerks;
  const fresh = await make.employee({ department_id: hall.id });
  const second = await kpi.cycle({ status: 'published' });
  const made = await kpi.evaluation({ cycle_id: second.id, employee: fresh, reviewer: foreman });
  expect((await asHr.put(`/api/employees/${fresh.id}`, { email: null })).status).toBe(200);
  await skipSelfAssessments({ deps, now: Temporal.Now.instant() });
  expect(await read(made.id)).toMatchObject({ status: 'manager_review', skip_reason: 'The employee has no sign-in.' });
  expect(await read(await evaluationOf(clerk.id))).toMatchObject({ status: 'self_assessment' });
});
