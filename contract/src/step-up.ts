import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { item, stepUpProofs } from './envelope.ts';
import { password } from './fields.ts';
import { factorCode, recoveryCode } from './second-factors.ts';
import { spoken } from './spoken.ts';

const own = { permission: 'signed in', scope: 'own' } as const;

/** Proofs of identity before dangerous actions; apart from the profile, because only a dialog needs them. */
export const stepUp = {
  options: endpoint({
    ...own,
    method: 'POST',
    path: '/profile/step-up/options',
    summary: 'How to prove once more that it is you',
    accepts: 'session',
    reply: item(z.object({ proofs: z.array(z.enum(stepUpProofs)) })),
    status: 200,
  }),
  prove: endpoint({
    ...own,
    method: 'POST',
    path: '/profile/step-up',
    summary: 'Prove once more that it is you, before an action that demands it',
    accepts: 'session',
    body: z.object({
      /** For accounts without an authenticator app. */
      password: password().optional(),
      code: factorCode().optional(),
      recovery_code: recoveryCode().optional(),
    }),
    reply: z.object({ message: spoken(255) }),
    status: 200,
  }),
};
