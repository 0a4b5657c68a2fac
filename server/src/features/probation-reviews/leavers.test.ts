import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Answer } from '../../testing/client.ts';
import type { MadeEmployee } from '../../testing/make.ts';
import { dayFromNow } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { reviewTesting } from '../../testing/reviews.ts';

const app = await startApp();
const { as, make } = app;
const probation = probationMaker(app);
const { rowOf, historyOf, notificationsOf, signaturesOf, unchanged } = reviewTesting(app);

const department = await make.department();
const { id: department_id } = department;
const hr = await as((await make.employee({ department_id, roles: ['HR'] })).user_id);
const admin = await as((await make.admin()).user_id);
const manager = () => make.employee({ department_id, roles: ['Manager'] });
const reviewOf = async (fields: NonNullable<Parameters<typeof probation.review>[0]> = {}) => {
  const employee = fields.employee ?? (await probation.person({ department_id }));
  return { employee, review: await probation.review({ ...fields, employee }) };
};
const ok = ({ status, body }: Answer) => {
  expect([200, 201, 204], JSON.stringify(body)).toContain(status);
  return body?.data;
};
const refused = ({ status, body }: Answer) => {
  expect(status, JSON.stringify(body)).toBe(422);
  return body.errors as Record<string, string[]>;
};
type Listed = { id: number; allowed_actions: string[] };
/** The actions that a list offers for a person. */
const offeredInList = async ({ id, email }: { id: number; email: string }) => {
  const rows = ok(await hr.get(`/api/employees?search=${encodeURIComponent(email)}`)) as Listed[];
  return rows.find((row) => row.id === id)?.allowed_actions;
};
/** The response of an import to another end of a person's probation. */
async function refusedInFile(employee: MadeEmployee, end: string): Promise<string[] | undefined> {
  const { employee_number, entity_id } = ok(await hr.get(`/api/employees/${employee.id}`));
  const content = `employee_number,first_name,last_name,email,probation_end_date\n${employee_number},A,B,${employee.email},${end}\n`;
  const answer = await hr.upload(
    '/api/employees/import',
    { name: 'people.csv', content },
    { dry_run: '1', on_conflict: 'update', defaults: JSON.stringify({ department_id, entity_id }) },
  );
  const rows = ok(await hr.get(`/api/employees/imports/${ok(answer).id}/rows`));
  return rows[0].errors.probation_end_date;
}
const separate = { type: 'resigned', last_working_date: dayFromNow(20), reason: 'Another job' };

