import * as z from 'zod';
import { messageField } from './message-field.ts';

/** `{data, message}`: one object, read or changed. */
export const item = <T extends z.ZodType>(data: T) => z.object({ data, message: messageField() });

// the longest URL in a header block, with every character percent-encoded
const url = z.string().max(65_536);

/** `{data, links, meta}`: a page of a list. */
export const page = <T extends z.ZodType>(row: T) =>
  z.object({
    data: z.array(row),
    links: z.object({ first: url, last: url, prev: url.nullable(), next: url.nullable() }),
    meta: z.object({
      current_page: z.int(),
      from: z.int(),
      last_page: z.int(),
      per_page: z.int(),
      to: z.int(),
      total: z.int(),
    }),
  });

/** How a user can prove their identity again. */
export const stepUpProofs = ['password', 'totp', 'passkey', 'provider'] as const;

/** The shape of all refusals (4xx and 5xx). */
export const Refusal = z.object({
  message: messageField(),
  errors: z.record(z.string().max(500), z.array(messageField())).optional(),
  status: z.string().max(50).optional(),
  revision: z.int().optional(),
  request_id: z.string().max(100).optional(),
  outcome: z.literal('unknown').optional(),
  /** The message states the reason, and is shown instead of a general one. */
  explained: z.literal(true).optional(),
  /** The request succeeds after a POST to /profile/step-up with one of these. */
  step_up: z.array(z.enum(stepUpProofs)).optional(),
});
export type Refusal = z.output<typeof Refusal>;

const shortText = z.string().max(255);

/** A reference to a named record. */
export const Ref = z.object({ id: z.int(), name: shortText });
export type Ref = z.output<typeof Ref>;

/** A reference to a person, which discloses only name and number. */
export const PersonRef = z.object({ id: z.int(), employee_number: z.string().max(20), name: z.string().max(255) });
export type PersonRef = z.output<typeof PersonRef>;

/** Who did something; `user_id` is null for the service itself. */
export const ActorRef = z.object({ user_id: z.int().nullable(), name: z.string().max(255) });
export type ActorRef = z.output<typeof ActorRef>;

/** An instant in UTC with milliseconds, `2026-11-21T01:48:42.000Z`. */
export const instant = z.string().max(24);
/** A day without a time zone, `2026-11-21`. */
export const day = z.string().max(10);
/** What the caller may currently do with the record: the last path segment of the endpoint, `update` or `delete`. */
export const allowedActions = z.array(z.string().max(40));
/** Fields at the end of every stored record. */
export const stamps = { created_at: instant, updated_at: instant };
