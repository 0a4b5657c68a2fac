import { describe, expect, test } from 'vitest';
import { flagOf, overallOf, sideScore } from './overall.ts';
import type { Evaluated, EvaluatedItem, Scored } from './overall.ts';

const scored = (weight: number, score: number | null, more: Partial<Scored> = {}): Scored => ({
  id: weight,
  weight,
  score,
  not_applicable: false,
  achievement_pct: null,
  ...more,
});
const item = (id: number, weight: number, more: Partial<EvaluatedItem> = {}): EvaluatedItem => ({
  id,
  weight,
  not_applicable: false,
  self_score: null,
  self_achievement_pct: null,
  manager_score: null,
  final_score: null,
  achievement_pct: null,
  ...more,
});
const managerOnly = {
  scale_max: 5,
  manager_weight_pct: 100,
  self_weight_pct: 0,
  self_skipped: false,
  pip_below_pct: 60,
  hipo_from_pct: 90,
};
const buyer: Evaluated = {
  ...managerOnly,
  items: [
    item(1, 4000, { self_score: 5, manager_score: 4 }),
    item(2, 3000, { self_score: 4, manager_score: 5 }),
    item(3, 3000, { self_score: 4, manager_score: 3 }),
  ],
};
const blended: Evaluated = { ...buyer, manager_weight_pct: 80, self_weight_pct: 20 };

describe('one side', () => {
  test.each([
    { name: '40/30/30 with 4/5/3', side: [scored(4000, 4), scored(3000, 5), scored(3000, 3)], score: 4, pct: 80 },
    { name: '40/30/30 with 5/4/4', side: [scored(4000, 5), scored(3000, 4), scored(3000, 4)], score: 4.4, pct: 88 },
    {
      name: '40 and 30 with 4/3 beside 30 not applicable',
      side: [scored(4000, 4), scored(3000, 5, { not_applicable: true }), scored(3000, 3)],
      score: 3.57,
      pct: 71.43,
    },
    {
      name: '33.34/33.33/33.33 with 4/3/5',
      side: [scored(3334, 4), scored(3333, 3), scored(3333, 5)],
      score: 4,
      pct: 80,
    },
    { name: '55.50/44.50 with 3/4', side: [scored(5550, 3), scored(4450, 4)], score: 3.45, pct: 68.9 },
    { name: 'the criteria 60/40 with 4/3', side: [scored(6000, 4), scored(4000, 3)], score: 3.6, pct: 72 },
    { name: 'half steps', side: [scored(5000, 3.5), scored(5000, 4.5)], score: 4, pct: 80 },
  ])('$name is $score and $pct %', ({ side, score, pct }) => {
    expect(sideScore(side, 5)).toEqual({ score, percentage: pct, complete: true });
  });

  test('the scale of the item set is the one of the percentage', () => {
    expect(sideScore([scored(10_000, 7)], 10)).toEqual({ score: 7, percentage: 70, complete: true });
    expect(sideScore([scored(10_000, 0)], 3)).toEqual({ score: 0, percentage: 0, complete: true });
  });

  test('an unfinished side gives the figure of what is scored so far and says so', () => {
    const side = [scored(4000, 4), scored(3000, null), scored(3000, 3, { not_applicable: true })];
    expect(sideScore(side, 5)).toEqual({ score: 4, percentage: 80, complete: false });
  });

  test('nothing that counts gives nothing, not 0', () => {
    expect(sideScore([scored(10_000, 4, { not_applicable: true })], 5)).toBeNull();
    expect(sideScore([scored(10_000, null)], 5)).toBeNull();
    expect(sideScore([], 5)).toBeNull();
  });

  test('a score with a third decimal is refused rather than rounded', () => {
    expect(() => sideScore([scored(10_000, 3.333)], 5)).toThrow(RangeError);
    expect(() => sideScore([scored(10_000, Number.NaN)], 5)).toThrow(RangeError);
  });
});

