import * as z from 'zod';
import { endpoint } from './endpoint.ts';

/** `current` seals; `previous` still opens; `unknown`: no process with these settings can open the values. */
export const keyStates = ['current', 'previous', 'unknown'] as const;

export const SealedSecrets = z.object({
  data: z.array(
    z.object({
      /** The public id of the key. */
      key: z.string().max(12),
      state: z.enum(keyStates),
      /** How many values it seals. */
      count: z.int(),
    }),
  ),
});
export type SealedSecrets = z.output<typeof SealedSecrets>;

export const sealedSecrets = {
  list: endpoint({
    method: 'GET',
    path: '/sealed-secrets',
    permission: 'identity.manage',
    scope: 'everything',
    accepts: 'session',
    summary: 'Count the secrets of the database by the key that seals them',
    reply: SealedSecrets,
    status: 200,
  }),
};
