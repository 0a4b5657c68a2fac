import * as z from 'zod';

export const performanceFlags = ['pip', 'standard', 'hipo'] as const;

const score = z.number().nullable();

/** A target that was reduced in proportion to the person's days in the cycle. */
export const Proration = z.object({
  employed_days: z.int(),
  cycle_days: z.int(),
  /** Target and baseline in proportion to the days; the calculation does not round them. */
  target_value: z.number(),
  baseline_value: z.number().nullable(),
});
export type Proration = z.output<typeof Proration>;

/** How a figure is computed, step by step. Weights in percent; a contribution is weight × score / counted weight. */
export const ScoreExplanation = z.object({
  side: z.enum(['self', 'manager', 'final']),
  items: z.array(
    z.object({
      item_id: z.int(),
      name: z.string().max(200),
      weight: z.number(),
      score,
      not_applicable: z.boolean(),
      achievement_pct: z.number().nullable(),
      /** How days reduced the target; null for the full target. */
      proration: Proration.nullable(),
      contribution: z.number().nullable(),
    }),
  ),
  /** The weight of the items that count. */
  weight_counted: z.number(),
  /** The sum of the contributions. */
  sum: score,
  score,
  percentage: score,
  /** Present if the scores of both sides are blended. */
  blend: z
    .object({
      manager_score: score,
      manager_weight_pct: z.int(),
      manager_contribution: z.number(),
      self_score: score,
      self_weight_pct: z.int(),
      self_contribution: z.number(),
      score,
    })
    .nullable(),
  band: z.enum(['A', 'B', 'C', 'D']).nullable(),
  /** The cycle's name for the band, and its lower (inclusive) and upper (exclusive) limit in percent; null if none. */
  band_is: z.object({ name: z.string().max(40), from: z.number().nullable(), below: z.number().nullable() }).nullable(),
  suggested_flag: z.enum(performanceFlags).nullable(),
  /** Every item has a score or does not apply. */
  complete: z.boolean(),
});
export type ScoreExplanation = z.output<typeof ScoreExplanation>;
