import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bandOf, bands, distributionOf } from './bands.ts';
import { explain } from './explain.ts';
import { overallOf, sideScore } from './overall.ts';
import type { Evaluated, EvaluatedItem, Scored } from './overall.ts';

type NamedItem = EvaluatedItem & { name: string };
type NamedEvaluation = Omit<Evaluated, 'items'> & { items: NamedItem[] };

/** Weights that add up to exactly 100.00 %, as in a template. */
const weightsOf = fc
  .uniqueArray(fc.integer({ min: 1, max: 9999 }), { maxLength: 14 })
  .map((cuts) => [...cuts.toSorted((a, b) => a - b), 10_000])
  .map((ends) => ends.map((end, position) => end - (ends[position - 1] ?? 0)));

const evaluationOf = (given: { gaps: boolean }): fc.Arbitrary<NamedEvaluation> =>
  fc
    .record({
      weights: weightsOf,
      scale_max: fc.integer({ min: 1, max: 10 }),
      self_weight_pct: fc.integer({ max: 50, min: 0 }),
    })
    .chain(({ weights, scale_max, self_weight_pct }) => {
      const steps = fc.oneof(
        fc.integer({ min: 0, max: 2 * scale_max }).map((step) => step / 2),
        hundredthsUpTo(scale_max),
      );
      const score = given.gaps ? fc.option(steps, { freq: 6 }) : steps;
      const pct = fc.option(hundredthsUpTo(120), { freq: 8 });
      const item = fc.record({
        not_applicable: given.gaps ? fc.boolean() : fc.constant(false),
        self_score: score,
        self_achievement_pct: pct,
        manager_score: score,
        final_score: fc.option(steps, { freq: 3 }),
        achievement_pct: pct,
      });
      return fc.record({
        items: fc.tuple(...weights.map(() => item)).map((items) =>
          items.map((one, position) => ({
            id: position + 1,
            name: `Item ${position + 1}`,
            weight: weights[position]!,
            ...one,
          })),
        ),
        scale_max: fc.constant(scale_max),
        manager_weight_pct: fc.constant(100 - self_weight_pct),
        self_weight_pct: fc.constant(self_weight_pct),
        self_skipped: fc.boolean(),
        pip_below_pct: fc.constant(60),
        hipo_from_pct: fc.constant(90),
      });
    });

function hundredthsUpTo(most: number) {
  return fc.integer({ min: 0, max: most * 100 }).map((value) => value / 100);
}

const whole = evaluationOf({ gaps: false });
const any = evaluationOf({ gaps: true });
const managerSide = ({ items }: NamedEvaluation): Scored[] =>
  items.map((item) => ({ ...item, score: item.final_score ?? item.manager_score }));
const inHundredths = (value: number | null) => Math.round((value ?? 0) * 100);

/**
 * The same figures by counting: every basis point of weight is one vote for the item's score. The result is found by
 * counting up in hundredths until the next one would be too far.
 */
const slow = {
  votes: (items: readonly Scored[]) =>
    items.flatMap(({ weight, score, not_applicable }) =>
      not_applicable || score === null ? [] : Array.from({ length: weight }, () => Math.round(score * 100)),
    ),
  tally: (items: readonly Scored[]) => {
    const votes = slow.votes(items);
    let sum = 0;
    for (const vote of votes) sum += vote;
    return { sum, count: votes.length };
  },
  nearest: (top: number, bottom: number) => {
    let result = 0;
    while ((2 * result + 1) * bottom <= 2 * top) result += 1;
    return result / 100;
  },
  overall: (evaluated: NamedEvaluation) => {
    const manager = slow.tally(managerSide(evaluated));
    if (manager.count === 0) return null;
    const self = slow.tally(
      evaluated.self_skipped ? [] : evaluated.items.map((item) => ({ ...item, score: item.self_score })),
    );
    const own = self.count === 0 ? { sum: 0, count: 1, share: 0 } : { ...self, share: evaluated.self_weight_pct };
    const top = evaluated.manager_weight_pct * manager.sum * own.count + own.share * own.sum * manager.count;
    const bottom = manager.count * own.count * (evaluated.manager_weight_pct + own.share);
    return { score: slow.nearest(top, bottom), percentage: slow.nearest(100 * top, bottom * evaluated.scale_max) };
  },
};

