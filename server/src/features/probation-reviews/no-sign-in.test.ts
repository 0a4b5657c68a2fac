import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { dayFromNow } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { reviewTesting } from '../../testing/reviews.ts';

/** Probation reviews of people without an email address: others record the acknowledgement. */

const app = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
const { as, make, owner } = app;
const probation = probationMaker(app);
const { historyOf, notificationsOf, auditOf, unchanged } = reviewTesting(app);

const here = await make.entity();
const hall = await make.department({ entity_id: here.id });
const foreman = await make.employee({ department_id: hall.id, roles: ['Manager'] });
const hr = await make.employee({ roles: ['HR'] });
const otherHr = await make.employee({ roles: ['HR'] });
const foreignHr = await make.employee({ roles: [{ role: 'HR', entity_ids: [(await make.entity()).id] }] });
const colleague = await make.employee({ department_id: hall.id });
const [asHr, asForeman] = [await as(hr.user_id), await as(foreman.user_id)];
const today = dayFromNow(0);
const pdf = '%PDF-1.7\n%%EOF\n';
const signature = { method: 'typed', typed_name: 'A Signature' };

const worker = () =>
  make.worker({
    department_id: hall.id,
    employment_lifecycle: 'probationary',
    joining_date: dayFromNow(-60),
    probation_start_date: dayFromNow(-60),
    probation_end_date: dayFromNow(30),
  });
const decided = async (fields: Parameters<typeof probation.review>[0] = {}) =>
  probation.review({
    status: 'approved',
    employee_id: (await worker()).id,
    reviewer: foreman,
    decided_at: `${today}T00:00:00Z`,
    ...fields,
  });
const read = async (id: number, client = asHr) => (await client.get(`/api/probation-reviews/${id}`)).body.data;
const taskOf = async (client: Client, id: number) =>
  (await client.get('/api/actionable-items?per_page=100')).body.data
    .filter(({ subject }: { subject: { id: number } }) => subject.id === id)
    .map(({ kind }: { kind: string }) => kind) as string[];
const record = (id: number, fields: Record<string, string> = {}, client = asForeman, content: Buffer | string = pdf) =>
  client.upload(
    `/api/probation-reviews/${id}/record-acknowledgement`,
    { name: 'sheet.pdf', content },
    { talked_on: today, ...fields },
  );
const addressFor = (id: number, email: string | null) => asHr.put(`/api/employees/${id}`, { email });
const accountOf = async (id: number) =>
  (await owner.query('select user_id::int from employees where id = $1', [id])).rows[0].user_id as number;

describe('the decision', () => {
  test('is announced to the reviewer, who has the task to record the acknowledgement', async () => {
    const { id: employee_id } = await worker();
    const { id } = await probation.review({ status: 'submitted', employee_id, reviewer: foreman });
    const done = await asHr.post(`/api/probation-reviews/${id}/approve`, { outcome: 'confirm', signature });
    expect([done.status, done.body.data?.person_signs_in]).toEqual([200, false]);
    expect(await notificationsOf(id)).toEqual([['probation_review_approved', 'record', foreman.user_id]]);
    expect(await taskOf(asForeman, id)).toEqual(['probation_record_acknowledgement']);
    for (const { user_id } of [hr, otherHr, colleague]) expect(await taskOf(await as(user_id), id)).toEqual([]);
    expect((await read(id, asForeman)).allowed_actions).toContain('record-acknowledgement');
  });

  test('without a reviewer who can act is announced to HR, which has the task', async () => {
    const { id: employee_id } = await worker();
    const { id } = await probation.review({
      status: 'submitted',
      employee_id,
      reviewer: foreman,
      reviewer_missing_since: new Date().toISOString(),
    });
    await asHr.post(`/api/probation-reviews/${id}/approve`, { outcome: 'confirm', signature });
    expect(await notificationsOf(id)).toEqual([['probation_review_approved', 'record', otherHr.user_id]]);
    expect(await taskOf(asForeman, id)).toEqual([]);
    for (const client of [asHr, await as(otherHr.user_id)])
      expect(await taskOf(client, id)).toEqual(['probation_record_acknowledgement']);
  });

  test('is the same for a review on the way, which HR shares', async () => {
    const { id: employee_id } = await worker();
    const { id } = await probation.review({
      status: 'submitted',
      milestone: 'midpoint',
      recommendation: null,
      employee_id,
      reviewer: foreman,
    });
    expect((await asHr.post(`/api/probation-reviews/${id}/share`, {})).status).toBe(200);
    expect(await notificationsOf(id)).toEqual([['probation_review_shared', 'record', foreman.user_id]]);
    expect((await record(id)).body.data).toMatchObject({ milestone: 'midpoint', talked_on: today });
  });
});

