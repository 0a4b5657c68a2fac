import * as z from 'zod';
import { employmentTypes } from './employee-rows.ts';
import { day, Ref } from './envelope.ts';

const counted = { id: z.int(), name: z.string().max(150), count: z.int() };

/** Each group as in the job of the day; the largest first, and only those with people. */
export const HeadCountOnDay = z.object({
  as_of: day,
  /** That of the list for the same filters and reader. */
  total: z.int(),
  by_entity: z.array(z.object(counted)),
  by_department: z.array(z.object({ ...counted, entity: Ref })),
  by_employment_type: z.record(z.enum(employmentTypes), z.int()),
});
export type HeadCountOnDay = z.output<typeof HeadCountOnDay>;
