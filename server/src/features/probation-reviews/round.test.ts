import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { reviewTesting } from '../../testing/reviews.ts';

/** A review from its opening to the employee's response to the result. */

const app = await startApp();
const { as, make } = app;
const probation = probationMaker(app);
const { rowOf, historyOf, notificationsOf, signaturesOf, auditOf, personOf, unchanged } = reviewTesting(app);

const manager = await make.employee({ roles: ['Manager'] });
const hrPerson = await make.employee({ roles: ['HR'] });
const colleagueOfHr = await make.employee({ roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const reviewer = await as(manager.user_id);
const person = (fields = {}) => probation.person({ reporting_manager_id: manager.id, ...fields });

const typed = (name: string) => ({ method: 'typed', typed_name: name });
const written = {
  performance_rating: 4,
  strengths: 'Learns fast.',
  comments: 'Ready to be confirmed.',
  recommendation: 'confirm',
};

test('from opening over a return and a recall to the decision and its acknowledgement', async () => {
  const lena = await person();
  const opened = await hr.post('/api/probation-reviews', { employee_id: lena.id });
  expect([opened.status, opened.body.message]).toEqual([201, 'Probation review created successfully.']);
  const { id } = opened.body.data;
  expect(opened.body.data).toMatchObject({
    status: 'pending',
    reviewer_id: manager.id,
    sequence: 1,
    due_date: dayFromNow(23),
    probation_end_date: dayFromNow(30),
  });
  const path = `/api/probation-reviews/${id}`;
  expect(await notificationsOf(id)).toEqual([['probation_review_created', 'plain', manager.user_id]]);

  const draft = await reviewer.put(path, { performance_rating: 3, comments: 'So far.' });
  expect([draft.status, draft.body.data.comments]).toEqual([200, 'So far.']);
  // a draft leaves no history, and only its author can read it
  expect([(await historyOf(id)).length, (await auditOf('probation_review', id)).length]).toEqual([1, 1]);
  expect((await hr.get(path)).body.data).not.toHaveProperty('comments');

  const handedIn = await reviewer.post(`${path}/submit`, { ...written, signature: typed('Omar Diaz') });
  expect([handedIn.status, handedIn.body.data.status, handedIn.body.data.signatures.length]).toEqual([
    200,
    'submitted',
    1,
  ]);
  expect((await hr.get(path)).body.data).toMatchObject({
    comments: written.comments,
    allowed_actions: ['send-back', 'approve', 'cancel'],
  });

  const back = await hr.post(`${path}/send-back`, { reason: 'Please say more about teamwork.' });
  expect([back.status, back.body.data.status, back.body.data.round]).toEqual([200, 'sent_back', 2]);
  expect(await signaturesOf(id)).toEqual([['manager', 1, false]]);

  const again = await reviewer.post(`${path}/submit`, { comments: 'Works well with all.', signature: typed('Omar') });
  expect(again.body.data).toMatchObject({ status: 'submitted', round: 2, performance_rating: 4 });
  const recalled = await reviewer.post(`${path}/recall`, {});
  expect(recalled.body.data).toMatchObject({ status: 'pending', submitted_at: null });
  expect((await hr.get(path)).body.data).not.toHaveProperty('comments');
  expect((await reviewer.post(`${path}/submit`, { signature: typed('Omar') })).status).toBe(200);

  const decided = await hr.post(`${path}/approve`, {
    effective_date: dayFromNow(0),
    hr_comments: 'Well done.',
    signature: typed('Hana Ito'),
  });
  expect([decided.status, decided.body.message]).toEqual([200, 'Probation decided successfully.']);
  expect(decided.body.data).toMatchObject({ status: 'approved', outcome: 'confirm', effective_date: dayFromNow(0) });
  expect(await personOf(lena.id)).toMatchObject({
    employment_lifecycle: 'confirmed',
    confirmation_date: dayFromNow(0),
  });

  const subject = await as(lena.user_id);
  expect((await subject.get(path)).body.data.allowed_actions).toEqual(['signatures', 'acknowledge']);
  const read = await subject.post(`${path}/acknowledge`, { comment: 'Thank you.', signature: typed('Lena Park') });
  expect(read.body.data).toMatchObject({ status: 'approved', employee_comment: 'Thank you.' });
  const twice = await subject.post(`${path}/acknowledge`, {});
  expect([twice.status, twice.body.errors]).toEqual([
    422,
    { status: ['You have already acknowledged this decision.'] },
  ]);

  const actions = ['create', 'submit', 'send-back', 'submit', 'recall', 'submit', 'approve', 'acknowledge'];
  expect((await historyOf(id)).map(([action]) => action)).toEqual(actions);
  expect(await auditOf('probation_review', id)).toEqual(actions.map((action) => `probation_review.${action}`));
  expect((await signaturesOf(id)).filter(([, , valid]) => valid)).toEqual([
    ['manager', 2, true],
    ['hr', 2, true],
    ['employee', 2, true],
  ]);
  expect(await auditOf('employee', lena.id)).toEqual(['employee.confirmed']);
  const events = (await notificationsOf(id)).map(([event, variant, user]) => [event, variant, user]);
  expect(events.filter(([event]) => event === 'probation_review_submitted').map(([, , user]) => user)).toEqual(
    expect.arrayContaining([hrPerson.user_id, colleagueOfHr.user_id]),
  );
  expect(events.slice(-2)).toEqual(
    expect.arrayContaining([
      ['probation_review_approved', 'own', lena.user_id],
      ['probation_review_approved', 'plain', manager.user_id],
    ]),
  );
});

test.each([
  [{ performance_rating: null }, 'performance_rating', 'The performance rating field is required.'],
  [{ comments: null }, 'comments', 'The overall assessment field is required.'],
  [{ recommendation: null }, 'recommendation', 'The recommendation field is required.'],
  [{ recommendation: 'extend' }, 'extension_months', 'The extension field is required.'],
  [{ extension_months: 2 }, 'extension_months', 'The extension field is prohibited.'],
  [
    { criteria: [{ name: 'Knowledge', weight: 60, rating: 4 }] },
    'criteria',
    'The weights add up to 60.00; they must add up to exactly 100.00.',
  ],
  [
    { criteria: [{ name: 'Knowledge', weight: 100 }] },
    'criteria.0.rating',
    'The criterion 1 rating field is required.',
  ],
  [{ signature: null }, 'signature', 'The signature field is required.'],
  [{ signature: { method: 'typed' } }, 'signature.typed_name', 'The signature typed name field is required.'],
])('a review with %j is not handed in', async (wrong, field, message) => {
  const { id } = await probation.review({ reviewer: manager });
  await unchanged(id, async () => {
    const body = { ...written, signature: typed('Omar Diaz'), ...wrong };
    const answer = await reviewer.post(`/api/probation-reviews/${id}/submit`, body);
    expect([answer.status, answer.body.errors]).toEqual([422, { [field]: [message] }]);
  });
});

test('criteria give a weighted figure, and the rating stays what was entered', async () => {
  const { id } = await probation.review({ reviewer: manager });
  const path = `/api/probation-reviews/${id}`;
  const criteria = [
    { name: 'Knowledge', weight: 60, rating: 4, comment: 'Solid.' },
    { name: 'Teamwork', weight: 40, rating: 3, comment: null },
  ];
  const half = await reviewer.put(path, { criteria: [{ name: 'Knowledge', weight: 60 }], performance_rating: 5 });
  expect(half.body.data).toMatchObject({ criteria_score: null, performance_rating: 5 });
  const full = await reviewer.put(path, { criteria });
  expect(full.body.data).toMatchObject({ criteria, criteria_score: 3.6, performance_rating: 5 });
  const same = await reviewer.put(path, { criteria });
  expect(same.body.data.revision).toBe(full.body.data.revision);
  await unchanged(id, async () => {
    const over = await reviewer.put(path, { criteria: [...criteria, { name: 'More', weight: 0.01 }] });
    expect(over.body.errors).toEqual({
      criteria: ['The weights add up to 100.01; they must add up to exactly 100.00.'],
    });
  });
});

test('a change of what was signed takes the signature away, and without one nothing is handed in', async () => {
  const { id } = await probation.review({ reviewer: manager });
  const path = `/api/probation-reviews/${id}`;
  await reviewer.put(path, written);
  expect((await reviewer.post(`${path}/signatures`, typed('Omar Diaz'))).status).toBe(201);
  await reviewer.put(path, { review_date: dayFromNow(0) });
  expect(await signaturesOf(id)).toEqual([['manager', 1, true]]);
  await reviewer.put(path, { strengths: 'Others.' });
  expect(await signaturesOf(id)).toEqual([['manager', 1, false]]);
  await unchanged(id, async () => {
    expect((await reviewer.post(`${path}/submit`, {})).body.errors).toHaveProperty('signature');
  });
  await reviewer.post(`${path}/signatures`, typed('Omar Diaz'));
  await unchanged(id, async () => {
    expect((await reviewer.post(`${path}/submit`, { comments: 'Changed.' })).body.errors).toHaveProperty('signature');
  });
  expect((await reviewer.post(`${path}/submit`, {})).status).toBe(200);
});

test('two people save at once: the later one hears of the earlier one and changes nothing', async () => {
  const { id, revision } = await probation.review({ reviewer: manager });
  const path = `/api/probation-reviews/${id}`;
  expect((await hr.put(path, { due_date: dayFromNow(5), revision })).status).toBe(200);
  await unchanged(id, async () => {
    const late = await reviewer.put(path, { comments: 'Mine.', revision });
    expect([late.status, late.body]).toEqual([
      422,
      expect.objectContaining({ status: 'pending', revision: revision + 1, errors: { status: [expect.any(String)] } }),
    ]);
  });
  expect((await rowOf(id))['comments']).toBeNull();
});

test('the two dates are HR’s, the form is the reviewer’s', async () => {
  const { id } = await probation.review({ reviewer: manager, comments: 'Draft.' });
  const path = `/api/probation-reviews/${id}`;
  const moved = await hr.put(path, { due_date: dayFromNow(10), review_date: dayFromNow(8) });
  expect(moved.body.data).toMatchObject({ due_date: dayFromNow(10), review_date: dayFromNow(8) });
  expect((await historyOf(id)).map(([action]) => action)).toEqual(['update']);
  expect(await auditOf('probation_review', id)).toEqual(['probation_review.update']);
  expect((await reviewer.put(path, { review_date: dayFromNow(9), due_date: dayFromNow(10) })).status).toBe(200);
  await unchanged(id, async () => {
    expect((await reviewer.put(path, { due_date: dayFromNow(20) })).status).toBe(403);
    // repeating the words of the draft is refused like any others, so that its content cannot be guessed
    for (const comments of ['Draft.', 'Other.']) expect((await hr.put(path, { comments })).status).toBe(403);
    for (const [due_date, message] of [
      [dayFromNow(-1), `The due date field must be a date after or equal to ${dayFromNow(0)}.`],
      [dayFromNow(31), `The due date field must be a date before or equal to ${dayFromNow(30)}.`],
    ])
      expect((await hr.put(path, { due_date })).body.errors).toEqual({ due_date: [message] });
  });
});

test('a draft of a review that is with HR is refused with its state', async () => {
  const { id } = await probation.review({ reviewer: manager, status: 'submitted' });
  await unchanged(id, async () => {
    const answer = await reviewer.put(`/api/probation-reviews/${id}`, { comments: 'Late.' });
    expect([answer.status, answer.body.errors]).toEqual([422, { status: ['This review is with HR.'] }]);
  });
});
