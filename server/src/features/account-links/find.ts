import type { AccountLink, Permission } from '@tenure/contract';
import { text } from '@tenure/contract';
import { sql } from 'kysely';
import { findOpenLink } from '../../access/account-links.ts';
import type { OpenLink } from '../../access/account-links.ts';
import { reserveTry } from '../../access/login-limits.ts';
import type { Reservation } from '../../access/login-limits.ts';
import { mayAskForReset } from '../../access/requested-resets.ts';
import type { GuestCtx } from '../../http/context.ts';
import { HttpError, invalid, tooManyLogins } from '../../http/errors.ts';
import { loadRequester } from '../../imports/requester.ts';
import { can, movesWayIn } from '../../people/policy.ts';
import { findEmployees } from '../../people/queries.ts';

type LinkCtx = Pick<GuestCtx, 'db' | 'deps'>;

/** One message for links that are unknown, used, revoked or expired, or whose sender lost the permission. */
export const dead = () => invalid('token', text('account.link_invalid'));

/** The sender of a link and the person it is about, if the sender has the permission for that person today. */
async function senderAnd({ db, deps }: LinkCtx, link: OpenLink, permission: Permission) {
  const sender = link.created_by === null ? undefined : await loadRequester(db, deps.rights, link.created_by);
  if (!sender) return undefined;
  const { rows } = await sql<{ id: number }>`
    select id from employees where user_id = ${link.user_id} and deleted_at is null`.execute(db);
  const id = rows[0]?.id ?? 0;
  const person = (await findEmployees({ db, actor: sender }, [id], permission)).get(id);
  return person && { sender, person };
}

/** A link that HR sent is valid while its sender is allowed to send it. */
async function maySend(ctx: LinkCtx, link: OpenLink): Promise<boolean> {
  const found = await senderAnd(ctx, link, 'employees.reset_password');
  return found !== undefined && can(found.sender)(found.person).includes('reset-password');
}

/** A new address can be confirmed while the person who set it is allowed to change it. */
async function mayReaddress(ctx: LinkCtx, link: OpenLink): Promise<boolean> {
  const found = await senderAnd(ctx, link, 'employees.update');
  if (!found) return false;
  const { sender, person } = found;
  return can(sender)(person).includes('update') && !movesWayIn(person, ['email']);
}

/** The condition that must still hold when a link is used, by its purpose. */
const stillHolds: Record<AccountLink['purpose'], (ctx: LinkCtx, link: OpenLink) => Promise<boolean>> = {
  password_reset: maySend,
  invitation: maySend,
  requested_reset: ({ db, deps }, { user_id }) =>
    deps.config.PASSWORD_RESET_BY_MAIL ? mayAskForReset(db, user_id) : Promise.resolve(false),
  address_change: mayReaddress,
  address_stop: () => Promise.resolve(true),
};

/** Finds a valid link for one of these purposes. Throws 422 if there is none. */
export async function findLink(
  ctx: LinkCtx,
  token: string,
  purposes: readonly AccountLink['purpose'][],
): Promise<OpenLink> {
  const link = await findOpenLink(ctx.db, token);
  if (!link || !purposes.includes(link.purpose) || !(await stillHolds[link.purpose](ctx, link))) throw dead();
  return link;
}

/** Attempts are limited like those of a sign-in, so that tokens are no easier to guess than passwords. */
async function reserve({ db, request }: GuestCtx, token: string): Promise<Reservation> {
  const reservation = await reserveTry(db, `link ${token}`, { ip: request.ip, device: null });
  if (!('wait' in reservation)) return reservation;
  const { status, body, headers } = tooManyLogins(reservation.wait);
  throw new HttpError(status, { ...body, errors: { token: [body.message] } }, headers);
}

/** Finds the link of a token; a successful look-up does not count as an attempt. Throws 422, or 429 beyond the limits. */
export async function tryLink(
  ctx: GuestCtx,
  token: string,
  purposes: readonly AccountLink['purpose'][],
): Promise<OpenLink> {
  const reservation = await reserve(ctx, token);
  try {
    const link = await findLink(ctx, token, purposes);
    await reservation.release();
    return link;
  } catch (error) {
    if (!(error instanceof HttpError)) await reservation.cancel();
    else {
      await reservation.fail();
      const { id, ip } = ctx.request;
      ctx.deps.log.warn({ event: 'link_rejected', request_id: id, ip }, 'an invalid mail link was used');
    }
    throw error;
  }
}
