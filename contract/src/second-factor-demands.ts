import * as z from 'zod';
import { confirmed, endpoint } from './endpoint.ts';
import { day, item } from './envelope.ts';
import { date, revision } from './fields.ts';

/** The day from which holders of a role need a second factor, and who does not have one yet. */
export const RoleDemand = z.object({
  id: z.int(),
  name: z.string().max(60),
  is_system: z.boolean(),
  /** From this day (UTC) on; null: not required. */
  second_factor_from: day.nullable(),
  /** Accounts that hold the role and may sign in, and those of them without a second factor. */
  holders_count: z.int(),
  without_factor_count: z.int(),
  revision: z.int(),
});
export type RoleDemand = z.output<typeof RoleDemand>;

/** The requirements of roles; those of companies are sign-in rules. */
const Demands = z.object({
  /** Whether an administrator has decided about second factors: to require one, or not to. */
  is_decided: z.boolean(),
  roles: z.array(RoleDemand),
});

const manage = { permission: 'identity.manage', scope: 'everything' } as const;

export const secondFactorDemands = {
  list: endpoint({
    ...manage,
    method: 'GET',
    path: '/second-factor-demands',
    summary: 'From which day each role demands a second factor, and how many of its holders have none',
    accepts: 'session',
    reply: item(Demands),
    status: 200,
  }),
  updateRole: endpoint({
    ...manage,
    ...confirmed,
    method: 'PUT',
    path: '/roles/:id/second-factor',
    summary: 'Demand a second factor of the holders of a role from a day on, or stop',
    body: z.object({ second_factor_from: date().nullable(), ...revision }),
    reply: item(RoleDemand),
    status: 200,
  }),
  decide: endpoint({
    ...manage,
    method: 'POST',
    path: '/second-factor-demands/decide',
    summary: 'Say that the demands are as they should be; administrators are not asked again',
    accepts: 'session',
    reply: item(z.object({ is_decided: z.literal(true) })),
    status: 200,
  }),
};
