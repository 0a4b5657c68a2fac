import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { reviewTesting } from '../../testing/reviews.ts';
import { cancelOpenReviewsOf } from './bulk-transitions.ts';

/** Manual opening, other reviewers, cancelling, removal, and who decides in rare cases. */

const app = await startApp();
const { as, make, deps, owner } = app;
const probation = probationMaker(app);
const { rowOf, historyOf, notificationsOf, auditOf, signaturesOf, personOf, unchanged } = reviewTesting(app);

const manager = await make.employee({ roles: ['Manager'] });
const other = await make.employee({ roles: ['TeamLead'] });
const hrPerson = await make.employee({ roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const reviewer = await as(manager.user_id);
const signature = { method: 'typed', typed_name: 'A Signature' };

const counts = async () =>
  (await owner.query('select (select count(*) from probation_reviews) as r, (select count(*) from audit_log) as a'))
    .rows;
const refused = async (body: object, errors: object) => {
  const before = await counts();
  const answer = await hr.post('/api/probation-reviews', body);
  expect([answer.status, answer.body.errors]).toEqual([422, errors]);
  expect(await counts()).toEqual(before);
};

test.each([
  ['somebody confirmed', { employment_lifecycle: 'confirmed' }, 'This employee is not on probation.'],
  ['somebody inactive', { activity_status: 'inactive' }, 'This person is no longer active.'],
  ['somebody who joins later', { joining_date: dayFromNow(9) }, 'This person has not joined yet.'],
  ['a probation without an end', { probation_end_date: null }, 'This probation has no end date.'],
])('%s gets no review', async (_name, fields, message) => {
  const { id } = await probation.person(fields);
  const before = await counts();
  const answer = await hr.post('/api/probation-reviews', { employee_id: id });
  expect([answer.status, answer.body.errors]).toEqual([422, { employee_id: [message] }]);
  expect(await counts()).toEqual(before);
});

test('one review is open for a person, and one decides on an end', async () => {
  const employee = await probation.person();
  const { id } = await probation.review({ employee });
  await refused({ employee_id: employee.id }, { employee_id: ['This employee already has an open probation review.'] });
  await owner.query("update probation_reviews set status = 'cancelled' where id = $1", [id]);
  const again = await hr.post('/api/probation-reviews', { employee_id: employee.id });
  expect([again.status, again.body.data.sequence]).toEqual([201, 2]);
  const decided = await probation.person();
  await probation.review({ employee: decided, status: 'approved' });
  await refused({ employee_id: decided.id }, { employee_id: ['A decision has already been made on this probation.'] });
  await refused({ employee_id: 987_654 }, { employee_id: ['This employee isn’t available. Select another one.'] });
});

test('the reviewer is the reporting manager, else the manager of the department, else missing', async () => {
  const open = async (fields: object) => {
    const { id } = await probation.person(fields);
    return (await hr.post('/api/probation-reviews', { employee_id: id })).body.data;
  };
  const led = await make.department({ manager_id: other.id });
  expect((await open({ reporting_manager_id: manager.id, department_id: led.id })).reviewer_id).toBe(manager.id);
  expect((await open({ department_id: led.id })).reviewer_id).toBe(other.id);
  const unable = await make.employee({ roles: ['Employee'] });
  const gone = await make.employee({ roles: ['Manager'], activity_status: 'inactive' });
  expect((await open({ reporting_manager_id: unable.id, department_id: led.id })).reviewer_id).toBe(other.id);
  expect((await open({ reporting_manager_id: gone.id, department_id: led.id })).reviewer_id).toBe(other.id);
  const without = await open({});
  expect(without.reviewer_id).toBeNull();
  expect((await rowOf(without.id))['reviewer_missing_since']).not.toBeNull();
});

test('a chosen reviewer may review and is not the person; a due day fits the probation', async () => {
  const { id } = await probation.person();
  const unable = await make.employee();
  const gone = await make.employee({ roles: ['Manager'], activity_status: 'inactive' });
  for (const reviewer_id of [id, unable.id, gone.id, 987_654])
    await refused(
      { employee_id: id, reviewer_id },
      { reviewer_id: ['This reviewer isn’t available. Select another one.'] },
    );
  await refused(
    { employee_id: id, due_date: dayFromNow(31) },
    { due_date: [`The due date field must be a date before or equal to ${dayFromNow(30)}.`] },
  );
  await refused({ employee_id: id, due_date: dayFromNow(-1) }, { due_date: ['The due date can’t be in the past.'] });
  const overdue = await probation.person({ probation_end_date: dayFromNow(-3) });
  const late = await hr.post('/api/probation-reviews', { employee_id: overdue.id });
  expect(late.body.data).toMatchObject({ due_date: dayFromNow(0) });
  const body = { employee_id: id, reviewer_id: other.id, due_date: dayFromNow(30), review_date: dayFromNow(12) };
  const chosen = await hr.post('/api/probation-reviews', body);
  expect(chosen.body.data).toMatchObject({ reviewer_id: other.id, due_date: dayFromNow(30) });
});

test('another reviewer begins with an empty form; both hear of it, the former one sees nothing any more', async () => {
  const { id } = await probation.review({ reviewer: manager, comments: 'Not meant for others.', signed: ['manager'] });
  const path = `/api/probation-reviews/${id}`;
  await unchanged(id, async () => {
    const same = await hr.put(`${path}/reviewer`, { reviewer_id: manager.id });
    expect(same.body.errors).toEqual({ reviewer_id: ['This person is already the reviewer.'] });
    expect((await hr.put(`${path}/reviewer`, { reviewer_id: (await rowOf(id))['employee_id'] })).status).toBe(422);
  });
  const changed = await hr.put(`${path}/reviewer`, { reviewer_id: other.id });
  expect(changed.body.data.reviewer_id).toBe(other.id);
  expect((await (await as(other.user_id)).get(path)).body.data).toMatchObject({ comments: null });
  expect((await reviewer.get(path)).status).toBe(404);
  expect(await signaturesOf(id)).toEqual([['manager', 1, false]]);
  expect(await notificationsOf(id)).toEqual(
    expect.arrayContaining([
      ['probation_reviewer_changed', 'plain', other.user_id],
      ['probation_reviewer_changed', 'former', manager.user_id],
    ]),
  );
});

test('a reviewer who left does not keep others from going on', async () => {
  const leaver = await make.employee({ roles: ['Manager'] });
  const { id } = await probation.review({ reviewer: leaver });
  await owner.query("update employees set activity_status = 'inactive' where id = $1", [leaver.id]);
  expect((await rowOf(id))['reviewer_missing_since']).not.toBeNull();
  expect((await hr.put(`/api/probation-reviews/${id}/reviewer`, { reviewer_id: other.id })).status).toBe(200);
  expect((await rowOf(id))['reviewer_missing_since']).toBeNull();
});

test('only an untouched review is removed', async () => {
  const { id } = await probation.review({ reviewer: manager });
  const path = `/api/probation-reviews/${id}`;
  await reviewer.put(path, { comments: 'Begun.' });
  await unchanged(id, async () => {
    const answer = await hr.delete(path);
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { probation_review: ['This review already has content, so it can only be cancelled.'] },
    ]);
  });
  const { id: fresh } = await probation.review({ reviewer: manager });
  expect((await hr.delete(`/api/probation-reviews/${fresh}`)).status).toBe(204);
  expect(await auditOf('probation_review', fresh)).toEqual(['probation_review.delete']);
  expect((await hr.get(`/api/probation-reviews/${fresh}`)).status).toBe(404);
});

