import * as z from 'zod';
import { allowedActions, instant, Ref } from './envelope.ts';

/** A person whom a provider knows, but without a matching account. */
export const UnmatchedPerson = z.object({
  id: z.int(),
  subject: z.string().max(255),
  email: z.string().max(190).nullable(),
  name: z.string().max(255).nullable(),
  /** How many groups the provider named; null if it named none, or groups are not used. */
  groups_count: z.int().nullable(),
  tries: z.int(),
  last_try_at: instant,
});
export type UnmatchedPerson = z.output<typeof UnmatchedPerson>;

/** One of these people with the provider, for HR. */
export const WaitingPerson = UnmatchedPerson.extend({ provider: Ref, allowed_actions: allowedActions });
export type WaitingPerson = z.output<typeof WaitingPerson>;
