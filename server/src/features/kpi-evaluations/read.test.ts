import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';

const app = await startApp();
const { as, make, deps } = app;
const kpi = kpiMaker(app);

const acme = await make.entity({ name: 'Acme Foods' });
const boss = await make.employee({ entity_id: acme.id, roles: ['TeamLead'], first_name: 'Omar', last_name: 'Diaz' });
const jon = await make.employee({ entity_id: acme.id, first_name: 'Jon', last_name: 'Reed', job_title: 'Buyer' });
const hrPerson = await make.employee({ roles: ['HR'] });
const [hr, own, reviewer] = (await Promise.all([hrPerson, jon, boss].map(({ user_id }) => as(user_id)))) as [
  Client,
  Client,
  Client,
];
const url = ({ id }: { id: number }) => `/api/kpi-evaluations/${id}`;
const shown = async (client: Client, evaluation: { id: number }) => {
  const { status, body } = await client.get(url(evaluation));
  expect(status).toBe(200);
  return body.data;
};
const template = await kpi.template({
  items: [
    { name: 'Savings against budget', weight: 4000, evidence_required: true },
    {
      name: 'Supplier lead time',
      weight: 3000,
      item_type: 'measured',
      direction: 'lower_better',
      target_value: 10,
      unit: 'days',
    },
    { name: 'Teamwork', weight: 3000 },
  ],
});

test('a result names all people and values, and explains itself to the last hundredth', async () => {
  const cycle = await kpi.cycle({ name: 'Q1 2026' });
  const made = await kpi.evaluation({
    employee: jon,
    reviewer: boss,
    template,
    cycle_id: cycle.id,
    status: 'pending_acceptance',
    answers: [{}, { self_actual_value: 9.5, manager_actual_value: 9 }, {}],
  });
  const data = await shown(own, made);
  expect(data).toMatchObject({
    cycle: { id: cycle.id, name: 'Q1 2026' },
    employee: { id: jon.id, employee_number: jon.employee_number, name: 'Jon Reed' },
    entity: { id: acme.id, name: 'Acme Foods' },
    job_title: 'Buyer',
    reviewer: { id: boss.id, name: 'Omar Diaz' },
    template_name: template.name,
    status: 'pending_acceptance',
    self_overall_score: 4.4,
    overall_score: 4,
    overall_percentage: 80,
    manager_submitted_by: { user_id: null, name: 'The reviewer' },
    extension: null,
    previous: null,
    window: { opens_on: null, closes_on: null, is_open: true },
    allowed_actions: ['accept', 'dispute'],
  });
  expect(data.items[1]).toMatchObject({
    weight: 30,
    unit: 'days',
    manager_score: 5,
    final_score: 5,
    achievement_pct: 110,
  });
  const { self, result } = data.explain;
  expect(result).toMatchObject({
    side: 'final',
    sum: 4,
    score: 4,
    percentage: 80,
    band: 'B',
    suggested_flag: 'standard',
  });
  expect(result.items.map(({ contribution }: { contribution: number }) => contribution)).toEqual([1.6, 1.5, 0.9]);
  expect([self.score, self.percentage, self.band, self.complete]).toEqual([4.4, 88, null, true]);
});

test('the self-assessment that counts is part of the explanation', async () => {
  const cycle = await kpi.cycle({ manager_weight_pct: 80, self_weight_pct: 20 });
  const made = await kpi.evaluation({ employee: jon, reviewer: boss, cycle_id: cycle.id, status: 'completed' });
  const { overall_score, overall_percentage, explain } = await shown(hr, made);
  expect([overall_score, overall_percentage]).toEqual([4.08, 81.6]);
  expect(explain.result).toMatchObject({
    sum: 4,
    score: 4.08,
    percentage: 81.6,
    blend: {
      manager_score: 4,
      manager_weight_pct: 80,
      manager_contribution: 3.2,
      self_score: 4.4,
      self_weight_pct: 20,
      self_contribution: 0.88,
      score: 4.08,
    },
  });
});

test('a draft is explained as far as it is scored, to who writes it', async () => {
  const made = await kpi.evaluation({ employee: jon, reviewer: boss, template, answers: [{ self_score: 3 }] });
  const data = await shown(own, made);
  expect(data.self_overall_score).toBeNull();
  expect(data.explain).toMatchObject({ self: { score: 3, weight_counted: 40, complete: false } });
  expect((await shown(reviewer, made)).explain).toEqual({});
});

test('a window says which days bind whom and whether today is one', async () => {
  const windowIn = async (self: [number | null, number | null], fields = {}) => {
    const [opens_on, closes_on] = self.map((days) => (days === null ? null : dayFromNow(days)));
    const cycle = await kpi.cycle({
      self_assessment_opens_on: opens_on ?? null,
      self_assessment_closes_on: closes_on ?? null,
      ...fields,
    });
    const made = await kpi.evaluation({ employee: jon, cycle_id: cycle.id, template });
    return (await shown(own, made)).window;
  };
  expect(await windowIn([0, 0])).toEqual({ opens_on: dayFromNow(0), closes_on: dayFromNow(0), is_open: true });
  expect(await windowIn([1, 5])).toMatchObject({ is_open: false });
  expect(await windowIn([-5, -1])).toMatchObject({ is_open: false });
  expect(await windowIn([null, null])).toEqual({ opens_on: null, closes_on: null, is_open: true });
  expect(await windowIn([null, null], { status: 'closed' })).toMatchObject({ is_open: false });
});

