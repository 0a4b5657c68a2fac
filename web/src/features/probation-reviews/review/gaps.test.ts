import type { ProbationReview } from '@tenure/contract';
import { expect, test } from 'vitest';
import { probationReview } from '../../../testing/probation.ts';
import { gapsOf } from './gaps.ts';

const whole: Partial<ProbationReview> = { performance_rating: 4, comments: 'Ready', recommendation: 'confirm' };
const criterion = (fields: object = {}) => ({ name: 'Care', weight: 100, rating: 3, comment: null, ...fields });

test.each<[string, Partial<ProbationReview>, string[]]>([
  ['nothing', {}, []],
  ['a rating', { performance_rating: null }, ['performance_rating rating']],
  ['words, of which spaces are none', { comments: '  ' }, ['comments comments']],
  ['a recommendation', { recommendation: null }, ['recommendation recommendation']],
  ['months', { recommendation: 'extend', extension_months: null }, ['extension_months months']],
  ['nothing, with months', { recommendation: 'extend', extension_months: 2 }, []],
  [
    'another recommendation if no extension is left',
    { recommendation: 'extend', extension_months: 2, extensions: { count: 1, maximum: 1 } },
    ['recommendation extension'],
  ],
  ['the rating of a criterion', { criteria: [criterion({ rating: null })] }, ['criteria.0 criterion']],
  ['100 percent', { criteria: [criterion({ weight: 99.99 })] }, ['criteria.0 weights']],
  [
    'nothing if uneven shares add up',
    { criteria: [criterion({ weight: 0.6 }), criterion({ weight: 17.58 }), criterion({ weight: 81.82 })] },
    [],
  ],
])('missing before signing: %s', (_what, fields, gaps) => {
  const review = probationReview({ extensions: { count: 0, maximum: 1 }, ...whole, ...fields });
  expect(gapsOf(review).map(({ field, kind }) => `${field} ${kind}`)).toEqual(gaps);
});

test('a hidden field counts as missing, but a hidden limit does not count as reached', () => {
  const { performance_rating: _r, comments: _c, recommendation: _n, extensions: _e, ...hidden } = probationReview();
  expect(gapsOf(hidden).map(({ kind }) => kind)).toEqual(['rating', 'comments', 'recommendation']);
  expect(gapsOf({ ...hidden, ...whole, recommendation: 'extend', extension_months: 1 })).toEqual([]);
});
