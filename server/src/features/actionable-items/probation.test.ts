import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';

/** Assignees of probation tasks. */

const app = await startApp();
const { as, make, owner } = app;
const probation = probationMaker(app);
const { id: department_id } = await make.department();
const omar = await make.employee({ department_id, roles: ['Manager'] });
const hana = await make.employee({ department_id, roles: ['HR'] });
const ben = await make.employee({ department_id });
const admin = await make.admin();

type Item = {
  id: string;
  kind: string;
  due_date: string;
  url: string;
  title: string;
  description: string;
  allowed_actions: string[];
};
const itemsOf = async ({ user_id }: { user_id: number }): Promise<Item[]> => {
  const client = await as(user_id);
  const { data, meta } = (await client.get('/api/actionable-items?per_page=100')).body;
  const counts = (await client.get('/api/actionable-items/counts')).body.data;
  expect([meta.total, counts.total]).toEqual([data.length, data.length]);
  return data as Item[];
};
const idsOf = async (who: { user_id: number }) => (await itemsOf(who)).map(({ id }) => id);
const person = (fields: Parameters<typeof probation.person>[0] = {}) => probation.person({ department_id, ...fields });
type Fields = NonNullable<Parameters<typeof probation.review>[0]>;

describe('a probation review', () => {
  test.each<[kind: string, fields: Fields, who: 'omar' | 'hana' | 'subject', due: string, actions: string[]]>([
    ['probation_review_assigned', { due_date: dayFromNow(9) }, 'omar', dayFromNow(9), ['update', 'submit']],
    ['probation_review_action_required', { status: 'sent_back' }, 'omar', dayFromNow(3), ['update', 'submit']],
    ['probation_review_approval', { status: 'submitted' }, 'hana', dayFromNow(30), ['approve', 'send-back']],
    ['probation_acknowledge', { status: 'approved' }, 'subject', dayFromNow(6), ['acknowledge']],
    [
      'probation_record_acknowledgement',
      { status: 'approved', person_signs_in: false },
      'omar',
      dayFromNow(6),
      ['record-acknowledgement'],
    ],
  ])('is a task %s of its assignee only', async (kind, fields, who, due, actions) => {
    const employee = await person();
    const { id } = await probation.review({ employee, reviewer: omar, ...fields });
    const assignee = { omar, hana, subject: employee }[who];
    const found = (await itemsOf(assignee)).find((item) => item.id === `${kind}:${id}`);
    expect(found).toMatchObject({ kind, due_date: due, url: `/probation/${id}`, allowed_actions: actions });
    for (const other of [omar, hana, ben, employee, admin])
      if (other.user_id !== assignee.user_id) expect(await idsOf(other)).not.toContain(`${kind}:${id}`);
    const german = (
      await (await as(assignee.user_id)).get('/api/actionable-items?per_page=100', { 'accept-language': 'de' })
    ).body.data as Item[];
    expect(german.find((item) => item.id === `${kind}:${id}`)?.title).not.toBe(found?.title);
  });

  test('without a reviewer is a task of HR until one is assigned', async () => {
    const { id } = await probation.review({ employee: await person(), reviewer: omar });
    await owner.query(`update probation_reviews set reviewer_id = null, reviewer_missing_since = now() where id = $1`, [
      id,
    ]);
    const item = (await itemsOf(hana)).find((one) => one.id === `probation_missing_reviewer:${id}`);
    expect(item).toMatchObject({ due_date: dayFromNow(0), allowed_actions: ['reviewer'] });
    const answer = await (
      await as(hana.user_id)
    ).put(`/api/probation-reviews/${id}/reviewer`, { reviewer_id: omar.id });
    expect(answer.status).toBe(200);
    expect(await idsOf(hana)).not.toContain(`probation_missing_reviewer:${id}`);
    expect(await idsOf(omar)).toContain(`probation_review_assigned:${id}`);
  });

  test('is decided neither by its reviewer nor by its subject; an administrator sees reviews without a decider', async () => {
    const byHr = await probation.review({ employee: await person(), reviewer: hana, status: 'submitted' });
    const id = `probation_review_approval:${byHr.id}`;
    expect(await idsOf(hana)).not.toContain(id);
    expect(await idsOf(admin)).toContain(id);
    const another = await make.employee({ roles: ['HR'] });
    expect(await idsOf(another)).toContain(id);
    expect(await idsOf(admin)).not.toContain(id);
    await owner.query(`update employees set activity_status = 'inactive' where id = $1`, [another.id]);
  });

  test('is no task of a former reviewer who signed it', async () => {
    const author = await make.employee({ department_id, roles: ['HR'] });
    const { id } = await probation.review({ employee: await person(), reviewer: omar, status: 'submitted' });
    const item = `probation_review_approval:${id}`;
    expect(await idsOf(author)).toContain(item);
    await owner.query('update probation_signatures set signer_id = $2 where review_id = $1', [id, author.user_id]);
    expect(await idsOf(author)).not.toContain(item);
    expect(await idsOf(hana)).toContain(item);
  });

  test('of an administrator is a task of administrators, except of its subject and its author', async () => {
    const subject = await person({ roles: ['Admin'] });
    const author = await make.employee({ department_id, roles: ['Admin', 'Manager'] });
    const both = await make.employee({ department_id, roles: ['Admin', 'HR'] });
    const { id } = await probation.review({ employee: subject, reviewer: author, status: 'submitted' });
    const item = `probation_review_approval:${id}`;
    for (const who of [admin, both]) {
      const found = (await itemsOf(who)).filter((one) => one.id === item);
      expect(found.map(({ allowed_actions }) => allowed_actions)).toEqual([['approve', 'send-back']]);
    }
    for (const who of [hana, omar, subject, author]) expect(await idsOf(who)).not.toContain(item);
    const plain = await probation.review({ employee: await person(), reviewer: omar, status: 'submitted' });
    expect(await idsOf(hana)).toContain(`probation_review_approval:${plain.id}`);
    expect(await idsOf(admin)).not.toContain(`probation_review_approval:${plain.id}`);
  });
});