describe('a person who leaves', () => {
  test('is not reviewed any more: the open review is cancelled and the reviewer hears of it', async () => {
    const omar = await manager();
    const { employee, review } = await reviewOf({ reviewer: omar, status: 'submitted' });
    ok(await hr.post(`/api/employees/${employee.id}/separate`, separate));
    const ends = 'The employment ends.';
    expect(await rowOf(review.id)).toMatchObject({ status: 'cancelled', cancel_reason: ends });
    expect((await historyOf(review.id)).at(-1)?.slice(0, 4)).toEqual(['cancel', 'submitted', 'cancelled', ends]);
    expect(await notificationsOf(review.id)).toEqual([['probation_review_cancelled', 'plain', omar.user_id]]);
  });

  test('hands over what they review, with an empty form where nothing was handed in', async () => {
    const [omar, nina] = [await manager(), await manager()];
    const draft = await reviewOf({ reviewer: omar, comments: 'Not yet', signed: ['manager'] });
    const sent = await reviewOf({ reviewer: omar, status: 'submitted' });
    const shown = ok(await hr.get(`/api/employees/${omar.id}`));
    expect(shown.responsibilities).toMatchObject({ open_probation_reviews: 2 });
    const consequences = ok(await hr.get(`/api/employees/${omar.id}/consequences`));
    expect(consequences.deactivate.message).toContain('2 open probation reviews');
    expect(consequences.delete.message).toContain('2 probation reviews');
    const path = `/api/employees/${omar.id}/deactivate`;
    await unchanged(draft.review.id, async () => {
      expect(refused(await hr.post(path, { reason: 'On leave for a year' })).status?.[0]).toContain(
        '2 open probation reviews',
      );
    });
    ok(await hr.post(path, { reason: 'On leave for a year', reassign_to: nina.id }));
    expect(await rowOf(draft.review.id)).toMatchObject({ reviewer_id: String(nina.id), comments: null });
    expect(await rowOf(sent.review.id)).toMatchObject({ reviewer_id: String(nina.id), status: 'submitted' });
    expect([await signaturesOf(draft.review.id), await signaturesOf(sent.review.id)]).toEqual([
      [['manager', 1, false]],
      [['manager', 1, true]],
    ]);
    expect(await notificationsOf(draft.review.id)).toEqual([['probation_reviewer_changed', 'plain', nina.user_id]]);
    expect((await historyOf(sent.review.id)).at(-1)?.slice(0, 4)).toEqual([
      'reviewer',
      'submitted',
      'submitted',
      'Responsibilities were reassigned.',
    ]);
  });

  test('hands over to no person who may not review, nor to the person under review', async () => {
    const omar = await manager();
    const boss = await probation.person({ department_id, roles: ['Manager'] });
    const { review } = await reviewOf({ reviewer: omar, employee: boss });
    const plain = await make.employee({ department_id });
    const path = `/api/employees/${omar.id}/deactivate`;
    await unchanged(review.id, async () => {
      expect(
        refused(await hr.post(path, { reason: 'On leave for a year', reassign_to: plain.id })).reassign_to,
      ).toEqual([
        'The selected successor can’t take over probation reviews: they don’t have permission to submit them.',
      ]);
      expect(refused(await hr.post(path, { reason: 'On leave for a year', reassign_to: boss.id })).reassign_to).toEqual(
        ['The selected successor can’t take over their own probation review.'],
      );
    });
  });

  test('hands over nothing about the actor, who does not learn that it exists', async () => {
    const [omar, nina] = [await manager(), await manager()];
    const mine = await probation.person({ department_id, roles: ['HR'] });
    const own = await as(mine.user_id);
    const others = await reviewOf({ reviewer: omar });
    const notified = async () => [
      ok(await own.get(`/api/employees/${omar.id}`)).responsibilities.open_probation_reviews,
      ok(await own.get(`/api/employees/${omar.id}/consequences`)),
      ok(await own.get(`/api/employees/${mine.id}/consequences`)),
    ];
    const before = await notified();
    expect(before[0]).toBe(1);
    const { review } = await reviewOf({ reviewer: omar, employee: mine });
    expect(await notified()).toEqual(before);
    ok(await own.post(`/api/employees/${omar.id}/deactivate`, { reason: 'On leave for a year', reassign_to: nina.id }));
    expect(await rowOf(others.review.id)).toMatchObject({ reviewer_id: String(nina.id) });
    expect(await rowOf(review.id)).toMatchObject({
      reviewer_id: String(omar.id),
      reviewer_missing_since: expect.any(Date),
    });
    const seen = ok(await hr.get(`/api/employees/${mine.id}/consequences`)) as { items: { kind: string }[] };
    expect(seen.items.map(({ kind }) => kind)).toContain('probation_reviews');
  });

  test('leaves HR a task while reviews are left', async () => {
    const omar = await manager();
    await reviewOf({ reviewer: omar });
    ok(await hr.post(`/api/employees/${omar.id}/separate`, separate));
    const items = ok(await hr.get('/api/actionable-items?kind=employee_offboarding&per_page=100'));
    expect(items.map(({ subject }: { subject: { id: number } }) => subject.id)).toContain(omar.id);
  });
});

