import { evaluationBulkKinds, evaluationStatuses } from '@tenure/contract';
import type { EvaluationStatus } from '@tenure/contract';
import { describe, expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import type { Client } from '../../../testing/client.ts';
import { evaluationTesting } from '../../../testing/evaluations.ts';
import { dayFromNow, kpiMaker } from '../../../testing/make-kpi.ts';
import type { MadeEvaluation } from '../../../testing/make-kpi.ts';

/** Each bulk step, as HR of one company: it does what the single step does, and refuses the rest. */

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const { rowOf, historyOf, itemsOf, state } = evaluationTesting(app);

const acme = await make.entity({ name: 'Acme Foods' });
const hrRole = [{ role: 'HR' as const, entity_ids: [acme.id] }];
const hrPerson = await make.employee({ entity_id: acme.id, roles: hrRole });
const hr = await as(hrPerson.user_id);
const admin = await as((await make.admin()).user_id);
const leader = () => make.employee({ entity_id: acme.id, roles: ['TeamLead'] });
const [boss, other] = [await leader(), await leader()];
const person = (fields: object = {}) => make.employee({ entity_id: acme.id, ...fields });
type Fields = Parameters<typeof kpi.evaluation>[0];
const made = async (status: EvaluationStatus, fields: Fields = {}) =>
  kpi.evaluation({ employee: await person(), reviewer: boss, status, ...fields });

type Row = { id: number; outcome: string; reason: string | null; revision: number | null };
type Data = {
  counts: { total: number; changed: number; refused: number };
  reasons: { reason: string; count: number }[];
  rows: Row[];
  revisions: { id: number; revision: number }[];
  bulk: { id: number; counts: object; reasons: object[] } | null;
};
const url = '/api/kpi-evaluations/bulk';
async function bulk(body: object, client: Client = hr): Promise<Data> {
  const answer = await client.post(url, body);
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  return answer.body.data as Data;
}
const outcomes = ({ rows }: Data) => rows.map(({ id, outcome, reason }) => [id, outcome === 'changed' ? null : reason]);
const reason = 'Agreed with the works council.';
const later = dayFromNow(12);
const noticesOf = async (userId: number, event: string) =>
  (await owner.query('select variant, params from notifications where user_id = $1 and event = $2', [userId, event]))
    .rows;

/** The input of each bulk step and of its single step. */
const inputs = {
  'hr-review': {
    bulk: { hr_comment: 'Thank you.' },
    single: { hr_comment: 'Thank you.', performance_flag: 'standard' },
  },
  close: { bulk: {}, single: {} },
  remind: { bulk: {}, single: null },
  extend: { bulk: { until: later, reason }, single: { until: later, reason } },
  reviewer: { bulk: { reviewer_id: other.id, reason }, single: { reviewer_id: other.id, reason } },
  'deem-accepted': { bulk: { reason }, single: { reason } },
  cancel: { bulk: { reason }, single: { reason } },
} as const;

const times =
  /(_at|_since|^id|^employee_id|^person_sort|^cycle_id|^template_id|^template_name|_department_id|^department_id)$/;
/** An evaluation, its items and its history, without the values that differ from person to person. */
async function comparable(id: number) {
  const row = Object.fromEntries(Object.entries(await rowOf(id)).filter(([name]) => !times.test(name)));
  return { row, items: (await itemsOf(id)).map((item) => ({ ...item, id: 0 })), history: await historyOf(id) };
}

async function single(kind: keyof typeof inputs, { id }: MadeEvaluation) {
  const path = `/api/kpi-evaluations/${id}/${kind}`;
  const answer = await hr.send(kind === 'reviewer' ? 'PUT' : 'POST', path, { body: inputs[kind].single as object });
  return answer.status;
}

describe.each(evaluationBulkKinds.filter((kind) => kind !== 'remind'))('%s', (kind) => {
  const usual = { hr_comment: null, performance_flag: null, acceptance_due_on: dayFromNow(-1) };
  const fields = (status: EvaluationStatus) => ({
    ...usual,
    // the single step sends what the service suggests
    ...(kind === 'hr-review' && status === 'hr_review' && { suggested_flag: 'standard' as const }),
  });
  test('does and refuses in each state what the single step does and refuses', async () => {
    const one = new Map<EvaluationStatus, MadeEvaluation>();
    const many = new Map<EvaluationStatus, MadeEvaluation>();
    for (const status of evaluationStatuses) {
      one.set(status, await made(status, fields(status)));
      many.set(status, await made(status, fields(status)));
    }
    const ids = [...many.values()].map(({ id }) => id);
    const body = { kind, ids, ...inputs[kind].bulk };
    const first = ids[0] as number;
    const before = await state(first);
    const dry = await bulk({ ...body, dry_run: true });
    expect(await state(first)).toEqual(before);
    const real = await bulk(body);
    expect(outcomes(real)).toEqual(outcomes(dry));
    expect(real.counts.changed).toBeGreaterThan(0);
    expect(dry.revisions.map(({ id }) => id)).toEqual(
      dry.rows.filter(({ outcome }) => outcome === 'changed').map(({ id }) => id),
    );
    for (const [index, [status, evaluation]] of [...one].entries()) {
      const isDone = (await single(kind, evaluation)) === 200;
      expect([status, real.rows[index]?.outcome]).toEqual([status, isDone ? 'changed' : 'refused']);
      expect(await comparable(ids[index] as number)).toEqual(await comparable(evaluation.id));
    }
    expect(real.bulk).toMatchObject({ counts: { ...real.counts, open: 0 } });
  });

  test('never with the own evaluation, one of another company, or one that changed since the preview', async () => {
    const from = { 'hr-review': 'hr_review', close: 'accepted', 'deem-accepted': 'pending_acceptance' } as const;
    const status = kind in from ? from[kind as keyof typeof from] : 'manager_review';
    const mine = await kpi.evaluation({ employee: hrPerson, reviewer: boss, status });
    const theirs = await kpi.evaluation({ employee: await make.employee(), reviewer: boss, status });
    const changed = await made(status, usual);
    const ids = [mine.id, theirs.id, changed.id];
    const revisions = [{ id: changed.id, revision: changed.revision + 1 }];
    expect(outcomes(await bulk({ kind, ids, revisions, ...inputs[kind].bulk }))).toEqual([
      [mine.id, 'You can’t do this with your own evaluation.'],
      [theirs.id, 'Not found.'],
      [changed.id, 'This record has changed in the meantime. Check the latest version and try again.'],
    ]);
    for (const { id, revision } of [mine, theirs, changed]) expect(await rowOf(id)).toMatchObject({ status, revision });
  });
});

describe('what a body needs', () => {
  test.each([
    [{ kind: 'close' }, 'ids'],
    [{ kind: 'close', ids: [1], filter: {} }, 'filter'],
    [{ kind: 'close', ids: [1], except_ids: [1] }, 'except_ids'],
    [{ kind: 'extend', ids: [1] }, 'until'],
    [{ kind: 'reviewer', ids: [1] }, 'reviewer_id'],
    [{ kind: 'reviewer', ids: [1], reviewer_id: 987_654 }, 'reviewer_id'],
    [{ kind: 'reviewer', ids: [1], reviewer_id: hrPerson.id, to_manager: true }, 'reviewer_id'],
    [{ kind: 'deem-accepted', ids: [1] }, 'reason'],
    [{ kind: 'cancel', ids: [1] }, 'reason'],
    [{ kind: 'close', filter: { status: 'lost' } }, 'filter.status'],
  ])('%j is refused', async (body, field) => {
    const answer = await hr.post(url, body);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
  });

  test.each([
    ['cancel', 'kpi-evaluation.force-close'],
    ['reviewer', 'kpi-evaluation.assign-reviewer'],
    ['close', 'kpi-evaluation.hr-review'],
  ])('%s asks for its own permission', async (kind, permission) => {
    const all = ['kpi-evaluation.hr-review', 'kpi-evaluation.assign-reviewer', 'kpi-evaluation.force-close'];
    const name = `All but ${permission}`;
    const permissions = ['kpi-evaluation.view', ...all.filter((one) => one !== permission)];
    expect((await admin.post('/api/roles', { name, scope: 'all', permissions })).status).toBe(201);
    const roles = [{ role: name, entity_ids: [acme.id] }];
    const client = await as((await make.employee({ entity_id: acme.id, roles })).user_id);
    const { id } = await made('accepted');
    expect((await client.post(url, { kind, ids: [id], reason, reviewer_id: other.id })).status).toBe(403);
  });
});

test('a filter means the same evaluations as their ids, in the reach of the user', async () => {
  const { id: cycle_id } = await kpi.cycle();
  const inCycle = async (status: EvaluationStatus) => made(status, { cycle_id });
  const [a, b, c] = [await inCycle('accepted'), await inCycle('accepted'), await inCycle('hr_review')];
  await kpi.evaluation({ cycle_id, employee: await make.employee(), status: 'accepted' });
  const byIds = await bulk({ kind: 'close', ids: [a.id, b.id, c.id], dry_run: true });
  const byFilter = await bulk({ kind: 'close', filter: { cycle_id: String(cycle_id) }, dry_run: true });
  const sorted = (data: Data) => outcomes(data).toSorted(([x], [y]) => Number(x) - Number(y));
  expect([byFilter.counts, sorted(byFilter)]).toEqual([byIds.counts, sorted(byIds)]);
  expect(byFilter.reasons).toEqual([{ reason: 'This evaluation is in HR review.', count: 1 }]);
  const done = await bulk({ kind: 'close', filter: { cycle_id: String(cycle_id) }, except_ids: [b.id] });
  expect(done.counts).toEqual({ total: 2, changed: 1, refused: 1 });
  expect([(await rowOf(a.id))['status'], (await rowOf(b.id))['status']]).toEqual(['completed', 'accepted']);
});

test('a later day is refused where the step is due later anyway, is past, or after the end of the review', async () => {
  const [self, review, response] = [
    await made('self_assessment'),
    await made('manager_review'),
    await made('pending_acceptance'),
  ];
  const ids = [self.id, review.id, response.id];
  const why = async (until: string) => outcomes(await bulk({ kind: 'extend', ids, until, dry_run: true }));
  expect((await why(dayFromNow(-1))).map(([, text]) => text)).toEqual(
    Array(3).fill('The due date can’t be in the past.'),
  );
  const soon = await why(dayFromNow(4));
  expect(soon.map(([, text]) => String(text).includes('when the step is due'))).toEqual([true, true, true]);
  const late = await why(dayFromNow(30));
  expect(late.map(([, text]) => text)).toEqual([
    expect.stringMatching(
      /^The due date field must be \d.* or earlier, because the manager review of the cycle closes then\.$/,
    ),
    null,
    null,
  ]);
});

test('an undecided request for more time is granted by a later day', async () => {
  const asked = { extension_status: 'pending', extension_reason: 'Ill', extension_requests: 1 } as const;
  const { id } = await made('self_assessment', { ...asked, extension_requested_at: new Date().toISOString() });
  await bulk({ kind: 'extend', ids: [id], until: later });
  expect(await rowOf(id)).toMatchObject({
    extension_status: 'approved',
    extension_decided_by: String(hrPerson.user_id),
  });
});

test('the next reviewer is the present manager, where there is one who may review and is not below', async () => {
  const manager = await leader();
  const reportOf = (id: number | null) => person({ reporting_manager_id: id });
  const [fine, none, same] = [await reportOf(manager.id), await reportOf(null), await reportOf(boss.id)];
  const unable = await reportOf((await person()).id);
  const head = await leader();
  const below = await make.employee({ entity_id: acme.id, roles: ['TeamLead'], reporting_manager_id: head.id });
  const byHand = await kpi.evaluation({ employee: head, reviewer: boss, status: 'manager_review' });
  const ids: number[] = [];
  for (const employee of [fine, none, same, unable])
    ids.push((await kpi.evaluation({ employee, reviewer: boss, status: 'manager_review' })).id);
  const data = await bulk({ kind: 'reviewer', ids, to_manager: true });
  expect(data.rows.map((row) => row.reason)).toEqual([
    null,
    'The employee has no manager.',
    'This person is already the reviewer.',
    'This person can’t review the evaluation.',
  ]);
  expect(Number((await rowOf(ids[0] as number))['reviewer_id'])).toBe(manager.id);
  const refused = await bulk({ kind: 'reviewer', ids: [byHand.id], reviewer_id: below.id });
  expect(refused.rows[0]?.reason).toContain('can’t be below the employee');
  const own = await kpi.evaluation({ employee: other, reviewer: boss, status: 'manager_review' });
  expect((await bulk({ kind: 'reviewer', ids: [own.id], reviewer_id: other.id })).rows[0]?.reason).toBe(
    'No one can review their own evaluation.',
  );
});

test('a draft of the former reviewer is kept for the next one', async () => {
  const { id } = await made('manager_review', { strengths: 'Planning' });
  await bulk({ kind: 'reviewer', ids: [id], reviewer_id: other.id });
  expect(await rowOf(id)).toMatchObject({ strengths: null, former_draft: { strengths: 'Planning' } });
});

describe('notifications', () => {
  test('each employee hears of their own result once, with several of them in one', async () => {
    const employee = await person();
    const [one, two] = [await made('hr_review', { employee }), await made('hr_review', { employee })];
    const alone = await person();
    const single = await made('hr_review', { employee: alone });
    await bulk({ kind: 'hr-review', ids: [one.id, two.id, single.id], hr_comment: 'Thank you.' });
    expect(await noticesOf(employee.user_id, 'kpi_hr_review_submitted')).toMatchObject([
      { variant: 'own_several', params: { count: 2 } },
    ]);
    expect(await noticesOf(alone.user_id, 'kpi_hr_review_submitted')).toMatchObject([{ variant: 'own' }]);
    const client = await as(employee.user_id);
    const [shown] = (await client.get('/api/notifications?event=kpi_hr_review_submitted')).body.data;
    expect([shown.title, shown.data.url]).toEqual(['2 of your results are ready', '/kpi/evaluations?tab=mine']);
  });

  test('a reviewer who gets thirty evaluations hears of it once, and so does the former one', async () => {
    const [next, former] = [await leader(), await leader()];
    const ids: number[] = [];
    for (let n = 0; n < 30; n += 1) ids.push((await made('manager_review', { reviewer: former })).id);
    await bulk({ kind: 'reviewer', ids, reviewer_id: next.id });
    expect(await noticesOf(next.user_id, 'kpi_reviewer_changed')).toMatchObject([
      { variant: 'several', params: { count: 30 } },
    ]);
    expect(await noticesOf(former.user_id, 'kpi_reviewer_changed')).toMatchObject([{ variant: 'former_several' }]);
  });

  test('one reminder for all of a reviewer, and none of them again within a day', async () => {
    const reviewer = await leader();
    const ids = [(await made('manager_review', { reviewer })).id, (await made('manager_review', { reviewer })).id];
    await bulk({ kind: 'remind', ids });
    const client = await as(reviewer.user_id);
    const { data } = (await client.get('/api/notifications?event=kpi_deadline_reminder')).body;
    expect(data.map(({ title }: { title: string }) => title)).toEqual(['2 evaluations await your review']);
    expect((await bulk({ kind: 'remind', ids })).counts.changed).toBe(0);
  });
});

test('a cycle may let results with the standard flag do without a comment, in bulk and one by one', async () => {
  const cycle = await kpi.cycle({ hr_comment_optional: true });
  const plain = { cycle_id: cycle.id, hr_comment: null, performance_flag: null, suggested_flag: 'standard' } as const;
  const [first, second] = [await made('hr_review', plain), await made('hr_review', plain)];
  const flagged = await made('hr_review', { ...plain, suggested_flag: 'hipo' });
  const asked = await made('hr_review', { ...plain, cycle_id: (await kpi.cycle()).id });
  const { rows } = await bulk({ kind: 'hr-review', ids: [first.id, flagged.id, asked.id] });
  expect(rows.map((row) => row.reason)).toEqual([null, 'Add an HR comment.', 'Add an HR comment.']);
  const path = (id: number) => `/api/kpi-evaluations/${id}/hr-review`;
  expect((await hr.post(path(second.id), { performance_flag: 'standard' })).status).toBe(200);
  const refused = await hr.post(path(flagged.id), { performance_flag: 'hipo' });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['hr_comment']]);
});

test('the audit log has each step and the change itself', async () => {
  const evaluations = [await made('accepted'), await made('accepted')];
  const { bulk: run } = await bulk({ kind: 'close', ids: evaluations.map(({ id }) => id) });
  const { rows } = await owner.query(
    `select action, count(*)::int from audit_log
     where (action = 'kpi_evaluation_bulk.created' and subject_id = $1)
        or (action = 'kpi_evaluation.close' and subject_id = any($2))
     group by action order by action`,
    [run?.id, evaluations.map(({ id }) => String(id))],
  );
  expect(rows).toEqual([
    { action: 'kpi_evaluation.close', count: 2 },
    { action: 'kpi_evaluation_bulk.created', count: 1 },
  ]);
});
