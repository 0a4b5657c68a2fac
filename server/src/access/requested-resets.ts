import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import type { Db } from '../db/connect.ts';
import { isCoveredBy } from './credentials.ts';

/**
 * Who may request a password link: users with a password that they chose and may sign in with, and an address that
 * receives mail. Never an administrator, whose mailbox would then be worth all data; never an account whose address
 * changed within a day, so that changing the address is no way to the password; never an account that may do more than
 * the person who set its address.
 */
const mayAsk = sql<SqlBool>`
  u.is_enabled and u.password_sign_in and u.password_hash is not null and not u.must_change_password
  and not u.is_admin and not u.break_glass
  and (u.address_changed_at is null or u.address_changed_at <= now() - interval '24 hours')
  and exists (select from reachable_users r where r.user_id = u.id)
  and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))
  and not (
    select p.sso_required from sign_in_policies p where p.entity_id = e.entity_id or p.entity_id is null
    order by p.entity_id nulls last limit 1)`;

/** The person who set the address may read its mail. */
type Addressed = { id: number; address_set_by: number | null };
const isOwnMailbox = (db: Db, { id, address_set_by }: Addressed) =>
  isCoveredBy(db, address_set_by, id, { needs: 'way_in' });

/** Can this account ask for a link to a new password? */
export async function mayAskForReset(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql<Addressed>`
    select u.id, u.address_set_by from users u left join employees e on e.user_id = u.id
    where u.id = ${userId} and ${mayAsk}`.execute(db);
  return rows[0] !== undefined && isOwnMailbox(db, rows[0]);
}

/** Requests per account and hour that are answered with a mail. */
export const requestsPerAccount = 3;

/** An account that requested a link, and why it gets none. */
export type ResetAccount = {
  id: number;
  email: string;
  name: string;
  entity_id: number | null;
  refusal: 'not_allowed' | 'too_many' | null;
};

/** Finds the account of an address and locks it, so that its requests are checked one after the other. */
export async function findResetAccount(db: Db, email: string): Promise<ResetAccount | undefined> {
  await sql`select from users where email = ${email} for no key update`.execute(db);
  const { rows } = await sql<ResetAccount & Addressed>`
    select u.id, u.email, u.address_set_by, coalesce(e.name, u.email) as name, e.entity_id,
           case when (${mayAsk}) is not true then 'not_allowed'
                when (select count(*) from own_account_links l
                      where l.user_id = u.id and l.purpose = 'requested_reset'
                        and l.created_at > now() - interval '1 hour') >= ${requestsPerAccount} then 'too_many' end as refusal
    from users u left join employees e on e.user_id = u.id
    where u.email = ${email}`.execute(db);
  const [found] = rows;
  if (!found || found.refusal) return found;
  return { ...found, refusal: (await isOwnMailbox(db, found)) ? null : 'not_allowed' };
}
