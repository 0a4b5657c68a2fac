import { expect, test, vi } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { dayFromNow } from '../../testing/make-kpi.ts';
import { sorted } from '../../testing/evaluations.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { reviewTesting } from '../../testing/reviews.ts';

/** Two people act at the same moment: one succeeds, and the other's attempt leaves nothing behind. */

const app = await startApp();
const { as, make, owner } = app;
const probation = probationMaker(app);
const { rowOf, personOf, historyOf, signaturesOf, jobHistoryOf, auditOf } = reviewTesting(app);

const manager = await make.employee({ roles: ['Manager'] });
const other = await make.employee({ roles: ['Manager'] });
const [hana, hugo] = [await make.employee({ roles: ['HR'] }), await make.employee({ roles: ['HR'] })];
const [first, second] = [await as(hana.user_id), await as(hugo.user_id)];
const reviewer = await as(manager.user_id);
const signature = { method: 'typed', typed_name: 'A Signature' };
const because = { reason: 'Agreed with everybody.' };

const rounds = Array.from({ length: 3 }, (_, n) => n);
const submitted = (fields = {}) => probation.review({ reviewer: manager, status: 'submitted', ...fields });
const post = (client: Client, id: number, step: string, body: object) =>
  client.post(`/api/probation-reviews/${id}/${step}`, body);

test.each(rounds)('two HR people decide differently at once: one decision counts (%i)', async () => {
  const { id, employee_id } = await submitted();
  const answers = await Promise.all([
    post(first, id, 'approve', { effective_date: dayFromNow(0), signature }),
    post(second, id, 'approve', { outcome: 'terminate', hr_comments: 'It did not work out.', signature }),
  ]);
  const winner = answers[0]?.status === 200 ? 0 : 1;
  expect(sorted(answers.map(({ status }) => status))).toEqual([200, 422]);
  expect(answers[1 - winner]?.body).toMatchObject({
    errors: { status: ['A decision has already been made on this review.'] },
    status: 'approved',
    revision: 2,
  });
  const row = await rowOf(id);
  const outcome = ['confirm', 'terminate'][winner];
  expect([row['outcome'], Number(row['decided_by'])]).toEqual([outcome, [hana, hugo][winner]?.user_id]);
  expect((await personOf(employee_id))['employment_lifecycle']).toBe(['confirmed', 'terminated'][winner]);
  expect((await historyOf(id)).map(([action]) => action)).toEqual(['approve']);
  expect((await signaturesOf(id)).filter(([role]) => role === 'hr')).toHaveLength(1);
  expect(await jobHistoryOf(employee_id)).toHaveLength(1);
  expect(await auditOf('employee', employee_id)).toHaveLength(1);
});

test.each(rounds)('a decision and a return at once: one of them counts (%i)', async () => {
  const { id } = await submitted();
  const answers = await Promise.all([
    post(first, id, 'approve', { signature }),
    post(second, id, 'send-back', because),
  ]);
  expect(sorted(answers.map(({ status }) => status))).toEqual([200, 422]);
  expect((await historyOf(id)).map(([action]) => action)).toEqual([
    answers[0]?.status === 200 ? 'approve' : 'send-back',
  ]);
});

test.each(rounds)('a decision and a recall at once: one of them counts (%i)', async () => {
  const { id } = await submitted();
  const answers = await Promise.all([post(first, id, 'approve', { signature }), post(reviewer, id, 'recall', {})]);
  expect(sorted(answers.map(({ status }) => status))).toEqual([200, 422]);
  expect((await rowOf(id))['status']).toBe(answers[0]?.status === 200 ? 'approved' : 'pending');
});

test.each(rounds)(
  'a review handed in while somebody else becomes the reviewer is refused or came first (%i)',
  async () => {
    const employee = await probation.person({ reporting_manager_id: manager.id });
    const { id } = await probation.review({ employee, reviewer: manager });
    const [handedIn, changed] = await Promise.all([
      post(reviewer, id, 'submit', { performance_rating: 4, comments: 'Fine.', recommendation: 'confirm', signature }),
      first.put(`/api/probation-reviews/${id}/reviewer`, { reviewer_id: other.id }),
    ]);
    const row = await rowOf(id);
    if (handedIn?.status === 200) {
      expect([changed?.status, changed?.body.status]).toEqual([422, 'submitted']);
      expect([row['status'], Number(row['reviewer_id'])]).toEqual(['submitted', manager.id]);
    } else {
      // the previous reviewer still manages the person, so the review is visible but not writable
      expect([handedIn?.status, changed?.status]).toEqual([403, 200]);
      expect([row['status'], Number(row['reviewer_id']), row['comments']]).toEqual(['pending', other.id, null]);
      expect(await signaturesOf(id)).toEqual([]);
    }
  },
);