describe('the result of an evaluation', () => {
  test('is the one of counting it out by hand', () => {
    fc.assert(
      fc.property(any, (evaluated) => {
        const { overall_score, overall_percentage } = overallOf(evaluated);
        const byHand = slow.overall(evaluated);
        expect({ overall_score, overall_percentage }).toEqual({
          overall_score: byHand?.score ?? null,
          overall_percentage: byHand?.percentage ?? null,
        });
      }),
    );
  });

  test('lies between the lowest and the highest score that count, the percentage between 0 and 100', () => {
    fc.assert(
      fc.property(whole, (evaluated) => {
        const { overall_score, overall_percentage } = overallOf(evaluated);
        const scores = [
          ...managerSide(evaluated).map(({ score }) => score!),
          ...evaluated.items.map(({ self_score }) => self_score!),
        ];
        expect(overall_score).toBeGreaterThanOrEqual(Math.min(...scores));
        expect(overall_score).toBeLessThanOrEqual(Math.max(...scores));
        expect(overall_percentage).toBeGreaterThanOrEqual(0);
        expect(overall_percentage).toBeLessThanOrEqual(100);
      }),
    );
  });

  test('of the same score everywhere is this score', () => {
    fc.assert(
      fc.property(whole, hundredthsUpTo(1), (evaluated, score) => {
        const items = evaluated.items.map((item) => ({
          ...item,
          self_score: score,
          manager_score: score,
          final_score: null,
        }));
        expect(overallOf({ ...evaluated, items }).overall_score).toBe(score);
      }),
    );
  });

  test.each(['self_score', 'manager_score'] as const)('never falls when a %s rises', (side) => {
    fc.assert(
      fc.property(whole, fc.nat(), fc.nat(), (evaluated, position, rise) => {
        const plain = { ...evaluated, items: evaluated.items.map((item) => ({ ...item, final_score: null })) };
        const raised = plain.items.map((item, at) => {
          if (at !== position % plain.items.length) return item;
          return {
            ...item,
            [side]: Math.min(inHundredths(item[side]) + (rise % 300), evaluated.scale_max * 100) / 100,
          };
        });
        const [before, after] = [overallOf(plain), overallOf({ ...plain, items: raised })];
        expect(after.overall_score).toBeGreaterThanOrEqual(before.overall_score!);
        expect(after.overall_percentage).toBeGreaterThanOrEqual(before.overall_percentage!);
      }),
    );
  });

  test('and its explanation do not depend on the order of the items', () => {
    const shuffled = any.chain((evaluated) =>
      fc.record({
        evaluated: fc.constant(evaluated),
        items: fc.shuffledSubarray(evaluated.items, { minLength: evaluated.items.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ evaluated, items }) => {
        const other = { ...evaluated, items };
        expect(overallOf(other)).toEqual(overallOf(evaluated));
        const byId = (given: NamedEvaluation) => {
          const shown = explain('final', given);
          return { ...shown, items: shown.items.toSorted((a, b) => a.item_id - b.item_id) };
        };
        expect(byId(other)).toEqual(byId(evaluated));
      }),
    );
  });

  test('is the one without the items that do not apply, whatever their scores are', () => {
    fc.assert(
      fc.property(any, fc.constantFrom(null, 0, 1), (evaluated, score) => {
        const without = { ...evaluated, items: evaluated.items.filter((item) => !item.not_applicable) };
        const rewritten = evaluated.items.map((item) =>
          item.not_applicable ? { ...item, self_score: score, manager_score: score, final_score: score } : item,
        );
        expect(overallOf(evaluated)).toEqual(overallOf(without));
        expect(overallOf({ ...evaluated, items: rewritten })).toEqual(overallOf(without));
      }),
    );
  });

  test('does not change when all weights are multiplied or an item is split in two', () => {
    fc.assert(
      fc.property(any, fc.integer({ min: 2, max: 9 }), (evaluated, times) => {
        const scaled = evaluated.items.map((item) => ({ ...item, weight: item.weight * times }));
        const split = scaled.flatMap((item) => [
          { ...item, weight: item.weight - 1 },
          { ...item, id: item.id + 1000, weight: 1 },
        ]);
        expect(overallOf({ ...evaluated, items: scaled })).toEqual(overallOf(evaluated));
        expect(overallOf({ ...evaluated, items: split })).toEqual(overallOf(evaluated));
      }),
    );
  });

  test('with a skipped self-assessment is the one of the manager alone', () => {
    fc.assert(
      fc.property(any, (evaluated) => {
        const { overall_score, overall_percentage } = overallOf({ ...evaluated, self_skipped: true });
        const alone = sideScore(managerSide(evaluated), evaluated.scale_max);
        expect({ overall_score, overall_percentage }).toEqual({
          overall_score: alone?.score ?? null,
          overall_percentage: alone?.percentage ?? null,
        });
      }),
    );
  });

  test('is a number of at most two decimals or null, never anything else', () => {
    fc.assert(
      fc.property(any, (evaluated) => {
        const { suggested_flag, complete, ...figures } = overallOf(evaluated);
        for (const figure of Object.values(figures))
          expect(figure === null || figure === Number(figure.toFixed(2))).toBe(true);
        expect(suggested_flag !== null).toBe(complete && figures.overall_score !== null);
      }),
    );
  });
});

describe('an explanation', () => {
  test('shows the result that is stored', () => {
    fc.assert(
      fc.property(any, (evaluated) => {
        const stored = overallOf(evaluated);
        const shown = explain('final', evaluated);
        expect({
          overall_score: shown.score,
          overall_percentage: shown.percentage,
          suggested_flag: shown.suggested_flag,
          complete: shown.complete,
          self_overall_score: explain('self', evaluated).score,
        }).toEqual({ ...stored, overall_achievement_pct: undefined });
        expect(JSON.parse(JSON.stringify(shown))).toEqual(shown);
      }),
    );
  });

  test.each(['self', 'manager', 'final'] as const)('of the %s side adds up to the hundredth', (side) => {
    fc.assert(
      fc.property(any, (evaluated) => {
        const { items, sum, score, blend, weight_counted } = explain(side, evaluated);
        const counted = items.filter(({ contribution }) => contribution !== null);
        expect(counted.reduce((total, { contribution }) => total + inHundredths(contribution), 0)).toBe(
          inHundredths(sum),
        );
        expect(inHundredths(weight_counted)).toBe(
          counted.reduce((total, { weight }) => total + inHundredths(weight), 0),
        );
        for (const { weight, score: points, contribution } of counted)
          expect(Math.abs(contribution! - (weight * points!) / weight_counted)).toBeLessThan(0.01);
        if (blend === null) {
          expect(score).toBe(sum);
        } else {
          const { manager_contribution, self_contribution, manager_weight_pct, self_weight_pct } = blend;
          expect(inHundredths(manager_contribution) + inHundredths(self_contribution)).toBe(inHundredths(score));
          expect(blend).toMatchObject({ manager_score: sum, score });
          expect(manager_weight_pct + self_weight_pct).toBe(100);
        }
      }),
    );
  });
});

describe('a distribution', () => {
  const count = fc.nat({ max: 50_000 });
  const counts = fc.record({ A: count, B: count, C: count, D: count });

  test('has shares within a hundredth of the truth that come to 100 % within two', () => {
    fc.assert(
      fc.property(counts, (given) => {
        const total = bands.reduce((sum, band) => sum + given[band], 0);
        fc.pre(total > 0);
        const shares = distributionOf(given, null);
        for (const { count: people, share_pct } of shares)
          expect(Math.abs(share_pct! - (100 * people) / total)).toBeLessThanOrEqual(0.005 + 1e-9);
        expect(
          Math.abs(shares.reduce((sum, { share_pct }) => sum + inHundredths(share_pct), 0) - 10_000),
        ).toBeLessThanOrEqual(2);
      }),
    );
  });

  test('has a place for every percentage, and a higher one never in a worse band', () => {
    const percentage = hundredthsUpTo(100);
    fc.assert(
      fc.property(percentage, percentage, (one, other) => {
        const [low, high] = one < other ? [one, other] : [other, one];
        expect(bands.indexOf(bandOf(high))).toBeLessThanOrEqual(bands.indexOf(bandOf(low)));
      }),
    );
  });
});
