import * as z from 'zod';
import { confirmed, endpoint } from './endpoint.ts';
import { instant, item } from './envelope.ts';
import { text } from './fields.ts';
import { Passkey } from './passkeys.ts';

const own = { permission: 'signed in', scope: 'own', accepts: 'session' } as const;

/** A code from an authenticator app as typed, possibly with a space in the middle. */
export const factorCode = () => text(20);
/** A recovery code as typed, with or without hyphens. */
export const recoveryCode = () => text(40);

/** Codes that are shown once; each replaces the app once. */
const RecoveryCodes = z.object({ recovery_codes: z.array(z.string().max(40)) });

export const AccountSecurity = z.object({
  /** The authenticator app; null without one. */
  totp: z.object({ added_at: instant, last_used_at: instant.nullable() }).nullable(),
  passkeys: z.array(Passkey),
  /** Whether passkeys work at the address of this service. */
  passkeys_work: z.boolean(),
  /** The only providers through which the user may sign in, by rule of the company; null if a password is enough. */
  sign_in_through: z.string().max(1_000).nullable(),
  /** Whether the user's password can be used to sign in. */
  password_sign_in: z.boolean(),
  /** Unused recovery codes. */
  recovery_codes_left: z.int(),
});
export type AccountSecurity = z.output<typeof AccountSecurity>;

/** What users prove their identity with, in addition to the password. */
export const secondFactors = {
  security: endpoint({
    ...own,
    method: 'GET',
    path: '/profile/security',
    summary: 'Read which second factors the own account has',
    reply: item(AccountSecurity),
    status: 200,
  }),
  startTotp: endpoint({
    ...own,
    ...confirmed,
    method: 'POST',
    path: '/profile/totp',
    summary: 'Begin to set up an authenticator app; it counts once a code of it was sent',
    reply: item(
      z.object({
        /** The seed in base32, for users who cannot scan the QR code. */
        secret: z.string().max(64),
        otpauth_url: z.string().max(1_000),
      }),
    ),
    secret: true,
    status: 201,
  }),
  confirmTotp: endpoint({
    ...own,
    method: 'POST',
    path: '/profile/totp/confirm',
    summary: 'Set up the authenticator app with a code of it, in place of an earlier app; makes new recovery codes',
    body: z.object({ code: factorCode() }),
    reply: item(RecoveryCodes),
    secret: true,
    status: 200,
  }),
  removeTotp: endpoint({
    ...own,
    ...confirmed,
    method: 'DELETE',
    path: '/profile/totp',
    summary: 'Remove the authenticator app, and the recovery codes with it',
    status: 204,
  }),
  newRecoveryCodes: endpoint({
    ...own,
    ...confirmed,
    method: 'POST',
    path: '/profile/recovery-codes',
    summary: 'Make new recovery codes; the earlier ones end',
    reply: item(RecoveryCodes),
    secret: true,
    status: 201,
  }),
};
