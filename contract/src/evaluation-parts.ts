import * as z from 'zod';
import { day, Ref } from './envelope.ts';

/** The part of the cycle that an evaluation covers, of two. */
export const EvaluationPart = z.object({
  number: z.int(),
  from: day,
  until: day,
  /** The days of the person in the part, which weigh its result. */
  days: z.int(),
});
export type EvaluationPart = z.output<typeof EvaluationPart>;

/** The parts of a cycle that count for a person, and their common result. */
export const WholeResult = z.object({
  /** Those in the reader's scope. */
  parts: z.array(
    EvaluationPart.extend({
      id: z.int(),
      department: Ref,
      is_completed: z.boolean(),
      /** Of a completed part; null where no item applied. */
      overall_percentage: z.number().nullable(),
    }),
  ),
  /** The mean weighted by days; null until all parts are completed, and for readers who do not see all of them. */
  overall_percentage: z.number().nullable(),
  band_name: z.string().max(40).nullable(),
});
export type WholeResult = z.output<typeof WholeResult>;
