import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { instant, item } from './envelope.ts';
import { password, text } from './fields.ts';
import { spoken } from './spoken.ts';

/** What a link by mail is for. */
export const linkPurposes = ['password_reset', 'invitation'] as const;

/** What the holder of a link's token reads: not the sign-in address. */
export const AccountLink = z.object({
  purpose: z.enum(linkPurposes),
  /** The address it was sent to, most of it covered. */
  email_hint: z.string().max(190),
  expires_at: instant,
});
export type AccountLink = z.output<typeof AccountLink>;

const token = text(200);
const guest = { method: 'POST', permission: 'public', scope: 'none', guest: true, status: 200 } as const;

/** Links by mail with which people choose a password. The token is the fragment of the address: no server sees it before. */
export const accountLinks = {
  check: endpoint({
    ...guest,
    path: '/account-links/check',
    summary: 'See whether a link by mail is still valid',
    body: z.object({ token }),
    reply: item(AccountLink),
  }),
  redeem: endpoint({
    ...guest,
    path: '/account-links/redeem',
    summary: 'Choose a password with a link by mail; ends all sessions and begins none',
    body: z.object({ token, password: password(), password_confirmation: z.string().max(1_024).optional() }),
    reply: z.object({ message: spoken(255) }),
  }),
};
