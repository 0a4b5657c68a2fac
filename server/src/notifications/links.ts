import type { NotificationEvent, OwnPurpose } from '@tenure/contract';
import { mintOwnToken, mintToken, providersOfInvited } from '../access/account-links.ts';
import type { Minted } from '../access/account-links.ts';
import type { Db } from '../db/connect.ts';
import type { Line } from './mail.ts';

/** Notifications whose mails contain a link that the user requested, with its purpose. */
const ownLinks = {
  password_request: ['requested_reset'],
  address_change: ['address_change', 'address_stop'],
} as const satisfies Partial<Record<NotificationEvent, readonly OwnPurpose[]>>;

const isOwn = (event: NotificationEvent): event is keyof typeof ownLinks => event in ownLinks;

/** True for notifications whose mail is sent whatever the settings: the user cannot continue without its link. */
export const carriesLink = (event: NotificationEvent): boolean => event === 'password_link' || isOwn(event);

/** An invitation that leads to providers instead of a password. */
export type Through = { providers: string };

/**
 * Creates the token of the link in the mail for these lines, or names the providers that the person is invited to use;
 * undefined if the link is void, null if there is no link.
 */
export async function mintFor(
  db: Db,
  lines: readonly Line[],
  address: string,
): Promise<Minted | Through | null | undefined> {
  const line = lines.find(({ event, is_test }) => !is_test && carriesLink(event));
  if (!line) return null;
  const { event, subject_id } = line;
  if (isOwn(event)) return mintOwnToken(db, subject_id ?? 0, { address, purposes: ownLinks[event] });
  const providers = await providersOfInvited(db, subject_id ?? 0, address);
  return providers === undefined ? mintToken(db, subject_id ?? 0, address) : { providers };
}
