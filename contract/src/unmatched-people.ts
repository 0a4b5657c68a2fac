import * as z from 'zod';
import { allowedActions, instant, Ref } from './envelope.ts';

/** A person whom a provider knows and for whom no account was found. */
export const UnmatchedPerson = z.object({
  id: z.int(),
  subject: z.string().max(255),
  email: z.string().max(190).nullable(),
  name: z.string().max(255).nullable(),
  /** How many groups the provider named; null where it named none at all, or is not asked for them. */
  groups_count: z.int().nullable(),
  tries: z.int(),
  last_try_at: instant,
});
export type UnmatchedPerson = z.output<typeof UnmatchedPerson>;

/** One of these people with the provider, for HR. */
export const WaitingPerson = UnmatchedPerson.extend({ provider: Ref, allowed_actions: allowedActions });
export type WaitingPerson = z.output<typeof WaitingPerson>;
