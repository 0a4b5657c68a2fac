import type { CriteriaSet } from '@tenure/contract';
import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { probationMaker } from '../../testing/make-probation.ts';

const app = await startApp();
const { as, make, owner, deps } = app;
const probation = probationMaker(app);
const acme = await make.entity({ name: 'Acme Foods Ltd' });
const borg = await make.entity({ name: 'Borg Systems' });
const department = await make.department({ entity_id: acme.id });
const boss = await make.employee({ entity_id: acme.id, roles: ['TeamLead'], first_name: 'Omar', last_name: 'Diaz' });
const acmeHr = await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }], entity_id: acme.id });
const [hr, limited, reviewer, manager, employee] = await Promise.all([
  as((await make.employee({ roles: ['HR'] })).user_id),
  as(acmeHr.user_id),
  as(boss.user_id),
  as((await make.employee({ roles: ['Manager'], entity_id: acme.id })).user_id),
  as((await make.employee({ entity_id: acme.id })).user_id),
]);

const path = '/api/probation-criteria-sets';
const criteria = [
  { name: 'Knowledge', weight: 60 },
  { name: 'Teamwork', weight: 40 },
];
let made = 0;
const fields = (more: object = {}) => ({ entity_id: acme.id, name: `Set ${(made += 1)}`, criteria, ...more });
async function added(more: object = {}): Promise<CriteriaSet> {
  const { status, body } = await hr.post(path, fields(more));
  expect([status, body.errors]).toEqual([201, undefined]);
  return body.data;
}

const everything = async () => (await owner.query('select * from probation_criteria_sets order by id')).rows as unknown;
/** A refusal that changes nothing. */
async function refused(work: () => Promise<{ status: number; body: { errors?: Record<string, string[]> } }>) {
  const before = await everything();
  const { status, body } = await work();
  expect(await everything()).toEqual(before);
  return [status, Object.keys(body.errors ?? {})];
}
const auditOf = (id: number) =>
  deps.db
    .selectFrom('audit_log')
    .select(['action', 'subject_label', 'entity_id', 'changes'])
    .where('subject_type', '=', 'probation_criteria_set')
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute();

test('HR adds, changes and removes a set, and each step is in the audit log', async () => {
  const set = await added({ name: 'Warehouse' });
  expect(set).toMatchObject({
    entity: { id: acme.id, name: 'Acme Foods Ltd' },
    criteria,
    is_proposed: false,
    may_adapt: true,
    allowed_actions: ['update', 'delete'],
  });
  const changed = await limited.put(`${path}/${set.id}`, { may_adapt: false, revision: set.revision });
  expect([changed.status, changed.body.message, changed.body.data]).toMatchObject([
    200,
    'Criteria set updated successfully.',
    { may_adapt: false, name: 'Warehouse', revision: set.revision + 1 },
  ]);
  expect((await refused(() => hr.put(`${path}/${set.id}`, { name: 'Late', revision: set.revision })))[0]).toBe(422);
  expect((await hr.delete(`${path}/${set.id}`)).status).toBe(204);
  expect((await hr.get(`${path}/${set.id}`)).status).toBe(404);
  expect(await auditOf(set.id)).toMatchObject([
    { action: 'probation_criteria_set.created', subject_label: 'Warehouse', entity_id: acme.id },
    { action: 'probation_criteria_set.updated', changes: { may_adapt: { from: true, to: false } } },
    { action: 'probation_criteria_set.deleted', changes: { name: { from: 'Warehouse', to: null } } },
  ]);
});

test.each([
  ['do not add up to 100', { criteria: [{ name: 'Knowledge', weight: 99 }] }, ['criteria']],
  ['are not whole percent', { criteria: [{ name: 'Knowledge', weight: 99.5 }] }, ['criteria.0.weight']],
  [
    'are named twice',
    { criteria: [...criteria, ...criteria].map((one) => ({ ...one, weight: 25 })) },
    ['criteria.2.name'],
  ],
  ['are none', { criteria: [] }, ['criteria']],
  ['have no company', { entity_id: 987_654 }, ['entity_id']],
])('criteria that %s are refused', async (_what, more, errors) => {
  expect(await refused(() => hr.post(path, fields(more)))).toEqual([422, errors]);
});

