import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { instant, item } from './envelope.ts';
import { email, password, text } from './fields.ts';
import { PasskeyAnswer, PasskeyRequest } from './passkeys.ts';
import { factorCode, recoveryCode } from './second-factors.ts';
import { messageField } from './message-field.ts';

/** Links sent by HR, with which people choose a password. */
export const sentPurposes = ['password_reset', 'invitation'] as const;

/** Links that users request: a password reset, and the two links for a new sign-in address. */
export const ownPurposes = ['requested_reset', 'address_change', 'address_stop'] as const;

/** The purpose of a link sent by mail. */
export const linkPurposes = [...sentPurposes, ...ownPurposes] as const;

/** What the holder of a link's token can read; not the sign-in address. */
export const AccountLink = z.object({
  purpose: z.enum(linkPurposes),
  /** The address that it was sent to, mostly masked. */
  email_hint: z.string().max(190),
  expires_at: instant,
  /** Whether a code or passkey of the account is required in addition to the link. */
  second_factor: z.boolean(),
});
export type AccountLink = z.output<typeof AccountLink>;
/** The purpose of a link sent by HR. */
export type SentPurpose = (typeof sentPurposes)[number];
export type OwnPurpose = (typeof ownPurposes)[number];

const token = text(200);
const guest = { method: 'POST', permission: 'public', scope: 'none', guest: true, status: 200 } as const;
const confirmation = z.object({ message: messageField(255) });

/** Links mailed to people without a session. The token is in the URL fragment, which no server sees. */
export const accountLinks = {
  check: endpoint({
    ...guest,
    path: '/account-links/check',
    summary: 'See whether a link by mail is still valid',
    body: z.object({ token }),
    reply: item(AccountLink),
  }),
  options: endpoint({
    ...guest,
    path: '/account-links/options',
    summary: 'How the second factor of an account is proved beside a link to choose a password',
    body: z.object({ token }),
    reply: item(
      z.object({
        /** The account has an authenticator app. */
        totp: z.boolean(),
        /** The request for a passkey of the account; null if it has none that works here. */
        options: PasskeyRequest.nullable(),
      }),
    ),
    secret: true,
  }),
  redeem: endpoint({
    ...guest,
    path: '/account-links/redeem',
    summary:
      'Choose a password with a link by mail, and with a second factor where the account has one; ends all sessions and begins none',
    body: z.object({
      token,
      password: password(),
      password_confirmation: z.string().max(1_024).optional(),
      code: factorCode().optional(),
      recovery_code: recoveryCode().optional(),
      credential: PasskeyAnswer.optional(),
    }),
    reply: confirmation,
  }),
  settle: endpoint({
    ...guest,
    path: '/account-links/settle',
    summary: 'Confirm another sign-in address with the link to it, or stop the change with the link to the old one',
    body: z.object({ token }),
    reply: confirmation,
  }),
  requestReset: endpoint({
    ...guest,
    path: '/password-reset-requests',
    setting: 'PASSWORD_RESET_BY_MAIL',
    summary: 'Ask for a link to choose a new password',
    body: z.object({ email: email() }),
    reply: confirmation,
  }),
};