describe('the result', () => {
  test('of the manager alone', () => {
    expect(overallOf(buyer)).toEqual({
      self_overall_score: 4.4,
      overall_score: 4,
      overall_percentage: 80,
      overall_achievement_pct: null,
      suggested_flag: 'standard',
      complete: true,
    });
  });

  test('of 80 % manager and 20 % self', () => {
    expect(overallOf(blended)).toMatchObject({ overall_score: 4.08, overall_percentage: 81.6 });
  });

  test('a skipped self-assessment is left out, not counted as 0, whatever its draft holds', () => {
    expect(overallOf({ ...blended, self_skipped: true })).toMatchObject({
      self_overall_score: null,
      overall_score: 4,
      overall_percentage: 80,
    });
  });

  test('a final score takes the place of the manager score', () => {
    const [first, ...others] = buyer.items;
    const items = [{ ...first!, final_score: 5 }, ...others];
    expect(overallOf({ ...buyer, items })).toMatchObject({ overall_score: 4.4, overall_percentage: 88 });
  });

  test('there is none before the manager scored, however good the self-assessment', () => {
    const items = blended.items.map((entry) => ({ ...entry, manager_score: null }));
    expect(overallOf({ ...blended, items })).toEqual({
      self_overall_score: 4.4,
      overall_score: null,
      overall_percentage: null,
      overall_achievement_pct: null,
      suggested_flag: null,
      complete: false,
    });
  });

  test('nothing applicable gives no score, no percentage and no flag', () => {
    const items = buyer.items.map((entry) => ({ ...entry, not_applicable: true }));
    expect(overallOf({ ...blended, items })).toEqual({
      self_overall_score: null,
      overall_score: null,
      overall_percentage: null,
      overall_achievement_pct: null,
      suggested_flag: null,
      complete: true,
    });
  });

  test('no flag is suggested from half a form', () => {
    const items = [...buyer.items, item(4, 1000)];
    expect(overallOf({ ...buyer, items })).toMatchObject({
      overall_score: 4,
      suggested_flag: null,
      complete: false,
    });
  });

  test('the blend is rounded once: the sides 3.445 and 3.335, shown as 3.45 and 3.34, give 3.423 and not 3.428', () => {
    const items = [
      item(1, 5550, { self_score: 2, manager_score: 3 }),
      item(2, 4450, { self_score: 5, manager_score: 4 }),
    ];
    expect(overallOf({ ...blended, items })).toMatchObject({
      self_overall_score: 3.34,
      overall_score: 3.42,
      overall_percentage: 68.46,
    });
  });
});

describe('the achievement of a whole evaluation', () => {
  const measured = [
    item(1, 5000, { manager_score: 4, achievement_pct: 105 }),
    item(2, 3000, { manager_score: 3, achievement_pct: 80 }),
    item(3, 2000, { manager_score: 5, achievement_pct: 120 }),
  ];
  const achievement = (items: EvaluatedItem[]) => overallOf({ ...managerOnly, items }).overall_achievement_pct;

  test('is the weighted mean', () => {
    expect(achievement(measured)).toBe(100.5);
  });

  test('is null when an item that counts is rated, and leaves out one that does not apply', () => {
    const rated = item(4, 1000, { manager_score: 3 });
    expect(achievement([...measured, rated])).toBeNull();
    expect(achievement([...measured, { ...rated, not_applicable: true }])).toBe(100.5);
  });
});

test.each([
  [58, 'pip'],
  [59.99, 'pip'],
  [60, 'standard'],
  [80, 'standard'],
  [89.99, 'standard'],
  [90, 'hipo'],
  [100, 'hipo'],
])('%f %% suggests %s', (percentage, flag) => {
  expect(flagOf(percentage, managerOnly)).toBe(flag);
});

test('the percentage that is shown decides the flag: 59.996 is shown as 60.00', () => {
  const result = (points: number) =>
    overallOf({
      ...managerOnly,
      items: [item(1, points, { manager_score: 3 }), item(2, 10_000 - points, { manager_score: 2.99 })],
    });
  expect(result(9800)).toMatchObject({ overall_percentage: 60, suggested_flag: 'standard' });
  expect(result(9000)).toMatchObject({ overall_percentage: 59.98, suggested_flag: 'pip' });
});
