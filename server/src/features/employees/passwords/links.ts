import { issueLinks, revokeLinks, validHours } from '../../../access/account-links.ts';
import { record } from '../../../audit.ts';
import type { ServiceCtx, WriteCtx } from '../../../http/context.ts';
import { sendPasswordLinks } from '../../../notifications/account.ts';
import { entriesOf } from './candidates.ts';
import type { Account, Giving } from './candidates.ts';

const verbs = { password_reset: 'password_link_sent', invitation: 'invited' } as const;

/** Sends password links; earlier links of the same purpose stop working. Returns the expiry by account. */
export async function sendLinks(
  ctx: ServiceCtx,
  people: readonly Account[],
  purpose: Giving['purpose'],
): Promise<Map<number, string>> {
  const userIds = people.map(({ user_id }) => user_id);
  const hours = validHours(purpose, ctx.deps.config);
  const expiries = await issueLinks(ctx.db, userIds, { purpose, by: ctx.actor.user_id, hours });
  await record(ctx, ...entriesOf(verbs[purpose], people));
  await sendPasswordLinks(ctx, userIds, purpose);
  return expiries;
}

/** Withdraws the person's invitation, if there is one. */
export async function withdrawInvitation(ctx: WriteCtx, person: Account): Promise<void> {
  const withdrawn = await revokeLinks(ctx.db, [person.user_id], 'invitation');
  if (withdrawn > 0) await record(ctx, ...entriesOf('invitation_withdrawn', [person]));
}
