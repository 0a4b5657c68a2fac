import * as z from 'zod';
import { PersonRef } from './envelope.ts';
import { messageField } from './message-field.ts';

/** Why a person in a department gets no evaluation. */
export const exclusionReasons = [
  'inactive',
  'joining',
  'probationary',
  'leaving',
  'joined_later',
  'short_service',
  'left_out',
  'cancelled',
] as const;
export type ExclusionReason = (typeof exclusionReasons)[number];
export const preflightCodes = [
  'no_departments',
  'no_template',
  'template_not_active',
  'other_company',
  'nobody_eligible',
  'no_reviewer',
  'manager_without_permission',
  'window_passed',
  'highest_below_full',
  'move_undecided',
] as const;

const finding = z.object({
  department_id: z.int().nullable(),
  employee: PersonRef.nullable(),
  code: z.enum(preflightCodes),
  message: messageField(),
});
export type PreflightFinding = z.output<typeof finding>;

export const Preflight = z.object({
  cycle_id: z.int(),
  eligible: z.int(),
  to_create: z.int(),
  existing: z.int(),
  /** At most 500 people; `excluded_count` counts all. */
  excluded: z.array(z.object({ employee: PersonRef, reason: z.enum(exclusionReasons) })),
  excluded_count: z.int(),
  /** People in published departments who became eligible after publishing; at most 500, but the count includes all. */
  newly_eligible: z.array(z.object({ department_id: z.int(), employee: PersonRef })),
  newly_eligible_count: z.int(),
  /** How many people would be notified. */
  notified: z.int(),
  /** The templates of the departments, each with the highest percentage that it can reach. */
  templates: z.array(z.object({ id: z.int(), name: z.string().max(150), highest_pct: z.number() })),
  blockers: z.array(finding),
  warnings: z.array(finding),
  plan_hash: z.string().max(64),
});
export type Preflight = z.output<typeof Preflight>;
