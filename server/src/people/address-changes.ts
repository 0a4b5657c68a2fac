import { messages } from '@tenure/contract';
import { sql } from 'kysely';
import { issueOwnLink, revokeLinks } from '../access/account-links.ts';
import { changesBetween, record } from '../audit.ts';
import type { Db } from '../db/connect.ts';
import type { Ctx, ServiceCtx } from '../http/context.ts';
import { invalid } from '../http/errors.ts';
import { notifyAddressChange } from '../notifications/account.ts';
import type { EmployeeRecord } from './record.ts';
import { usedAccounts } from './sign-ins.ts';

/**
 * A new sign-in address of a person who has signed in before must be confirmed through a link to the new address; a
 * link to the old one stops the change. Otherwise a user who changes it could take over the account before its owner
 * notices.
 */

/** Who changes, confirms or ends it. */
type Acting = Pick<Ctx, 'db' | 'request'> & { actor: { user_id: number; name: string } };

/** Minutes both links are valid for. */
const validMinutes = 72 * 60;

/** A person with an account. */
export type AddressOwner = Pick<EmployeeRecord, 'id' | 'name' | 'entity_id'> & { user_id: number; email: string };

/** The account whose new address must be confirmed; undefined if the change takes effect immediately. */
export async function toBeConfirmed(
  { db, deps }: Pick<ServiceCtx, 'db' | 'deps'>,
  person: EmployeeRecord,
): Promise<AddressOwner | undefined> {
  const { user_id, email } = person;
  if (!deps.mailer.isOn || user_id === null || email === null) return undefined;
  // a mailbox that receives no mail cannot stop anything
  const { rows } = await sql`select from reachable_users where user_id = ${user_id}`.execute(db);
  const isUsed = rows.length > 0 && (await usedAccounts(db, [user_id])).has(user_id);
  return isUsed ? { ...person, user_id, email } : undefined;
}

async function refuseTaken(db: Db, email: string, userId: number): Promise<void> {
  const { rows } = await sql`
    select from users where fold_email(email) = fold_email(${email}) and id <> ${userId}`.execute(db);
  if (rows.length > 0) throw invalid('email', messages.taken);
}

const entry = <V extends string>(verb: V, { user_id, name, entity_id }: Omit<AddressOwner, 'id' | 'email'>) => ({
  action: `account.address_change_${verb}` as const,
  subject_id: user_id,
  subject_label: name,
  entity_id,
});

/** Sends the links to confirm or stop a new address; the links of an earlier change become invalid. */
export async function requestAddressChange(ctx: Acting, person: AddressOwner, to: string): Promise<void> {
  const { db, actor } = ctx;
  const { user_id, email: from } = person;
  // lock the account before its links, like everything that revokes them
  await sql`select from users where id = ${user_id} for update`.execute(db);
  await refuseTaken(db, to, user_id);
  const link = { user_id, by: actor.user_id, minutes: validMinutes };
  await issueOwnLink(db, { ...link, purpose: 'address_stop', email: from });
  const id = await issueOwnLink(db, { ...link, purpose: 'address_change', email: to });
  await record(ctx, { ...entry('requested', person), changes: changesBetween({ email: from }, { email: to }) });
  await notifyAddressChange(ctx, { user_id, to, round: id });
}

const endLinks = async (db: Db, userId: number) => {
  await revokeLinks(db, [userId], 'address_stop');
  return revokeLinks(db, [userId], 'address_change');
};

/** Cancels an unconfirmed change; does nothing without one. */
export async function cancelAddressChange(ctx: Acting, person: Omit<AddressOwner, 'email'>): Promise<void> {
  if ((await endLinks(ctx.db, person.user_id)) > 0) await record(ctx, entry('cancelled', person));
}

/** Ends a change through the link to the old address. */
export async function stopAddressChange(ctx: Acting, person: Omit<AddressOwner, 'email'>): Promise<void> {
  if ((await endLinks(ctx.db, person.user_id)) > 0) await record(ctx, entry('stopped', person));
}

/** Records a change made through the link to the new address, also in the person's history. */
export const recordConfirmed = (ctx: Acting, person: AddressOwner, to: string) =>
  record(ctx, entry('confirmed', person), {
    action: 'employee.updated',
    subject_id: person.id,
    subject_label: person.name,
    entity_id: person.entity_id,
    changes: changesBetween({ email: person.email }, { email: to }),
  });
