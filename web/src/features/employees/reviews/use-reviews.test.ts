import type { KpiEvaluationRow } from '@tenure/contract';
import { expect, test } from 'vitest';
import { evaluation } from '../../../testing/evaluations.ts';
import { resultsOf, type Review } from './use-reviews.ts';

const rowOf = (id: number, cycle: number, fields: Partial<KpiEvaluationRow>): Review => ({
  kind: 'kpi',
  day: `2026-10-${id + 10}`,
  isOpen: false,
  due: null,
  row: evaluation({
    id,
    cycle_id: cycle,
    cycle: { id: cycle, name: `Cycle ${cycle}` },
    status: 'completed',
    ...fields,
  }),
});
const part = (number: number, days: number) => ({ number, from: '2026-07-01', until: '2026-09-30', days });
const first = (fields = {}) => rowOf(1, 7, { part: part(1, 100), overall_percentage: 80, ...fields });
const second = (fields = {}) => rowOf(2, 7, { part: part(2, 21), overall_percentage: 95, ...fields });
const before = rowOf(0, 6, { overall_percentage: 70 });
const figures = (reviews: Review[]) => resultsOf(reviews).map(({ cycle, percentage }) => [cycle, percentage]);

test('a cycle in parts is one result, weighted by days, once both parts are completed', () => {
  expect(figures([second(), first(), before])).toEqual([
    ['Cycle 6', 70],
    ['Cycle 7', 82.6],
  ]);
  expect(figures([second({ status: 'accepted' }), first(), before])).toEqual([['Cycle 6', 70]]);
});

test('one part alone is no result of the cycle, unless the other one is cancelled', () => {
  expect(figures([second(), before])).toEqual([['Cycle 6', 70]]);
  expect(figures([second({ status: 'cancelled' }), first()])).toEqual([['Cycle 7', 80]]);
});
