import * as z from 'zod';
import { confirmed, endpoint } from './endpoint.ts';
import { instant, item } from './envelope.ts';
import { text } from './fields.ts';
import { Passkey } from './passkeys.ts';

const own = { permission: 'signed in', scope: 'own', accepts: 'session' } as const;

/** A code of an authenticator app as it is typed, perhaps with a space in its middle. */
export const factorCode = () => text(20);
/** A recovery code as it is typed, with or without its hyphens. */
export const recoveryCode = () => text(40);

/** Codes that are shown once; each stands in for the app once. */
const RecoveryCodes = z.object({ recovery_codes: z.array(z.string().max(40)) });

export const AccountSecurity = z.object({
  /** The authenticator app; null without one. */
  totp: z.object({ added_at: instant, last_used_at: instant.nullable() }).nullable(),
  passkeys: z.array(Passkey),
  /** Whether passkeys work at the address of this service. */
  passkeys_work: z.boolean(),
  /** The providers through which alone the person signs in, as the company demands; null where a password will do. */
  sign_in_through: z.string().max(1_000).nullable(),
  /** Whether the own password signs in. */
  password_sign_in: z.boolean(),
  /** Unused recovery codes. */
  recovery_codes_left: z.int(),
});
export type AccountSecurity = z.output<typeof AccountSecurity>;

/** What a person proves beside the password that it is them. */
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
        /** The seed in base32, for who cannot scan the address as a QR code. */
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
