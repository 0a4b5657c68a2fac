import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { evaluationTesting } from '../../testing/evaluations.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const { unchanged } = evaluationTesting(app);
const reviewer = await make.employee({ roles: ['Manager'] });
const hrPerson = await make.employee({ roles: ['HR'] });
const person = await make.employee({ reporting_manager_id: reviewer.id });
const [subject, hr] = [await as(person.user_id), await as(hrPerson.user_id)];

const resolution = 'The figures of the register count.';
const path = (id: number, step = '') => `/api/kpi-evaluations/${id}${step && `/${step}`}`;
const items = [
  {
    name: 'Revenue',
    weight: 5_000,
    item_type: 'measured',
    direction: 'higher_better',
    target_value: 100,
    cap_pct: 120,
  },
  { name: 'Certified', weight: 3_000, item_type: 'measured', direction: 'boolean' },
  { name: 'Teamwork', weight: 2_000 },
] as const;
const answers = [
  { manager_actual_value: 80, manager_score: 3, final_score: 3 },
  { manager_actual_value: 0, manager_score: 1, final_score: 1 },
  { manager_score: 4, final_score: 4 },
];
const disputed = async () =>
  kpi.evaluation({ employee: person, reviewer, template: await kpi.template({ items }), status: 'disputed', answers });
const settle = (id: number, ...sent: object[]) =>
  hr.post(path(id, 'resolve-dispute'), { result: 'modified', resolution, items: sent });

test('a corrected actual value gives achievement, score and result anew; the earlier ones stay in the history', async () => {
  const { id, items: made } = await disputed();
  const [revenue, certified] = made.map((item) => ({ id: item.id, final_note: 'By the register' }));
  const answer = await settle(id, { ...revenue, final_actual_value: 110 }, { ...certified, final_actual_value: 1 });
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  expect(answer.body.data).toMatchObject({ status: 'completed', overall_score: 4.8, overall_percentage: 96 });
  expect(answer.body.data.items).toMatchObject([
    { manager_actual_value: 80, final_actual_value: 110, manager_score: 3, final_score: 5, achievement_pct: 110 },
    { manager_actual_value: 0, final_actual_value: 1, final_score: 5, achievement_pct: 100 },
    { final_actual_value: null, final_score: 4 },
  ]);
  expect((await subject.get(path(id))).body.data.items[0]).toMatchObject({ final_actual_value: 110, final_score: 5 });
  const [{ snapshot }] = (await subject.get(path(id, 'activity'))).body.data;
  expect(snapshot.items).toMatchObject([
    { final_score: 3, actual_value: 80, achievement_pct: 80 },
    { final_score: 1, actual_value: 0, achievement_pct: 0 },
    { final_score: 4 },
  ]);
});

test('a value is refused for a rated item, without a note, beside another score, and where only yes or no count', async () => {
  const { id, items: made } = await disputed();
  const [revenue, certified, teamwork] = made.map((item) => ({ id: item.id, final_note: 'By the register' }));
  await unchanged(id, async () => {
    const refused = async (one: object) => Object.keys((await settle(id, one)).body.errors);
    expect(await refused({ ...teamwork, final_actual_value: 3 })).toEqual(['items.0.final_actual_value']);
    expect(await refused({ ...revenue, final_actual_value: 110, final_note: null })).toEqual(['items.0.final_note']);
    expect(await refused({ ...revenue, final_actual_value: 110, final_score: 4 })).toEqual(['items.0.final_score']);
    expect(await refused({ ...certified, final_actual_value: 2 })).toEqual(['items.0.final_actual_value']);
    expect(await refused({ ...revenue })).toEqual(['items.0.final_score']);
  });
});

test('what was left out gets no final score or value in the settlement', async () => {
  const leftOut = answers.map((answer) => ({
    ...answer,
    manager_actual_value: null,
    manager_score: null,
    final_score: null,
    manager_not_applicable: true,
  }));
  const { id, items: made } = await kpi.evaluation({
    employee: person,
    reviewer,
    template: await kpi.template({ items }),
    status: 'disputed',
    answers: [answers[0] ?? {}, ...leftOut.slice(1)],
  });
  const [, certified, teamwork] = made.map((item) => ({ id: item.id, final_note: 'By the register' }));
  await unchanged(id, async () => {
    for (const [sent, field, name] of [
      [{ ...certified, final_actual_value: 1 }, 'final_actual_value', 'actual value'],
      [{ ...teamwork, final_score: 4 }, 'final_score', 'final score'],
    ] as const) {
      const { status, body } = await settle(id, sent);
      expect([status, body.errors]).toEqual([
        422,
        { [`items.0.${field}`]: [`The item 1 ${name} field is prohibited.`] },
      ]);
    }
  });
});

test('a reopened evaluation begins with the value of the reviewer again', async () => {
  const { id, items: made } = await disputed();
  await settle(id, { id: made[0]?.id, final_note: 'By the register', final_actual_value: 110 });
  const admin = await as((await make.employee({ roles: ['Admin'] })).user_id);
  expect((await admin.post(path(id, 'reopen'), { reason: 'The register was wrong.' })).status).toBe(200);
  const { rows } = await owner.query(
    `select manager_actual_value::float8 as given, final_score, final_actual_value from kpi_evaluation_items
     where id = $1`,
    [made[0]?.id],
  );
  expect(rows).toEqual([{ given: 80, final_score: null, final_actual_value: null }]);
});