test('the last result before it is shown to readers with that in scope, and no other', async () => {
  const person = await make.employee({ entity_id: acme.id });
  const before = (name: string, days: number) =>
    kpi.cycle({ name, start_date: dayFromNow(-days), end_date: dayFromNow(-days + 80) });
  const [oldest, last, later] = [await before('Q3', 500), await before('Q4', 300), await before('Q2', 20)];
  const completed = (cycle_id: number, status: 'completed' | 'accepted' = 'completed') =>
    kpi.evaluation({ employee: person, template, cycle_id, status });
  await completed(oldest.id);
  const expected = await completed(last.id);
  await completed(later.id);
  const cycle = await kpi.cycle();
  const made = await kpi.evaluation({ employee: person, reviewer: boss, template, cycle_id: cycle.id });
  const previous = { id: expected.id, cycle: { id: last.id, name: 'Q4' }, overall_score: 4, overall_percentage: 80 };
  expect((await shown(hr, made)).previous).toEqual(previous);
  expect((await shown(await as(person.user_id), made)).previous).toEqual(previous);
  expect((await shown(reviewer, made)).previous).toBeNull();
});

test('what was asked for and decided about more time is one thing', async () => {
  const made = await kpi.evaluation({
    employee: jon,
    template,
    extension_requested_at: '2026-11-20T10:00:00.000Z',
    extension_reason: 'I was ill last week.',
    extension_status: 'approved',
    extension_until: '2026-11-30',
    extension_decided_at: '2026-11-20T12:00:00.000Z',
    extension_decided_by: hrPerson.user_id,
    extension_decided_by_name: 'HR',
    extension_requests: 1,
  });
  expect((await shown(own, made)).extension).toEqual({
    step: 'self_assessment',
    requested_at: '2026-11-20T10:00:00.000Z',
    reason: 'I was ill last week.',
    status: 'approved',
    until: '2026-11-30',
    decided_at: '2026-11-20T12:00:00.000Z',
    decided_by: { user_id: hrPerson.user_id, name: 'HR' },
    note: null,
    requests_count: 1,
  });
});

test('the history is read from its end, filtered by what happened and searched by reason', async () => {
  const made = await kpi.evaluation({ employee: jon, reviewer: boss, template });
  const steps = [
    ['publish', null, 'self_assessment', null],
    ['self-assessment', 'self_assessment', 'manager_review', null],
    ['return', 'manager_review', 'self_assessment', 'Item two is missing.'],
  ] as const;
  for (const [index, [action, from_status, to_status, reason]] of steps.entries())
    await deps.db
      .insertInto('kpi_evaluation_activity')
      .values({
        evaluation_id: made.id,
        at: `2026-11-0${index + 1}T10:00:00.000Z`,
        actor_name: 'System',
        action,
        from_status,
        to_status,
        reason,
        round: 1,
      })
      .execute();
  const actions = async (query: string) =>
    (await own.get(`${url(made)}/activity?${query}`)).body.data.map(({ action }: { action: string }) => action);
  expect(await actions('')).toEqual(['return', 'self-assessment', 'publish']);
  expect(await actions('sort_direction=asc')).toEqual(['publish', 'self-assessment', 'return']);
  expect(await actions('action=return')).toEqual(['return']);
  expect(await actions('search=item%20two')).toEqual(['return']);
  const { data } = (await own.get(`${url(made)}/activity?action=publish`)).body;
  expect(data).toMatchObject([
    { actor: { user_id: null, name: 'System' }, from: null, to: 'self_assessment', snapshot: null },
  ]);
  expect((await (await as((await make.employee()).user_id)).get(`${url(made)}/activity`)).status).toBe(404);
});

test('a skipped draft cannot be guessed by sending it back', async () => {
  const made = await kpi.evaluation({
    employee: jon,
    reviewer: boss,
    template,
    status: 'manager_review',
    self_skipped: true,
    self_comment: 'Unsent.',
    answers: [{ self_score: 2, self_comment: 'Unsent.' }],
  });
  const id = made.items[0]?.id;
  for (const body of [{ self_comment: 'Unsent.' }, { items: [{ id, self_score: 2 }] }])
    expect((await reviewer.put(url(made), body)).status).toBe(422);
  const asShown = { self_comment: null, items: [{ id, self_score: null, self_comment: null, manager_score: 3 }] };
  expect((await reviewer.put(url(made), asShown)).body.data.items[0]).toMatchObject({
    self_score: null,
    manager_score: 3,
  });
});

test('ids that are none, and evaluations of others, are not there', async () => {
  const other = await kpi.evaluation({ template });
  for (const id of [0, 'x', 999_999, other.id]) expect((await own.get(`/api/kpi-evaluations/${id}`)).status).toBe(404);
});