describe('a person on probation', () => {
  test('without an end, or near it without a review, is a task of HR and never of the person', async () => {
    const [endless, near, far, over] = [
      await person({ probation_end_date: null, joining_date: dayFromNow(-3) }),
      await person({ probation_end_date: dayFromNow(29) }),
      await person({ probation_end_date: dayFromNow(32) }),
      await person({ probation_end_date: dayFromNow(-2) }),
    ];
    const ids = await idsOf(hana);
    for (const { id } of [endless, near, over]) expect(ids).toContain(`probation_review_missing:${id}`);
    expect(ids).not.toContain(`probation_review_missing:${far.id}`);
    const items = await itemsOf(hana);
    const itemOf = ({ id }: { id: number }) => items.find((one) => one.id === `probation_review_missing:${id}`);
    expect([near, over, endless].map((who) => itemOf(who)?.description)).toEqual([
      'Their probation ends soon, and there is no review yet.',
      'Their probation is over, and there is no review yet.',
      'Their probation has no end date, so no review opens automatically.',
    ]);
    expect(itemOf(near)).toMatchObject({
      due_date: dayFromNow(29),
      url: `/employees/${near.id}`,
      allowed_actions: ['create'],
    });
    const answer = await (await as(hana.user_id)).post('/api/probation-reviews', { employee_id: near.id });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(await idsOf(hana)).not.toContain(`probation_review_missing:${near.id}`);
    const ofHr = await person({ probation_end_date: null, roles: ['HR'] });
    expect(await idsOf(ofHr)).not.toContain(`probation_review_missing:${ofHr.id}`);
  });

  test('with a cancelled review is a task of HR again, until a decision settles it', async () => {
    const [cancelled, decided] = [
      await person({ probation_end_date: dayFromNow(5) }),
      await person({ probation_end_date: dayFromNow(5) }),
    ];
    await probation.review({ employee: cancelled, status: 'cancelled' });
    await probation.review({ employee: decided, status: 'approved' });
    const ids = await idsOf(hana);
    expect(ids).toContain(`probation_review_missing:${cancelled.id}`);
    expect(ids).not.toContain(`probation_review_missing:${decided.id}`);
  });
});