describe('an acknowledgement', () => {
  test('needs the signed sheet and a possible day', async () => {
    const { id } = await decided();
    await unchanged(id, async () => {
      const without = await asForeman.post(`/api/probation-reviews/${id}/record-acknowledgement`, { talked_on: today });
      expect([without.status, Object.keys(without.body.errors ?? {})]).toEqual([422, ['file']]);
      const wrong: [Record<string, string>, string[]][] = [
        [{ talked_on: '' }, ['talked_on']],
        [{ talked_on: dayFromNow(1) }, ['talked_on']],
        [{ talked_on: dayFromNow(-30) }, ['talked_on']],
        [{ comment: 'x'.repeat(5_001) }, ['comment']],
        [{ revision: '77' }, ['status']],
      ];
      for (const [fields, names] of wrong) {
        const answer = await record(id, fields);
        expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, names]);
      }
      const script = await record(id, {}, asForeman, Buffer.from('<script>'));
      expect([script.status, Object.keys(script.body.errors)]).toEqual([422, ['file']]);
    });
  });

  test('is recorded by the reviewer or HR in scope only, once', async () => {
    const { id, employee_id } = await decided();
    await unchanged(id, async () => {
      expect((await record(id, {}, await as(colleague.user_id))).status).toBe(403);
      expect((await record(id, {}, await as(foreignHr.user_id))).status).toBe(404);
    });
    const done = await record(id, { comment: 'I would like a mentor.' });
    expect([done.status, done.body.message]).toEqual([200, 'Acknowledgement recorded successfully.']);
    expect(done.body.data).toMatchObject({
      status: 'approved',
      employee_acknowledged_at: expect.any(String),
      employee_comment: 'I would like a mentor.',
      talked_on: today,
      acknowledgement_recorded_by: { user_id: foreman.user_id },
      sheet: { file_name: 'sheet.pdf', mime_type: 'application/pdf', scan_status: 'not_scanned' },
    });
    expect(JSON.stringify(done.body)).not.toContain('file_key');
    expect(await historyOf(id)).toEqual([['record-acknowledgement', 'approved', 'approved', null, 1, foreman.user_id]]);
    expect(await taskOf(asForeman, id)).toEqual([]);
    expect(await notificationsOf(id)).toEqual([]);
    const { rows } = await owner.query(
      `select changes from audit_log where action = 'probation_review.record-acknowledgement' and subject_id = $1`,
      [id],
    );
    expect(rows[0]?.changes).toMatchObject({ talked_on: { from: null, to: today } });
    await unchanged(id, async () => {
      const again = await record(id, {}, asHr);
      expect([again.status, again.body.message]).toEqual([422, 'This review has already been acknowledged.']);
    });
    await addressFor(employee_id, 'late@works.example');
    const own = await as(await accountOf(employee_id));
    expect(await taskOf(own, id)).toEqual([]);
    expect((await own.post(`/api/probation-reviews/${id}/acknowledge`)).status).toBe(422);
    expect(await read(id, own)).toMatchObject({ talked_on: today, sheet: { file_name: 'sheet.pdf' } });
  });

  test('is refused of a review that is not decided, or of a person with a sign-in', async () => {
    const submitted = await probation.review({
      status: 'submitted',
      employee_id: (await worker()).id,
      reviewer: foreman,
    });
    const early = await record(submitted.id, {}, asHr);
    expect([early.status, early.body.status]).toEqual([422, 'submitted']);
    const clerk = await probation.person({ department_id: hall.id });
    const { id } = await probation.review({ status: 'approved', employee: clerk, reviewer: foreman });
    const refused = await record(id);
    expect([refused.status, refused.body.message]).toEqual([
      422,
      'The employee has a sign-in, so they acknowledge the review themselves.',
    ]);
    expect((await record(id, {}, await as(clerk.user_id))).status).toBe(403);
    expect((await read(id)).allowed_actions).not.toContain('record-acknowledgement');
  });
});

