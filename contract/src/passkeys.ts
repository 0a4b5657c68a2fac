import * as z from 'zod';
import { confirmed, endpoint } from './endpoint.ts';
import { instant, item } from './envelope.ts';
import { boolean, oneOf, pattern, text } from './fields.ts';
import { messageField } from './message-field.ts';

/**
 * Passkeys in the JSON formats of WebAuthn Level 3: browsers parse the options with
 * `PublicKeyCredential.parse…FromJSON` and serialise their response with `toJSON`.
 */

const bytes = (max: number) => pattern(/^[A-Za-z0-9_-]*$/, max);
const anyText = z.string().max(1_400);

/** What a browser sends in addition to the response; anything else is ignored. */
const credential = {
  id: bytes(1_400),
  rawId: bytes(1_400),
  type: oneOf(['public-key']),
};

/** A new passkey, as created by a browser. */
const NewCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(6_000),
    attestationObject: bytes(30_000),
    transports: z.array(text(20)).max(10).nullish(),
  }),
});

/** The response of a passkey. */
export const PasskeyAnswer = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(6_000),
    authenticatorData: bytes(6_000),
    signature: bytes(10_000),
    userHandle: bytes(100).nullish(),
  }),
});
export type PasskeyAnswer = z.output<typeof PasskeyAnswer>;

const Descriptor = z.object({ id: anyText, type: z.literal('public-key'), transports: z.array(anyText).optional() });

/** Options for `navigator.credentials.get`. */
export const PasskeyRequest = z.object({
  challenge: anyText,
  timeout: z.int(),
  rpId: anyText,
  allowCredentials: z.array(Descriptor),
  userVerification: z.literal('required'),
});
export type PasskeyRequest = z.output<typeof PasskeyRequest>;

/** Options for `navigator.credentials.create`. */
const PasskeyCreation = z.object({
  rp: z.object({ id: anyText, name: anyText }),
  user: z.object({ id: anyText, name: anyText, displayName: anyText }),
  challenge: anyText,
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
export type PasskeyCreation = z.output<typeof PasskeyCreation>;

export const Passkey = z.object({
  id: z.int(),
  name: z.string().max(100),
  added_at: instant,
  last_used_at: instant.nullable(),
  /** The device's maker or a password manager keeps a copy, so that the passkey survives the loss of the device. */
  backed_up: z.boolean(),
  /** Whether it belongs to the current host of this installation; otherwise it can no longer be used. */
  works: z.boolean(),
});
export type Passkey = z.output<typeof Passkey>;

const own = { permission: 'signed in', scope: 'own', accepts: 'session' } as const;
const name = () => text(100, 1);

/** The user's passkeys, and whether their password can still be used to sign in. */
export const passkeys = {
  options: endpoint({
    ...own,
    ...confirmed,
    method: 'POST',
    path: '/profile/passkeys/options',
    summary: 'Begin to add a passkey: the options for the browser',
    reply: item(z.object({ options: PasskeyCreation })),
    secret: true,
    status: 200,
  }),
  add: endpoint({
    ...own,
    method: 'POST',
    path: '/profile/passkeys',
    summary: 'Add the passkey that the browser made; the first factor of an account brings recovery codes',
    body: z.object({ name: name(), credential: NewCredential }),
    reply: item(
      z.object({
        passkey: Passkey,
        /** Shown once; null for an account that already has some. */
        recovery_codes: z.array(z.string().max(40)).nullable(),
      }),
    ),
    secret: true,
    status: 201,
  }),
  rename: endpoint({
    ...own,
    method: 'PUT',
    path: '/profile/passkeys/:id',
    summary: 'Rename a passkey',
    body: z.object({ name: name() }),
    reply: item(Passkey),
    status: 200,
  }),
  remove: endpoint({
    ...own,
    ...confirmed,
    method: 'DELETE',
    path: '/profile/passkeys/:id',
    summary: 'Remove a passkey; the sessions that began with it end',
    status: 204,
  }),
  passwordSignIn: endpoint({
    ...own,
    ...confirmed,
    method: 'PUT',
    path: '/profile/password-sign-in',
    summary: 'Switch signing in with the own password off, with two passkeys, or on again',
    body: z.object({ enabled: boolean() }),
    reply: item(z.object({ password_sign_in: z.boolean() })),
    status: 200,
  }),
};

const guest = { permission: 'public', scope: 'none', method: 'POST', guest: true, status: 200 } as const;

/** Signing in with a passkey alone, which counts as two factors. No address is needed. */
export const passkeySignIn = {
  options: endpoint({
    ...guest,
    path: '/passkeys/sign-in/options',
    summary: 'Begin to sign in with a passkey: the options for the browser',
    reply: item(z.object({ options: PasskeyRequest })),
    secret: true,
  }),
  signIn: endpoint({
    ...guest,
    path: '/passkeys/sign-in',
    summary: 'Sign in with the answer of a passkey',
    body: z.object({ credential: PasskeyAnswer }),
    reply: z.object({ message: messageField(255) }),
  }),
};
