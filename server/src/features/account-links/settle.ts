import { text } from '@tenure/contract';
import type { Text } from '@tenure/contract';
import { sql } from 'kysely';
import { consumeLink } from '../../access/account-links.ts';
import type { OpenLink } from '../../access/account-links.ts';
import type { Db } from '../../db/connect.ts';
import type { GuestCtx } from '../../http/context.ts';
import { loadRequester } from '../../imports/requester.ts';
import { notifyAddressStopped } from '../../notifications/account.ts';
import { recordConfirmed, stopAddressChange } from '../../people/address-changes.ts';
import type { AddressOwner } from '../../people/address-changes.ts';
import { setAddresses } from '../../people/sign-ins.ts';
import { dead, findLink, tryLink } from './find.ts';

const toAddresses = ['address_change', 'address_stop'] as const;

/** Locks the person and the account, in the same order as a change by HR. */
async function lockOwner(db: Db, userId: number): Promise<AddressOwner> {
  const { rows } = await sql<AddressOwner>`
    select id, user_id, email, name, entity_id from employees where user_id = ${userId} for update`.execute(db);
  await sql`select from users where id = ${userId} for update`.execute(db);
  const [owner] = rows;
  if (!owner) throw dead();
  return owner;
}

async function confirm(ctx: GuestCtx, link: OpenLink, owner: AddressOwner): Promise<Text> {
  const { db, deps, request } = ctx;
  const sender = await loadRequester(db, deps.rights, link.created_by ?? 0);
  if (!sender) throw dead();
  // the sender is responsible for the address, as for one that takes effect immediately
  await setAddresses({ db, actor: sender }, [{ ...owner, from: owner.email, to: link.email }]);
  await recordConfirmed({ db, request, actor: owner }, owner, link.email);
  return text('account.address_confirmed');
}

async function stop({ db, request }: GuestCtx, link: OpenLink, owner: AddressOwner): Promise<Text> {
  await stopAddressChange({ db, request, actor: owner }, owner);
  await notifyAddressStopped(db, { by: link.created_by, user_id: owner.user_id, name: owner.name, link: link.id });
  return text('account.address_change_stopped');
}

/**
 * Confirms a new sign-in address through the link sent to it, which ends all sessions and starts none; or stops the
 * change through the link sent to the old address. Throws 422 with one message for every invalid link, and 429 beyond
 * the limits.
 */
export async function settleAddress(ctx: GuestCtx, token: string): Promise<Text> {
  const { user_id } = await tryLink(ctx, token, toAddresses);
  return ctx.db.transaction().execute(async (db) => {
    const doing = { ...ctx, db };
    const owner = await lockOwner(db, user_id);
    const link = await findLink(doing, token, toAddresses);
    if (!(await consumeLink(db, link, token))) throw dead();
    return link.purpose === 'address_change' ? confirm(doing, link, owner) : stop(doing, link, owner);
  });
}
