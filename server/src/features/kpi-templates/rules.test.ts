import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { basisPoints, percentText, totalOf } from './rules.ts';

const { as, make, owner } = await startApp();
const acme = await make.entity();
const hr = await as((await make.employee({ roles: ['HR'], entity_id: acme.id })).user_id);
const count = async () =>
  (
    await owner.query(
      'select (select count(*) from kpi_templates)::int as t, (select count(*) from kpi_template_items)::int as i',
    )
  ).rows[0] as unknown;

let serial = 0;
const send = (items: unknown, fields: Record<string, unknown> = {}) => {
  serial += 1;
  return hr.post('/api/kpi-templates', { name: `Template ${serial}`, items, ...fields });
};
const weighing = (...weights: unknown[]) => weights.map((weight, index) => ({ name: `Item ${index + 1}`, weight }));

test.each([
  [[33.34, 33.33, 33.33]],
  [[100]],
  [[0.01, 99.99]],
  [[14.29, 14.29, 14.29, 14.29, 14.28, 14.28, 14.28]],
  [['50.50', '49.50']],
])('weights of %j add up', async (weights) => {
  const { status, body } = await send(weighing(...weights));
  expect([status, body.data?.total_weight]).toEqual([201, 100]);
  expect(body.data.items.map(({ weight }: { weight: number }) => weight)).toEqual(weights.map(Number));
});

test.each([
  [[99.99], '99.99'],
  [[50, 50.01], '100.01'],
  [[33.33, 33.33, 33.33], '99.99'],
  [[], '0.00'],
])('weights of %j are refused with their total', async (weights, total) => {
  const before = await count();
  const { status, body } = await send(weighing(...weights));
  expect([status, body.errors]).toEqual([
    422,
    { items: [`The weights add up to ${total}; they must add up to exactly 100.00.`] },
  ]);
  expect(await count()).toEqual(before);
});

test.each([
  [0, 'The item 1 weight field must be at least 0.01.'],
  [-5, 'The item 1 weight field must be at least 0.01.'],
  [100.01, 'The item 1 weight field must not be greater than 100.'],
  ['NaN', 'The item 1 weight field must be a number.'],
  ['1e1', 'The item 1 weight field must be a number.'],
  [33.333, 'The item 1 weight field must have 0-2 decimal places.'],
  [null, 'The item 1 weight field must be a number.'],
  [undefined, 'The item 1 weight field is required.'],
])('a weight of %j is refused', async (weight, message) => {
  const before = await count();
  const { status, body } = await send([{ name: 'Only', weight }]);
  expect([status, body.errors['items.0.weight']]).toEqual([422, [message]]);
  expect(await count()).toEqual(before);
});

test('a NaN or Infinity in the body is no JSON and stores nothing', async () => {
  const before = await count();
  for (const weight of ['NaN', 'Infinity']) {
    const payload = `{"name":"Odd","items":[{"name":"Only","weight":${weight}}]}`;
    const answer = await hr.send('POST', '/api/kpi-templates', { payload });
    expect(answer.status).toBeGreaterThanOrEqual(400);
  }
  expect(await count()).toEqual(before);
});

test('a draft may be incomplete, and 50 items are the most', async () => {
  expect((await send(weighing(20, 30), { status: 'draft' })).body.data.total_weight).toBe(50);
  expect((await send([], { status: 'draft' })).status).toBe(201);
  expect((await send(weighing(...Array.from({ length: 50 }, () => 2)))).status).toBe(201);
  const { status, body } = await send(weighing(...Array.from({ length: 51 }, () => 1)), { status: 'draft' });
  expect([status, Object.keys(body.errors)]).toEqual([422, ['items']]);
});

test('the sum of any two-decimal weights is exact', () => {
  const cents = Array.from({ length: 10_000 }, (_, index) => index + 1);
  expect(cents.every((points) => basisPoints(points / 100) === points)).toBe(true);
  expect(totalOf(Array.from({ length: 3 }, () => ({ weight: 33.33 })))).toBe(9_999);
  expect(percentText(9_999)).toBe('99.99');
});

