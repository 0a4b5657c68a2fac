import * as z from 'zod';
import { instant, PersonRef } from './envelope.ts';
import { oneOf } from './fields.ts';
import { spoken } from './spoken.ts';

export const OneTimePassword = z.object({ one_time_password: z.string().max(40), expires_at: instant });

/** How a person gets a new password: by a link in a mail only they read, or by a one-time password its issuer sees. */
export const deliveries = ['mail', 'screen'] as const;
/** Without it by mail where the installation has it, else on the screen. */
export const delivery = oneOf(deliveries).optional();
/** So many people get one with one request. */
export const maxPasswordPeople = 500;

const account = { employee_id: z.int(), email: z.string().max(190) };

/** What became of a request for many people: who got a password, who a link, and who neither and why. */
export const PasswordsIssued = z.object({
  delivery: z.enum(deliveries),
  /** Links can be sent: the installation has mail. */
  mail_is_on: z.boolean(),
  /** Hours a link would be valid for. */
  link_hours: z.int(),
  issued: z.array(OneTimePassword.extend(account)),
  sent: z.array(z.object({ ...account, expires_at: instant })),
  /** Those who sign in through a provider: their mail names it and has no link to a password. Absent without any. */
  through_provider: z.array(z.object({ employee_id: z.int(), provider: z.string().max(1_000) })).optional(),
  refused: z.array(z.object({ employee_id: z.int(), reason: spoken(255) })),
  /** All people asked for whom the permission covers. */
  people: z.array(PersonRef),
});
export type PasswordsIssued = z.output<typeof PasswordsIssued>;
