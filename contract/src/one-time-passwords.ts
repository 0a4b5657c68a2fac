import * as z from 'zod';
import { instant, PersonRef } from './envelope.ts';
import { oneOf } from './fields.ts';
import { messageField } from './message-field.ts';

export const OneTimePassword = z.object({ one_time_password: z.string().max(40), expires_at: instant });

/** How a person gets a new password: a link in their own mail, or a one-time password that its issuer sees. */
export const deliveries = ['mail', 'screen'] as const;
/** By default by mail if the installation sends mail, else on the screen. */
export const delivery = oneOf(deliveries).optional();
/** The most people who get one in one request. */
export const maxPasswordPeople = 500;

const account = { employee_id: z.int(), email: z.string().max(190) };

/** The result of a request for many people: who got a password, who a link, and who neither, and why. */
export const PasswordsIssued = z.object({
  delivery: z.enum(deliveries),
  /** Links can be sent, because the installation sends mail. */
  mail_is_on: z.boolean(),
  /** Hours that a link would be valid. */
  link_hours: z.int(),
  issued: z.array(OneTimePassword.extend(account)),
  sent: z.array(z.object({ ...account, expires_at: instant })),
  /** Those who sign in through a provider: their mail names it and has no password link. Absent if there are none. */
  through_provider: z.array(z.object({ employee_id: z.int(), provider: z.string().max(1_000) })).optional(),
  refused: z.array(z.object({ employee_id: z.int(), reason: messageField(255) })),
  /** All requested people whom the permission covers. */
  people: z.array(PersonRef),
});
export type PasswordsIssued = z.output<typeof PasswordsIssued>;
