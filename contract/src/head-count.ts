import * as z from 'zod';
import { employmentTypes } from './employee-rows.ts';
import { day, Ref } from './envelope.ts';

const counted = { id: z.int(), name: z.string().max(150), count: z.int() };

/** Groups by the job of the day, largest first; omits empty groups. */
export const HeadCountOnDay = z.object({
  as_of: day,
  /** The total of the list with the same filters and reader. */
  total: z.int(),
  by_entity: z.array(z.object(counted)),
  by_department: z.array(z.object({ ...counted, entity: Ref })),
  by_employment_type: z.record(z.enum(employmentTypes), z.int()),
});
export type HeadCountOnDay = z.output<typeof HeadCountOnDay>;
