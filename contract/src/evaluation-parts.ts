import * as z from 'zod';
import { day, Ref } from './envelope.ts';

/** One of the two parts of a cycle that an evaluation covers. */
export const EvaluationPart = z.object({
  number: z.int(),
  from: day,
  until: day,
  /** The person's days in the part, which are the weight of its result. */
  days: z.int(),
});
export type EvaluationPart = z.output<typeof EvaluationPart>;

/** The parts of a cycle that count for a person, and their combined result. */
export const WholeResult = z.object({
  /** The parts in the reader's scope. */
  parts: z.array(
    EvaluationPart.extend({
      id: z.int(),
      department: Ref,
      is_completed: z.boolean(),
      /** For a completed part; null if no item applied. */
      overall_percentage: z.number().nullable(),
    }),
  ),
  /** The mean weighted by days; null until all parts are completed, and for readers who do not see all of them. */
  overall_percentage: z.number().nullable(),
  band_name: z.string().max(40).nullable(),
});
export type WholeResult = z.output<typeof WholeResult>;