test('open reviews of people who leave are cancelled together, what is decided stays', async () => {
  const made = [
    await probation.review({ reviewer: manager }),
    await probation.review({ reviewer: manager, status: 'submitted' }),
    await probation.review({ reviewer: manager, status: 'sent_back' }),
  ];
  const decided = await probation.review({ reviewer: manager, status: 'approved' });
  const acting = { db: deps.db, actor: { user_id: hrPerson.user_id, name: 'Hana Ito' } };
  const people = [...made, decided].map(({ employee_id }) => employee_id);
  expect(await cancelOpenReviewsOf(acting, people)).toBe(3);
  const ends = 'The employment ends.';
  for (const { id, status, round } of made) {
    expect(await rowOf(id)).toMatchObject({ status: 'cancelled', cancel_reason: ends });
    expect(await historyOf(id)).toEqual([['cancel', status, 'cancelled', ends, round, hrPerson.user_id]]);
    expect(await notificationsOf(id)).toEqual([['probation_review_cancelled', 'plain', manager.user_id]]);
  }
  expect((await rowOf(decided.id))['status']).toBe('approved');
  expect(await cancelOpenReviewsOf(acting, people)).toBe(0);
});

test('HR that reviews is not asked to decide, other HR is', async () => {
  const alone = await make.entity();
  const onlyHr = await make.employee({ entity_id: alone.id, roles: ['HR'] });
  const employee = await probation.person({ entity_id: alone.id });
  const { id } = await probation.review({ employee, reviewer: onlyHr });
  const body = { performance_rating: 4, comments: 'Fine.', recommendation: 'confirm', signature };
  expect((await (await as(onlyHr.user_id)).post(`/api/probation-reviews/${id}/submit`, body)).status).toBe(200);
  const notified = (await notificationsOf(id)).map(([, , user]) => user);
  expect(notified).toContain(hrPerson.user_id);
  expect(notified).not.toContain(onlyHr.user_id);
});