test('a name is used once in a company, and the refusal is the same on a change', async () => {
  const one = await added({ name: 'Office' });
  const other = await added();
  expect(await refused(() => hr.post(path, fields({ name: 'OFFICE' })))).toEqual([422, ['name']]);
  expect(await refused(() => hr.put(`${path}/${other.id}`, { name: 'office' }))).toEqual([422, ['name']]);
  expect((await hr.post(path, fields({ name: 'Office', entity_id: borg.id }))).status).toBe(201);
  expect((await hr.put(`${path}/${one.id}`, { name: 'OFFICE' })).status).toBe(200);
});

test('HR of a company sees and changes the sets of that company only; others none at all', async () => {
  const own = await added();
  const foreign = await added({ entity_id: borg.id });
  const listed = async (query: string) =>
    ((await limited.get(`${path}?per_page=100${query}`)).body.data as CriteriaSet[]).map(({ id }) => id);
  expect(await listed('')).toContain(own.id);
  expect(await listed('')).not.toContain(foreign.id);
  expect(await listed(`&entity_id=${borg.id}`)).toEqual([]);
  expect(await listed(`&search=${own.name.replace(' ', '%20')}`)).toContain(own.id);
  expect((await limited.get(`${path}/${foreign.id}`)).status).toBe(404);
  expect(await refused(() => limited.put(`${path}/${foreign.id}`, { name: 'Mine' }))).toEqual([404, []]);
  expect(await refused(() => limited.delete(`${path}/${foreign.id}`))).toEqual([404, []]);
  expect(await refused(() => limited.post(path, fields({ entity_id: borg.id })))).toEqual([422, ['entity_id']]);
  for (const client of [reviewer, manager, employee]) {
    expect((await client.get(path)).status).toBe(403);
    expect((await refused(() => client.post(path, fields())))[0]).toBe(403);
    expect((await refused(() => client.delete(`${path}/${own.id}`)))[0]).toBe(403);
  }
});

