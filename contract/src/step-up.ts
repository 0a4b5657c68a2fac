import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { item, stepUpProofs } from './envelope.ts';
import { password } from './fields.ts';
import { PasskeyAnswer, PasskeyRequest } from './passkeys.ts';
import { factorCode, recoveryCode } from './second-factors.ts';
import { spoken } from './spoken.ts';
import { nextPage } from './sso.ts';

const own = { permission: 'signed in', scope: 'own' } as const;

/** Proofs of identity before dangerous actions; apart from the profile, because only a dialog needs them. */
export const stepUp = {
  options: endpoint({
    ...own,
    method: 'POST',
    path: '/profile/step-up/options',
    summary: 'How to prove once more that it is you',
    accepts: 'session',
    body: z.object({
      /** Where the browser is: it returns there from a provider. */
      next: nextPage().nullish(),
    }),
    reply: item(
      z.object({
        proofs: z.array(z.enum(stepUpProofs)),
        /** What a passkey of the account is asked; null where it has none that works here. */
        options: PasskeyRequest.nullable(),
        /** Where the browser goes to prove it at the provider, which asks the person to sign in anew. */
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
    reply: z.object({ message: spoken(255) }),
    status: 200,
  }),
};
