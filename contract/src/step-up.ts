import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { item, stepUpProofs } from './envelope.ts';
import { password } from './fields.ts';
import { PasskeyAnswer, PasskeyRequest } from './passkeys.ts';
import { factorCode, recoveryCode } from './second-factors.ts';
import { messageField } from './message-field.ts';
import { nextPage } from './sso.ts';

const own = { permission: 'signed in', scope: 'own' } as const;

/** Proofs of identity before dangerous actions; separate from the profile, because only a dialog needs them. */
export const stepUp = {
  options: endpoint({
    ...own,
    method: 'POST',
    path: '/profile/step-up/options',
    summary: 'How to prove once more that it is you',
    accepts: 'session',
    body: z.object({
      /** The current page, to which the browser returns from a provider. */
      next: nextPage().nullish(),
    }),
    reply: item(
      z.object({
        proofs: z.array(z.enum(stepUpProofs)),
        /** The request for a passkey of the account; null if it has none that works here. */
        options: PasskeyRequest.nullable(),
        /** Where the browser goes to prove the identity at the provider, which makes the user sign in again. */
        url: z.string().max(4_000).nullable(),
      }),
    ),
    secret: true,
    status: 200,
  }),
  prove: endpoint({
    ...own,
    method: 'POST',
    path: '/profile/step-up',
    summary: 'Prove once more that it is you, before an action that demands it',
    accepts: 'session',
    body: z.object({
      /** For accounts without a second factor. */
      password: password().optional(),
      code: factorCode().optional(),
      recovery_code: recoveryCode().optional(),
      credential: PasskeyAnswer.optional(),
    }),
    reply: z.object({ message: messageField(255) }),
    status: 200,
  }),
};