test.each([
  [{ scale_min: 5, scale_max: 5 }, 'scale_max', 'The highest score field must be greater than the lowest score.'],
  [{ scale_min: -1 }, 'scale_min', 'The lowest score field must be at least 0.'],
  [{ scale_max: 11 }, 'scale_max', 'The highest score field must not be greater than 10.'],
  [{ score_step: 0.75 }, 'score_step', 'The selected score step is invalid.'],
  [{ scale_min: 1.5 }, 'scale_min', 'The lowest score field must be an integer.'],
])('a scale of %j is refused', async (scale, field, message) => {
  const before = await count();
  const { status, body } = await send(weighing(100), scale);
  expect([status, body.errors]).toEqual([422, { [field]: [message] }]);
  expect(await count()).toEqual(before);
});

const measured = (fields: Record<string, unknown>) => [
  { name: 'Measured', weight: 100, item_type: 'measured', ...fields },
];

test.each([
  [{}, ['direction', 'target_value']],
  [{ direction: 'target' }, ['target_value']],
  [{ target_value: 5 }, ['direction']],
  [{ direction: 'target', target_value: -5 }, ['baseline_value']],
  [{ direction: 'higher_better', target_value: 5, baseline_value: 5 }, ['baseline_value']],
  [{ direction: 'target', target_value: 0, baseline_value: 0 }, ['baseline_value']],
  [{ direction: 'higher_better', target_value: 5, baseline_value: 6 }, ['baseline_value']],
  [{ direction: 'lower_better', target_value: 5, baseline_value: 4 }, ['baseline_value']],
  [{ direction: 'target', target_value: 5.001 }, ['target_value']],
  [{ direction: 'sideways', target_value: 5 }, ['direction']],
  [{ direction: 'target', target_value: 5, tolerance_pct: 51 }, ['tolerance_pct']],
  [{ direction: 'target', target_value: 5, cap_pct: 99 }, ['cap_pct']],
])('a measured item of %j is refused', async (fields, wrong) => {
  const before = await count();
  const { status, body } = await send(measured(fields));
  expect([status, Object.keys(body.errors)]).toEqual([422, wrong.map((field) => `items.0.${field}`)]);
  expect(await count()).toEqual(before);
});

test.each([
  [{ direction: 'boolean' }],
  [{ direction: 'higher_better', target_value: 0 }],
  [{ direction: 'higher_better', target_value: -5, baseline_value: -10 }],
  [{ direction: 'lower_better', target_value: -5, baseline_value: 3 }],
  [{ direction: 'target', target_value: 3_000_000, tolerance_pct: 5, cap_pct: 100 }],
])('a measured item of %j is accepted', async (fields) => {
  const { status, body } = await send(measured(fields));
  expect([status, body.data.items[0]]).toMatchObject([201, fields]);
});

test.each([{ scale_max: 10 }, { scale_min: 0 }, { score_step: 0.5 }])(
  'a measured item needs the scale 1 to 5 in whole steps, not %j',
  async (scale) => {
    const { status, body } = await send(measured({ direction: 'boolean' }), scale);
    expect([status, body.errors]).toEqual([
      422,
      { 'items.0.item_type': ['Measured items need a scale from 1 to 5 in whole points.'] },
    ]);
    const { data } = (await send(measured({ direction: 'boolean' }))).body;
    expect((await hr.put(`/api/kpi-templates/${data.id}`, scale)).status).toBe(422);
    expect((await send(weighing(100), scale)).status).toBe(201);
  },
);

test('a rated item has no target', async () => {
  const { status, body } = await send([{ name: 'Rated', weight: 100, target_value: 5, direction: 'target' }]);
  expect([status, Object.keys(body.errors)]).toEqual([422, ['items.0.direction', 'items.0.target_value']]);
});