test.each(rounds)('a decision and a separation at once: no deadlock, and the person leaves once (%i)', async () => {
  const { id, employee_id } = await submitted();
  const leaving = { type: 'resigned', last_working_date: dayFromNow(20), ...because };
  const [decided, separated] = await Promise.all([
    post(first, id, 'approve', { outcome: 'terminate', hr_comments: 'It did not work out.', signature }),
    second.post(`/api/employees/${employee_id}/separate`, leaving),
  ]);
  expect(sorted([decided?.status, separated?.status])).toEqual([200, 422]);
  const person = await personOf(employee_id);
  const row = await rowOf(id);
  expect([row['status'], person['employment_lifecycle']]).toEqual(
    decided?.status === 200 ? ['approved', 'terminated'] : ['cancelled', 'resigned'],
  );
});

test.each(rounds)('a confirmation by hand and a new review at once: one of them counts (%i)', async () => {
  const { id } = await probation.person();
  const [opened, confirmed] = await Promise.all([
    first.post('/api/probation-reviews', { employee_id: id }),
    second.post(`/api/employees/${id}/confirm`, { confirmation_date: dayFromNow(0), ...because }),
  ]);
  expect([[opened?.status, confirmed?.status]]).toContainEqual(opened?.status === 201 ? [201, 422] : [422, 200]);
});

test.each(rounds)('two reviews of one person opened at once are one (%i)', async () => {
  const { id } = await probation.person();
  const answers = await Promise.all(
    [first, second].map((client) => client.post('/api/probation-reviews', { employee_id: id })),
  );
  expect(sorted(answers.map(({ status }) => status))).toEqual([201, 422]);
  const refused = answers.find(({ status }) => status === 422);
  expect(refused?.body.errors).toEqual({ employee_id: ['This employee already has an open probation review.'] });
  const { rows } = await owner.query('select 1 from probation_reviews where employee_id = $1', [id]);
  expect(rows).toHaveLength(1);
});

test.each(rounds)('an acknowledgement and a decision taken back at once leave no half of either (%i)', async () => {
  const admin = await as((await make.admin()).user_id);
  const { id, employee_id } = await submitted();
  await post(first, id, 'approve', { effective_date: dayFromNow(0), signature });
  const { rows } = await owner.query<{ user_id: string }>('select user_id from employees where id = $1', [employee_id]);
  const subject = await as(Number(rows[0]?.user_id));
  const [read, reverted] = await Promise.all([
    post(subject, id, 'acknowledge', { comment: 'Thank you.' }),
    post(admin, id, 'revert', { probation_end_date: dayFromNow(30), ...because }),
  ]);
  expect(reverted?.status).toBe(200);
  expect([200, 422]).toContain(read?.status);
  const row = await rowOf(id);
  expect([row['status'], row['employee_acknowledged_at'] !== null]).toEqual(['reverted', read?.status === 200]);
});

test.each(['for update', 'for no key update'])(
  'a reviewer who is made inactive while a review is opened is known to be missing (%s)',
  async (lock) => {
    const boss = await make.employee({ roles: ['Manager'] });
    const { id } = await probation.person({ reporting_manager_id: boss.id });
    const leaving = await owner.connect();
    await leaving.query('begin');
    await leaving.query(`select from employees where id = ${boss.id} ${lock}`);
    await leaving.query(`update employees set activity_status = 'inactive' where id = ${boss.id}`);
    const opening = first.post('/api/probation-reviews', { employee_id: id });
    const waiting = `select from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
    await vi.waitUntil(async () => (await owner.query(waiting)).rows.length > 0, { timeout: 15_000 });
    await leaving.query('commit');
    leaving.release();
    const { status, body } = await opening;
    expect(status).toBe(201);
    expect(await rowOf(body.data.id)).toMatchObject({
      reviewer_id: String(boss.id),
      reviewer_missing_since: expect.any(Date),
      revision: 1,
    });
  },
);