test('who signed it as reviewer does not decide after handing it over', async () => {
  const [author, heir] = [
    await make.employee({ roles: ['HR', 'Manager'] }),
    await make.employee({ roles: ['Manager'] }),
  ];
  const { id } = await probation.review({ reviewer: author });
  const path = `/api/probation-reviews/${id}`;
  const signer = await as(author.user_id);
  const body = { performance_rating: 4, comments: 'Fine.', recommendation: 'confirm', signature };
  expect((await signer.post(`${path}/submit`, body)).status).toBe(200);
  const leave = { type: 'resigned', last_working_date: dayFromNow(20), reason: 'Another job', reassign_to: heir.id };
  expect((await hr.post(`/api/employees/${author.id}/separate`, leave)).status).toBe(200);
  expect(await rowOf(id)).toMatchObject({ reviewer_id: String(heir.id), status: 'submitted' });
  expect((await signer.get(path)).body.data.allowed_actions).not.toContain('approve');
  expect((await hr.get(path)).body.data.allowed_actions).toContain('approve');
  await unchanged(id, async () => {
    for (const [step, sent] of Object.entries({ approve: { signature }, 'send-back': { reason: 'Not good enough' } }))
      expect([step, (await signer.post(`${path}/${step}`, sent)).status]).toEqual([step, 403]);
  });
});

test('the extension cap of the company binds recommendation and decision', async () => {
  const strict = await make.entity({ probation_max_extensions: 0 });
  const employee = await probation.person({ entity_id: strict.id });
  const { id } = await probation.review({ employee, reviewer: manager });
  const path = `/api/probation-reviews/${id}`;
  const body = { performance_rating: 2, comments: 'Not yet.', signature };
  await unchanged(id, async () => {
    const extend = { ...body, recommendation: 'extend', extension_months: 3 };
    expect((await reviewer.post(`${path}/submit`, extend)).body.errors).toEqual({
      recommendation: ['This probation can’t be extended any further.'],
    });
  });
  expect((await reviewer.post(`${path}/submit`, { ...body, recommendation: 'confirm' })).status).toBe(200);
  await unchanged(id, async () => {
    const decision = { outcome: 'extend', outcome_extension_months: 1, hr_comments: 'More time.', signature };
    expect((await hr.post(`${path}/approve`, decision)).body.errors).toEqual({
      outcome: ['This probation can’t be extended any further.'],
    });
  });
});

test('the last administrator who stays is not let go by a review', async () => {
  const leaving = await make.employee({
    roles: ['Admin'],
    employment_lifecycle: 'resigned',
    last_working_date: dayFromNow(20),
  });
  const boss = await probation.person({ roles: ['Admin'] });
  const { id } = await probation.review({ employee: boss, reviewer: manager, status: 'submitted' });
  const client = await as(leaving.user_id);
  const decision = { outcome: 'terminate', hr_comments: 'It did not work out.', signature };
  await unchanged(id, async () => {
    const answer = await client.post(`/api/probation-reviews/${id}/approve`, decision);
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { status: ['There must always be at least one active administrator.'] },
    ]);
  });
  await make.admin();
  expect((await client.post(`/api/probation-reviews/${id}/approve`, decision)).status).toBe(200);
  expect((await personOf(boss.id))['employment_lifecycle']).toBe('terminated');
});

test('the review of an administrator notifies administrators, not HR', async () => {
  const [root, boss] = [await make.admin(), await probation.person({ roles: ['Admin'] })];
  const { id } = await probation.review({ reviewer: manager, employee: boss });
  const body = { performance_rating: 4, comments: 'Fine.', recommendation: 'confirm', signature };
  expect((await reviewer.post(`/api/probation-reviews/${id}/submit`, body)).status).toBe(200);
  const notified = (await notificationsOf(id)).map(([, , user]) => user);
  expect(notified).toContain(root.user_id);
  for (const { user_id } of [hrPerson, boss]) expect(notified).not.toContain(user_id);
});