describe('while a review is open', () => {
  test('the end of the probation changes by its outcome alone, in the form and in a file', async () => {
    const { employee, review } = await reviewOf();
    const path = `/api/employees/${employee.id}`;
    const text =
      'The probation end date field can’t be changed while a probation review is open. The review’s outcome sets it.';
    await unchanged(review.id, async () => {
      for (const probation_end_date of [dayFromNow(90), null])
        expect(refused(await hr.put(path, { probation_end_date })).probation_end_date).toEqual([text]);
    });
    expect(await refusedInFile(employee, dayFromNow(90))).toEqual([text]);
    ok(await hr.put(path, { probation_end_date: dayFromNow(30), phone: '+44 1234 5678' }));
  });

  test('no person is confirmed beside it', async () => {
    const { employee, review } = await reviewOf();
    const path = `/api/employees/${employee.id}`;
    expect(ok(await hr.get(path)).allowed_actions).not.toContain('confirm');
    expect(await offeredInList(employee)).not.toContain('confirm');
    expect(await offeredInList(await probation.person({ department_id }))).toContain('confirm');
    await unchanged(review.id, async () => {
      const body = { confirmation_date: dayFromNow(0), reason: 'A very good colleague' };
      expect(refused(await hr.post(`${path}/confirm`, body)).status).toEqual([
        'This employee has an open probation review. Its outcome will decide.',
      ]);
    });
  });

  test('company and department are not deleted, nor the person', async () => {
    const place = await make.department();
    const { review, employee } = await reviewOf({ employee: await probation.person({ department_id: place.id }) });
    await unchanged(review.id, async () => {
      expect(refused(await hr.delete(`/api/departments/${place.id}`)).department?.[0]).toContain('1 probation review');
      expect(refused(await admin.delete(`/api/entities/${place.entity_id}`)).entity?.[0]).toContain(
        '1 probation review',
      );
      expect(refused(await hr.delete(`/api/employees/${employee.id}`)).employee?.[0]).toContain('1 probation review');
    });
  });

  test('a move to another department takes it along', async () => {
    const { employee, review } = await reviewOf();
    const other = await make.department({ entity_id: department.entity_id });
    ok(await hr.put(`/api/employees/${employee.id}`, { department_id: other.id }));
    expect(await rowOf(review.id)).toMatchObject({ department_id: String(other.id), status: 'pending' });
  });
});

describe('once it is decided', () => {
  const signature = { method: 'typed', typed_name: 'Hana Ito' };
  const decided = async (body: object, fields: object = {}) => {
    const found = await reviewOf({ status: 'submitted', reviewer: await manager(), ...fields });
    ok(await hr.post(`/api/probation-reviews/${found.review.id}/approve`, { signature, ...body }));
    return { ...found, path: `/api/employees/${found.employee.id}` };
  };

  test('to confirm on a later day, the end stays, in the form and in a file, until that is taken back', async () => {
    const { employee, review, path } = await decided({});
    const text = 'The probation end date field can’t be changed because the confirmation has already been decided.';
    await unchanged(review.id, async () => {
      for (const probation_end_date of [dayFromNow(90), null])
        expect(refused(await hr.put(path, { probation_end_date })).probation_end_date).toEqual([text]);
    });
    expect(await refusedInFile(employee, dayFromNow(90))).toEqual([text]);
    const back = { probation_end_date: dayFromNow(40), reason: 'Decided on the wrong person' };
    ok(await admin.post(`/api/probation-reviews/${review.id}/revert`, back));
    const later = { probation_end_date: dayFromNow(90), reason: 'More time to decide.' };
    ok(await hr.post(`${path}/extend-probation`, later));
  });

  test('to extend, the end is any other day but the one that was decided on', async () => {
    const more = { outcome: 'extend', outcome_extension_months: 2, hr_comments: 'More time.' };
    const { employee, review, path } = await decided(more);
    const old = review.probation_end_date;
    const text =
      'The probation end date field must be another day, because a probation review has already decided on this one.';
    await unchanged(review.id, async () => {
      expect(refused(await hr.put(path, { probation_end_date: old })).probation_end_date).toEqual([text]);
    });
    expect(await refusedInFile(employee, old)).toEqual([text]);
    const mistyped = { probation_end_date: dayFromNow(80), reason: 'The day was mistyped.' };
    ok(await hr.post(`${path}/correct-probation`, mistyped));
    const next = await probation.review({ employee, status: 'approved', outcome: 'confirm', sequence: 2 });
    await unchanged(next.id, async () => {
      const back = { probation_end_date: old, reason: 'Decided on the wrong person' };
      const answer = await admin.post(`/api/probation-reviews/${next.id}/revert`, back);
      expect(refused(answer).probation_end_date).toEqual([text]);
    });
  });
});

test('an employment that a review ended is not taken up by withdrawing a separation', async () => {
  const employee = await probation.person({
    department_id,
    employment_lifecycle: 'terminated',
    last_working_date: dayFromNow(10),
  });
  const { review } = await reviewOf({
    employee,
    status: 'approved',
    outcome: 'terminate',
    effective_date: dayFromNow(10),
  });
  const path = `/api/employees/${employee.id}`;
  expect(ok(await hr.get(path)).allowed_actions).not.toContain('withdraw-separation');
  expect(await offeredInList(employee)).not.toContain('withdraw-separation');
  await unchanged(review.id, async () => {
    expect(refused(await hr.post(`${path}/withdraw-separation`, { reason: 'Changed our mind' })).status).toEqual([
      'A probation review ended this employment. Reverse that decision to continue it.',
    ]);
  });
});
