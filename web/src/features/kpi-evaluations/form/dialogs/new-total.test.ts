import { expect, test } from 'vitest';
import { evaluation, evaluationItem, explanation } from '../../../../testing/evaluations.ts';
import { newTotal } from './new-total.ts';

const items = [
  evaluationItem({ id: 1, weight: 40 }),
  evaluationItem({ id: 2, weight: 30 }),
  evaluationItem({ id: 3, weight: 30 }),
];
const scores: Record<number, number> = { 1: 4, 2: 5, 3: 3 };
const of = (id: number) => scores[id] ?? null;

test('weights the final scores and names their share of the highest one', () => {
  expect(newTotal(evaluation({ items }), of)).toEqual({ score: 4, percentage: 80 });
  const uneven = [evaluationItem({ id: 1, weight: 55.5 }), evaluationItem({ id: 2, weight: 44.5 })];
  expect(newTotal(evaluation({ items: uneven }), (id) => (id === 1 ? 3 : 4))).toEqual({
    score: 3.45,
    percentage: 68.9,
  });
});

test('leaves out what does not apply, and has none where nothing does', () => {
  const [first, second, third] = items.map((item) => ({ ...item, not_applicable: item.id === 2 }));
  expect(newTotal(evaluation({ items: [first!, second!, third!] }), (id) => (id === 1 ? 4 : 3))).toEqual({
    score: 3.57,
    percentage: 71.43,
  });
  expect(newTotal(evaluation({ items: items.map((item) => ({ ...item, not_applicable: true })) }), of)).toBeNull();
});

test('mixes in the self-assessment where it counts', () => {
  const blend = {
    manager_score: 3,
    manager_weight_pct: 80,
    manager_contribution: 2.4,
    self_score: 4.4,
    self_weight_pct: 20,
    self_contribution: 0.88,
    score: 3.28,
  };
  const shown = evaluation({ items, explain: { result: explanation({ side: 'final', blend }) } });
  expect(newTotal(shown, of)).toEqual({ score: 4.08, percentage: 81.6 });
});
