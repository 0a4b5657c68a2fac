import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { evaluationTesting } from '../../testing/evaluations.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';

/** A reviewer whose deadline has passed asks HR for an extension, as people do for their self-assessment. */

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const { notificationsOf, rowOf, unchanged } = evaluationTesting(app);
const entity = await make.entity();
const hr = await make.employee({ entity_id: entity.id, roles: ['HR'] });
const leader = () => make.employee({ entity_id: entity.id, roles: ['TeamLead'] });
const [reviewer, other] = [await leader(), await leader()];
const person = await make.employee({ entity_id: entity.id });
const [asHr, asReviewer, asPerson] = [await as(hr.user_id), await as(reviewer.user_id), await as(person.user_id)];
const because = { reason: 'Ill for two weeks.' };
const url = (id: number, step = '') => `/api/kpi-evaluations/${id}${step && `/${step}`}`;

async function late(status: 'manager_review' | 'hr_review' = 'manager_review') {
  const closed = { self_assessment_closes_on: dayFromNow(-9), manager_review_closes_on: dayFromNow(-1) };
  const cycle = await kpi.cycle({ status: 'published', ...closed });
  return (await kpi.evaluation({ status, reviewer, employee: person, cycle_id: cycle.id })).id;
}

test('HR decides on the request of a reviewer, who goes on until that day', async () => {
  const id = await late();
  expect((await asReviewer.put(url(id), { strengths: 'Planning' })).status).toBe(422);
  const asked = await asReviewer.post(url(id, 'extension-request'), because);
  expect(asked.body.data.extension).toMatchObject({ step: 'manager_review', status: 'pending', requests_count: 1 });
  expect(await notificationsOf(id)).toEqual([['kpi_extension_requested', 'review', hr.user_id]]);
  const tasks = await asHr.get('/api/actionable-items?kind=kpi_extension_decision');
  expect(tasks.body.data).toMatchObject([{ subject: { id }, allowed_actions: ['extension-decision'] }]);
  const body = { decision: 'approved', until: dayFromNow(12), note: 'Get well.' };
  const given = await asHr.post(url(id, 'extension-decision'), body);
  expect(given.body.data).toMatchObject({ status: 'manager_review', stage_open_until: body.until, due_on: body.until });
  expect((await notificationsOf(id)).at(-1)).toEqual(['kpi_extension_decided', 'review', reviewer.user_id]);
  expect((await asReviewer.put(url(id), { strengths: 'Planning' })).status).toBe(200);
});

test('only the reviewer asks, three times at most, and hears of a refusal', async () => {
  const id = await late();
  await unchanged(id, async () => {
    expect((await asPerson.post(url(id, 'extension-request'), because)).status).toBe(403);
    expect((await asHr.post(url(id, 'extension-request'), because)).status).toBe(403);
    expect((await asReviewer.post(url(id, 'extension-decision'), { decision: 'rejected' })).status).toBe(403);
  });
  for (let times = 1; times <= 3; times += 1) {
    expect((await asReviewer.post(url(id, 'extension-request'), because)).status).toBe(200);
    expect((await asHr.post(url(id, 'extension-decision'), { decision: 'rejected' })).status).toBe(200);
  }
  expect((await notificationsOf(id)).at(-1)).toEqual(['kpi_extension_decided', 'review_rejected', reviewer.user_id]);
  const fourth = await asReviewer.post(url(id, 'extension-request'), because);
  expect(fourth.body.errors.status).toEqual(['You can request an extension three times at most.']);
});

test('an HR user who reviews does not decide on their own request; where there is no other, an administrator does', async () => {
  const home = await make.entity();
  const alone = await make.employee({ entity_id: home.id, roles: [{ role: 'HR', entity_ids: [home.id] }, 'TeamLead'] });
  const employee = await make.employee({ entity_id: home.id });
  const closed = { self_assessment_closes_on: dayFromNow(-9), manager_review_closes_on: dayFromNow(-1) };
  const cycle = await kpi.cycle({ status: 'published', ...closed });
  const { id } = await kpi.evaluation({ status: 'manager_review', reviewer: alone, employee, cycle_id: cycle.id });
  const asAlone = await as(alone.user_id);
  await owner.query('delete from role_assignments where user_id = $1', [hr.user_id]);
  expect((await asAlone.post(url(id, 'extension-request'), because)).status).toBe(200);
  expect((await asAlone.post(url(id, 'extension-decision'), { decision: 'rejected' })).status).toBe(403);
  const asAdmin = await as((await make.admin()).user_id);
  const tasks = async (client: typeof asHr) =>
    (await client.get('/api/actionable-items?kind=kpi_extension_decision')).body.data.length;
  expect([await tasks(asAlone), await tasks(asAdmin)]).toEqual([0, 1]);
  expect((await asAdmin.post(url(id, 'extension-decision'), { decision: 'rejected' })).status).toBe(200);
  await owner.query(`insert into role_assignments (user_id, role_id) select $1, id from roles where name = 'HR'`, [
    hr.user_id,
  ]);
});

test('the requests of the person do not count for the reviewer', async () => {
  const id = await late();
  await owner.query(
    `update kpi_evaluations set extension_status = 'rejected', extension_requests = 3, extension_requested_at = now(),
            extension_reason = 'On leave.' where id = $1`,
    [id],
  );
  const asked = await asReviewer.post(url(id, 'extension-request'), because);
  expect(asked.body.data.extension).toMatchObject({ requests_count: 1, reason: because.reason });
});

test('the person does not read why the reviewer asked, in the evaluation or its history; HR does', async () => {
  const id = await late();
  await asReviewer.post(url(id, 'extension-request'), because);
  const note = 'After the illness.';
  await asHr.post(url(id, 'extension-decision'), { decision: 'approved', until: dayFromNow(5), note });
  const reasons = async (client: typeof asHr) =>
    (await client.get(url(id, 'activity'))).body.data.map(({ reason }: { reason: string | null }) => reason);
  expect((await asPerson.get(url(id))).body.data.extension).toBeNull();
  expect(await reasons(asPerson)).toEqual([null, null]);
  expect((await asPerson.get(url(id, 'activity?search=illness'))).body.data).toEqual([]);
  for (const client of [asReviewer, asHr]) {
    expect((await client.get(url(id))).body.data.extension).toMatchObject({ reason: because.reason, note });
    expect(await reasons(client)).toEqual([note, because.reason]);
  }
});

test('the request ends with another reviewer, who has the least days', async () => {
  const id = await late();
  await asReviewer.post(url(id, 'extension-request'), because);
  const answer = await asHr.put(url(id, 'reviewer'), { reviewer_id: other.id, ...because });
  expect(answer.body.data).toMatchObject({ extension: null, stage_open_until: dayFromNow(3) });
  expect(await rowOf(id)).toMatchObject({ extension_status: null, reviewer_id: String(other.id) });
  expect((await asHr.post(url(id, 'extension-decision'), { decision: 'rejected' })).status).toBe(422);
});
