import * as z from 'zod';
import { confirmed, endpoint } from './endpoint.ts';
import { instant, item } from './envelope.ts';
import { text } from './fields.ts';

/** Why a person's sign-in is switched off. */
export const SignInBlock = z.object({
  id: z.int(),
  /** The connection; null for a block by hand, and if the account was already disabled before the first block. */
  source: z.string().max(60).nullable(),
  /** True for a block that a person set. */
  by_hand: z.boolean(),
  /** The user who set it by hand; null for readers who do not see how the person signs in. */
  by: z.string().max(255).nullable(),
  /** Why it was set by hand; null for the same readers. */
  reason: z.string().max(500).nullable(),
  since: instant,
});
export type SignInBlock = z.output<typeof SignInBlock>;

const blocks = '/employees/:id/sign-in-blocks';
const own = {
  ...confirmed,
  path: '/employees/:id/sign-in-block',
  permission: 'employees.reset_password',
  scope: 'relationship',
} as const;

export const signInBlocks = {
  list: endpoint({
    method: 'GET',
    path: blocks,
    permission: 'employees.reset_password',
    scope: 'scoped',
    accepts: 'session',
    summary: 'What keeps the sign-in of a person switched off, and who switched it off',
    reply: z.object({ data: z.array(SignInBlock) }),
    status: 200,
  }),
  lift: endpoint({
    ...confirmed,
    method: 'DELETE',
    path: `${blocks}/:blockId`,
    permission: 'identity.manage',
    scope: 'everything',
    summary: 'Lift any block of the sign-in of a person, also that of an identity provider',
    status: 204,
  }),
  block: endpoint({
    ...own,
    method: 'PUT',
    summary: 'Switch the sign-in of a person off by hand; ends sessions and personal tokens',
    body: z.object({ reason: text(500, 1) }),
    reply: item(SignInBlock),
    status: 200,
  }),
  allow: endpoint({
    ...own,
    method: 'DELETE',
    summary: 'Lift the block that was set by hand; other blocks stay',
    status: 204,
  }),
};
