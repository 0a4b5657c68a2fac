import { expect, test } from 'vitest';
import { explain } from './explain.ts';
import type { EvaluatedItem } from './overall.ts';

const item = (id: number, name: string, weight: number, more: Partial<EvaluatedItem> = {}) => ({
  id,
  name,
  weight,
  not_applicable: false,
  self_score: null,
  self_achievement_pct: null,
  manager_score: null,
  final_score: null,
  achievement_pct: null,
  ...more,
});
const savings = item(901, 'Savings against budget', 4000, { self_score: 5, manager_score: 4 });
const leadTime = item(902, 'Supplier lead time', 3000, {
  self_score: 4,
  self_achievement_pct: 105,
  manager_score: 5,
  achievement_pct: 110,
});
const teamwork = item(903, 'Teamwork', 3000, { self_score: 4, manager_score: 3 });
const buyer = {
  items: [savings, leadTime, teamwork],
  scale_max: 5,
  manager_weight_pct: 100,
  self_weight_pct: 0,
  self_skipped: false,
  pip_below_pct: 60,
  hipo_from_pct: 90,
};
const blended = { ...buyer, manager_weight_pct: 80, self_weight_pct: 20 };

test('a result is explained step by step', () => {
  expect(explain('manager', buyer)).toEqual({
    side: 'manager',
    items: [
      {
        item_id: 901,
        name: 'Savings against budget',
        weight: 40,
        score: 4,
        not_applicable: false,
        achievement_pct: null,
        proration: null,
        contribution: 1.6,
      },
      {
        item_id: 902,
        name: 'Supplier lead time',
        weight: 30,
        score: 5,
        not_applicable: false,
        achievement_pct: 110,
        proration: null,
        contribution: 1.5,
      },
      {
        item_id: 903,
        name: 'Teamwork',
        weight: 30,
        score: 3,
        not_applicable: false,
        achievement_pct: null,
        proration: null,
        contribution: 0.9,
      },
    ],
    weight_counted: 100,
    sum: 4,
    score: 4,
    percentage: 80,
    blend: null,
    band: 'B',
    band_is: { name: 'B', from: 80, below: 90 },
    suggested_flag: 'standard',
    complete: true,
  });
});

test('a target that was reduced by days is part of the explanation of its item', () => {
  const proration = { employed_days: 45, cycle_days: 90, target_value: 50, baseline_value: null };
  const items = [{ ...savings, proration }, leadTime, { ...teamwork, not_applicable: true, proration }];
  const shown = explain('manager', { ...buyer, items });
  expect(shown.items.map((one) => one.proration)).toEqual([proration, null, null]);
});

test('the self side shows the scores and achievements of the subject, and neither blend nor verdict', () => {
  const own = explain('self', blended);
  expect(own).toMatchObject({ sum: 4.4, score: 4.4, percentage: 88, complete: true });
  expect(own).toMatchObject({ blend: null, band: null, suggested_flag: null });
  expect(own.items.map(({ score, achievement_pct, contribution }) => [score, achievement_pct, contribution])).toEqual([
    [5, null, 2],
    [4, 105, 1.2],
    [4, null, 1.2],
  ]);
});

test('nothing of the manager is in the explanation of the self side', () => {
  const others = buyer.items.map((entry) => ({ ...entry, manager_score: 1, final_score: 2, achievement_pct: 3 }));
  expect(explain('self', { ...blended, items: others })).toEqual(explain('self', blended));
});

test('the final side shows final scores, the manager side still what the manager gave', () => {
  const items = [{ ...savings, final_score: 5 }, { ...leadTime, final_score: 5 }, teamwork];
  expect(explain('final', { ...buyer, items })).toMatchObject({ score: 4.4, percentage: 88, band: 'B' });
  expect(explain('manager', { ...buyer, items })).toEqual(explain('manager', buyer));
});

test('a blend names both sides and what each brings', () => {
  expect(explain('manager', blended)).toMatchObject({
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

test('a skipped self-assessment leaves its weight to the manager', () => {
  expect(explain('manager', { ...blended, self_skipped: true })).toMatchObject({
    sum: 4,
    score: 4,
    blend: {
      manager_score: 4,
      manager_weight_pct: 100,
      manager_contribution: 4,
      self_score: null,
      self_weight_pct: 0,
      self_contribution: 0,
      score: 4,
    },
  });
  expect(explain('self', { ...blended, self_skipped: true })).toMatchObject({
    weight_counted: 0,
    score: null,
    complete: false,
  });
});

test('an item that does not apply contributes nothing and its weight goes to the others', () => {
  const items = [savings, { ...leadTime, not_applicable: true }, teamwork];
  const shown = explain('manager', { ...buyer, items });
  expect(shown).toMatchObject({ weight_counted: 70, sum: 3.57, score: 3.57, percentage: 71.43, band: 'C' });
  expect(shown.items.map(({ score, achievement_pct, contribution }) => [score, achievement_pct, contribution])).toEqual(
    [
      [4, null, 2.29],
      [null, null, null],
      [3, null, 1.28],
    ],
  );
});

test('contributions that have to be rounded still add up: 1.3336 + 0.9999 + 1.6665 = 1.33 + 1.00 + 1.67', () => {
  const items = [
    item(1, 'a', 3334, { manager_score: 4 }),
    item(2, 'b', 3333, { manager_score: 3 }),
    item(3, 'c', 3333, { manager_score: 5 }),
  ];
  const shown = explain('manager', { ...buyer, items });
  expect(shown.items.map(({ contribution }) => contribution)).toEqual([1.33, 1, 1.67]);
  expect(shown.sum).toBe(4);
});

test('of equal parts the one with the lower id gets the hundredth that is missing, in whatever order they come', () => {
  const items = [1, 2, 3].map((id) => item(id, `${id}`, 1, { manager_score: id === 3 ? 5 : 4 }));
  const shown = (order: typeof items) =>
    Object.fromEntries(
      explain('manager', { ...buyer, items: order }).items.map(({ item_id, contribution }) => [item_id, contribution]),
    );
  expect(shown(items)).toEqual({ 1: 1.33, 2: 1.33, 3: 1.67 });
  const even = [1, 2].map((id) => item(id, `${id}`, 1, { manager_score: 3.25 }));
  expect(shown(even)).toEqual({ 1: 1.63, 2: 1.62 });
  expect(shown(even.toReversed())).toEqual({ 1: 1.63, 2: 1.62 });
});

test('half a form is explained without a verdict', () => {
  const items = [savings, { ...leadTime, manager_score: null }, teamwork];
  expect(explain('manager', { ...buyer, items })).toMatchObject({
    weight_counted: 70,
    sum: 3.57,
    score: 3.57,
    percentage: 71.43,
    band: null,
    suggested_flag: null,
    complete: false,
  });
});

test('nothing applicable is explained by nulls', () => {
  const items = buyer.items.map((entry) => ({ ...entry, not_applicable: true }));
  expect(explain('final', { ...blended, items })).toMatchObject({
    weight_counted: 0,
    sum: null,
    score: null,
    percentage: null,
    blend: null,
    band: null,
    suggested_flag: null,
    complete: true,
  });
});
