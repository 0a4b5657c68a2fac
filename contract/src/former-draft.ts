import * as z from 'zod';
import { instant } from './envelope.ts';

const words = z.string().max(5_000).nullable();

/** What a previous reviewer wrote in an evaluation but did not submit. */
export const FormerDraft = z.object({
  reviewer: z.string().max(255),
  at: instant,
  manager_comment: words,
  strengths: words,
  improvements: words,
  items: z.array(
    z.object({
      id: z.int(),
      manager_not_applicable: z.boolean().nullable(),
      manager_score: z.number().nullable(),
      manager_comment: words,
      manager_actual_value: z.number().nullable(),
    }),
  ),
});