describe('the signed sheet', () => {
  test('is for readers of the result, and each download by another reader is in the log', async () => {
    const { id } = await decided();
    await record(id);
    const url = `/api/probation-reviews/${id}/sheet`;
    const mine = await asForeman.get(url);
    expect([mine.status, mine.headers['content-type'], mine.bytes.toString()]).toEqual([200, 'application/pdf', pdf]);
    expect((await asHr.get(url)).status).toBe(200);
    for (const { user_id } of [colleague, foreignHr]) expect((await (await as(user_id)).get(url)).status).toBe(404);
    expect((await auditOf('probation_review', id)).slice(1)).toEqual(['probation_review.sheet']);
    const { id: without } = await decided();
    expect((await asHr.get(`/api/probation-reviews/${without}/sheet`)).status).toBe(404);
  });
});

describe('an address', () => {
  test('ends the task to record, which returns when the address is removed before the first sign-in', async () => {
    const { id, employee_id, revision } = await decided();
    await addressFor(employee_id, 'worker@works.example');
    expect(await taskOf(asForeman, id)).toEqual([]);
    expect((await record(id)).body.message).toBe(
      'The employee has a sign-in, so they acknowledge the review themselves.',
    );
    expect((await addressFor(employee_id, null)).status).toBe(200);
    expect(await taskOf(asForeman, id)).toEqual(['probation_record_acknowledgement']);
    // a form that was open meanwhile is not stale
    expect((await record(id, { revision: String(revision) }, asHr)).status).toBe(200);
  });

  test('makes the acknowledgement a task of the person', async () => {
    const { id, employee_id } = await decided();
    await addressFor(employee_id, 'own@works.example');
    const own = await as(await accountOf(employee_id));
    expect(await taskOf(own, id)).toEqual(['probation_acknowledge']);
    expect((await record(id, {}, own)).status).toBe(403);
    expect((await own.post(`/api/probation-reviews/${id}/acknowledge`, { comment: 'Read.' })).status).toBe(200);
    expect(await read(id)).toMatchObject({ talked_on: null, acknowledgement_recorded_by: null, sheet: null });
  });
});

test('documents and the export say who recorded it', async () => {
  const open = await decided();
  const { id, employee_id } = await decided();
  await record(id, { comment: 'Thank you.' });
  for (const one of [open.id, id])
    expect((await asHr.get(`/api/probation-reviews/${one}/letter?kind=review_record`)).status).toBe(200);
  const file = await asHr.get(`/api/probation-reviews/export?employee_id=${employee_id}`);
  const rows = parse(file.bytes, { columns: true, bom: true }) as Record<string, string>[];
  expect(rows.map((row) => [row['acknowledged_on'], row['acknowledgement_recorded_by']])).toEqual([
    [today, (await read(id)).acknowledgement_recorded_by.name],
  ]);
});

test('a person who has left is no task any more, and the acknowledgement can still be recorded', async () => {
  const { id, employee_id } = await decided();
  await owner.query("update employees set activity_status = 'inactive' where id = $1", [employee_id]);
  expect(await taskOf(asForeman, id)).toEqual([]);
  expect((await record(id)).status).toBe(200);
});