describe('the set that a company proposes', () => {
  /** A review that HR opens for a new person of the company. */
  async function opened() {
    const person = await probation.person({ department_id: department.id });
    const { status, body } = await hr.post('/api/probation-reviews', { employee_id: person.id, reviewer_id: boss.id });
    expect([status, body.errors]).toEqual([201, undefined]);
    return `/api/probation-reviews/${body.data.id}`;
  }
  const rated = (more: object = {}) => criteria.map((one) => ({ ...one, rating: 4, comment: 'Solid.', ...more }));

  test('is one: proposing another ends the first', async () => {
    const [first, second] = [await added({ is_proposed: true }), await added({ is_proposed: true })];
    expect((await hr.get(`${path}/${first.id}`)).body.data.is_proposed).toBe(false);
    await hr.put(`${path}/${first.id}`, { is_proposed: true });
    expect((await hr.get(`${path}/${second.id}`)).body.data.is_proposed).toBe(false);
  });

  test('is what a new review begins with; it stays untouched, and later changes of the set leave it alone', async () => {
    const set = await added({ is_proposed: true });
    const review = await opened();
    const { data } = (await reviewer.get(review)).body;
    expect(data).toMatchObject({
      criteria: criteria.map((one) => ({ ...one, rating: null, comment: null })),
      criteria_fixed: false,
    });
    expect((await hr.get(review)).body.data.allowed_actions).toContain('delete');
    await hr.put(`${path}/${set.id}`, { criteria: [{ name: 'Everything', weight: 100 }] });
    expect((await reviewer.get(review)).body.data.criteria).toHaveLength(2);
    const own = [{ name: 'Own', weight: 100, rating: 5, comment: null }];
    expect((await reviewer.put(review, { criteria: own })).body.data.criteria).toEqual(own);
  });

  test('has guidance that stays with its criterion, also with the next reviewer', async () => {
    const guided = [
      { name: 'Knowledge', weight: 60, guidance: 'Handles returns without help.' },
      { name: 'Teamwork', weight: 40, guidance: ' ' },
    ];
    const set = await added({ is_proposed: true, criteria: guided });
    expect(set.criteria).toEqual([guided[0], { name: 'Teamwork', weight: 40 }]);
    const long = [{ name: 'Knowledge', weight: 100, guidance: 'x'.repeat(1_001) }];
    expect(await refused(() => hr.put(`${path}/${set.id}`, { criteria: long }))).toEqual([
      422,
      ['criteria.0.guidance'],
    ]);
    const review = await opened();
    const sent = [
      { name: 'Teamwork', weight: 30, rating: 4, comment: null },
      { name: 'Knowledge', weight: 70, rating: 3, comment: null, guidance: 'Mine.' },
    ];
    expect((await reviewer.put(review, { criteria: sent })).body.data.criteria).toEqual([
      sent[0],
      { ...sent[1], guidance: 'Handles returns without help.' },
    ]);
    const next = await make.employee({ entity_id: acme.id, roles: ['TeamLead'] });
    const moved = await hr.put(`${review}/reviewer`, { reviewer_id: next.id });
    expect(moved.status).toBe(200);
    expect((await (await as(next.user_id)).get(review)).body.data.criteria[0]).toMatchObject(guided[0] ?? {});
  });

  test('can be rated and nothing else where reviewers may not adapt it', async () => {
    await added({ is_proposed: true, may_adapt: false });
    const review = await opened();
    expect((await reviewer.put(review, { criteria: rated() })).body.data).toMatchObject({
      criteria: rated(),
      criteria_fixed: true,
      criteria_score: 4,
    });
    const assessment = { performance_rating: 4, comments: 'Ready.', recommendation: 'confirm' };
    const signature = { method: 'typed', typed_name: 'Omar Diaz' };
    for (const sent of [
      null,
      [],
      rated().slice(1),
      rated().toReversed(),
      rated({ weight: 50 }),
      rated({ name: 'Own' }),
    ]) {
      for (const answer of [
        await reviewer.put(review, { criteria: sent }),
        await reviewer.post(`${review}/submit`, { ...assessment, criteria: sent, signature }),
      ])
        expect([answer.status, answer.body.errors]).toEqual([
          422,
          { criteria: ['Only HR can change the criteria of this review.'] },
        ]);
    }
    expect((await reviewer.post(`${review}/submit`, { ...assessment, signature })).status).toBe(200);
  });

  const handOver = {
    chosen: (review: string, next: number) => hr.put(`${review}/reviewer`, { reviewer_id: next }),
    'who takes over': (review: string, next: number) => {
      const item = { kind: 'probation_review', id: Number(review.split('/').at(-1)) };
      return hr.post(`/api/employees/${boss.id}/reassign`, { reassign_to: next, items: [item] });
    },
  };

  test.each([
    ['may only be rated', 'chosen', false],
    ['may only be rated', 'who takes over', false],
    ['may be adapted', 'chosen', true],
    ['may be adapted', 'who takes over', true],
  ] as const)('that %s is there again, unrated, for another reviewer, %s', async (_what, how, mayAdapt) => {
    await added({ is_proposed: true, may_adapt: mayAdapt });
    const review = await opened();
    await reviewer.put(review, { criteria: rated() });
    const next = await make.employee({ entity_id: acme.id, roles: ['TeamLead'] });
    expect((await handOver[how](review, next.id)).status).toBe(200);
    expect((await (await as(next.user_id)).get(review)).body.data).toMatchObject({
      criteria: rated({ rating: null, comment: null }),
      criteria_fixed: !mayAdapt,
      criteria_score: null,
    });
  });

  test('is none by default, and that of another company is not taken', async () => {
    await owner.query('update probation_criteria_sets set is_proposed = false');
    await added({ entity_id: borg.id, is_proposed: true });
    expect((await reviewer.get(await opened())).body.data).toMatchObject({ criteria: null, criteria_fixed: false });
  });
});
