import { describe, expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import type { Client } from '../../../testing/client.ts';
import { kpiMaker } from '../../../testing/make-kpi.ts';

/** Bulk HR work on evaluations: each by the rules of the single step, in one request. */

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);

const acme = await make.entity({ name: 'Acme Foods' });
const boss = await make.employee({ entity_id: acme.id, roles: ['TeamLead'] });
const hrPerson = await make.employee({ entity_id: acme.id, roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const hrElsewhere = await as(
  (await make.employee({ roles: [{ role: 'HR', entity_ids: [(await make.entity()).id] }] })).user_id,
);
const manager = await as((await make.employee({ entity_id: acme.id, roles: ['Manager'] })).user_id);

const person = () => make.employee({ entity_id: acme.id });
const made = async (status: string, fields: object = {}) =>
  kpi.evaluation({ employee: await person(), reviewer: boss, status: status as 'completed', ...fields });

type Row = { id: number; label: string | null; outcome: string; reason: string | null; revision: number | null };
type Data = { counts: { total: number; changed: number; refused: number }; rows: Row[] };
async function bulk(client: Client, body: object): Promise<Data> {
  const answer = await client.post('/api/kpi-evaluations/bulk', body);
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  return answer.body.data as Data;
}
const outcomes = ({ rows }: Data) => rows.map(({ id, outcome, reason }) => [id, outcome, reason]);
const everything = async () => {
  const { rows } = await owner.query(
    `select (select md5(string_agg(v::text, '|' order by id)) from kpi_evaluations v) as evaluations,
            (select md5(string_agg(i::text, '|' order by id)) from kpi_evaluation_items i) as items,
            (select count(*) from kpi_evaluation_activity) as activity,
            (select count(*) from notifications) as notifications, (select count(*) from audit_log) as audit`,
  );
  return rows[0] as Record<string, unknown>;
};
/** The dry run writes nothing and returns the same as the real run. */
async function dryThenReal(body: object): Promise<Data> {
  const before = await everything();
  const dry = await bulk(hr, { ...body, dry_run: true });
  expect(await everything()).toEqual(before);
  const real = await bulk(hr, body);
  expect([real.counts, outcomes(real)]).toEqual([dry.counts, outcomes(dry)]);
  return real;
}
const read = async (id: number) => (await hr.get(`/api/kpi-evaluations/${id}`)).body.data;
const notified = async (event: string, id: number) => {
  const { rows } = await owner.query(`select user_id from notifications where event = $1 and subject_id = $2`, [
    event,
    id,
  ]);
  return rows.length;
};

describe('releasing results', () => {
  test('takes the step of each, with its own comment and flag or the common and the suggested one', async () => {
    const plain = await made('hr_review', { hr_comment: null, performance_flag: null });
    const drafted = await made('hr_review', { hr_comment: 'Well done.', performance_flag: 'standard' });
    const accepted = await made('accepted');
    const { counts } = await dryThenReal({
      kind: 'hr-review',
      ids: [plain.id, drafted.id, accepted.id, 987_654],
      hr_comment: 'Thank you all.',
    });
    expect(counts).toEqual({ total: 4, changed: 2, refused: 2 });
    const released = await read(plain.id);
    expect(released).toMatchObject({
      status: 'pending_acceptance',
      hr_comment: 'Thank you all.',
      hr_submitted_by: { user_id: hrPerson.user_id },
    });
    expect(released.performance_flag).toBe(released.suggested_flag);
    expect(released.items.map((item: { final_score: number }) => item.final_score)).toEqual(
      released.items.map((item: { manager_score: number }) => item.manager_score),
    );
    expect(await read(drafted.id)).toMatchObject({ status: 'pending_acceptance', hr_comment: 'Well done.' });
    expect(await notified('kpi_hr_review_submitted', plain.id)).toBe(1);
    const { body } = await hr.get(`/api/kpi-evaluations/${plain.id}/activity?action=hr-review`);
    expect(body.data).toHaveLength(1);
  });

  test('gives the same day to answer as the single step', async () => {
    const [one, other] = [await made('hr_review', { hr_comment: null }), await made('hr_review')];
    await bulk(hr, { kind: 'hr-review', ids: [one.id], hr_comment: 'Thank you.' });
    const { suggested_flag } = await read(other.id);
    const single = await hr.post(`/api/kpi-evaluations/${other.id}/hr-review`, {
      hr_comment: 'Thank you.',
      performance_flag: suggested_flag,
    });
    expect(single.status).toBe(200);
    expect((await read(one.id)).acceptance_due_on).toBe(single.body.data.acceptance_due_on);
  });

  test('refuses what the single step refuses, with the reason', async () => {
    const silent = await made('hr_review', { hr_comment: null });
    const unexplained = await made('hr_review', { hr_comment: 'Fine.', performance_flag: 'hipo', flag_reason: null });
    const own = await kpi.evaluation({ employee: hrPerson, reviewer: boss, status: 'hr_review', hr_comment: 'Me.' });
    expect(outcomes(await dryThenReal({ kind: 'hr-review', ids: [silent.id, unexplained.id, own.id] }))).toEqual([
      [silent.id, 'refused', 'Add an HR comment.'],
      [unexplained.id, 'refused', 'Say in the evaluation why its flag differs from the suggested one.'],
      [own.id, 'refused', 'You can’t do this with your own evaluation.'],
    ]);
  });
});

describe('completing', () => {
  test('completes what is accepted and unchanged since the preview', async () => {
    const [ready, changed, open] = [await made('accepted'), await made('accepted'), await made('pending_acceptance')];
    const ids = [ready.id, changed.id, open.id];
    const preview = await bulk(hr, { kind: 'close', ids, dry_run: true });
    expect(preview.rows.map(({ outcome }) => outcome)).toEqual(['changed', 'changed', 'refused']);
    const seen = (id: number) => (id === changed.id ? 1 : 0);
    // as if the second one had been read before its last change
    const revisions = preview.rows.map(({ id, revision }) => ({ id, revision: (revision ?? 0) + seen(id) }));
    const done = await bulk(hr, { kind: 'close', ids, revisions });
    expect(done.rows.map(({ outcome }) => outcome)).toEqual(['changed', 'refused', 'refused']);
    expect([(await read(ready.id)).status, (await read(changed.id)).status]).toEqual(['completed', 'accepted']);
    expect(await notified('kpi_evaluation_completed', ready.id)).toBe(1);
  });

  test('no evaluation of a closed cycle', async () => {
    const closed = await made('accepted');
    await owner.query(
      `update kpi_cycles set status = 'closed' where id = (select cycle_id from kpi_evaluations where id = $1)`,
      [closed.id],
    );
    expect(outcomes(await dryThenReal({ kind: 'close', ids: [closed.id] }))[0]?.[1]).toBe('refused');
  });
});

describe('reminding', () => {
  test('reminds of open steps once in a day', async () => {
    const [open, done] = [await made('self_assessment'), await made('completed')];
    const first = await dryThenReal({ kind: 'remind', ids: [open.id, done.id] });
    expect(first.rows.map(({ outcome }) => outcome)).toEqual(['changed', 'refused']);
    expect(await notified('kpi_deadline_reminder', open.id)).toBe(1);
    expect(outcomes(await bulk(hr, { kind: 'remind', ids: [open.id] }))).toEqual([
      [open.id, 'refused', 'A reminder was sent in the last 24 hours, or no one can be reached.'],
    ]);
  });
});

test('a row beyond the scope looks like one that does not exist', async () => {
  const theirs = await made('accepted');
  const { rows } = await bulk(hrElsewhere, { kind: 'close', ids: [theirs.id, 987_654], dry_run: true });
  expect(rows.map((row) => ({ ...row, id: 0 }))).toEqual(
    [0, 0].map((id) => ({
      id,
      label: null,
      employee_number: null,
      cycle: null,
      status: null,
      revision: null,
      outcome: 'refused',
      reason: 'Not found.',
    })),
  );
});

test('only HR changes many evaluations, at most five thousand', async () => {
  const { id } = await made('accepted');
  expect((await manager.post('/api/kpi-evaluations/bulk', { kind: 'close', ids: [id] })).status).toBe(403);
  const before = await everything();
  const many = Array.from({ length: 5_001 }, (_, index) => index + id);
  const refused = await hr.post('/api/kpi-evaluations/bulk', { kind: 'close', ids: many });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['ids']]);
  expect(await everything()).toEqual(before);
});

test('the list is exported by its filters, with the figures the reader sees', async () => {
  const [one, other] = [await made('completed'), await made('hr_review')];
  const { cycle } = await read(one.id);
  const answer = await hr.get(`/api/kpi-evaluations/export?status=completed&cycle_id=${cycle.id}`);
  expect(answer.status).toBe(200);
  const text = answer.bytes.toString('utf8');
  const label = (await read(one.id)).employee.name as string;
  expect(text).toContain(label);
  expect(text).not.toContain((await read(other.id)).employee.name);
  expect((await hrElsewhere.get('/api/kpi-evaluations/export')).bytes.toString('utf8')).not.toContain(label);
  expect((await manager.get('/api/kpi-evaluations/export')).status).toBe(403);
});
