import { text } from '@tenure/contract';
import { sql } from 'kysely';
import { endPasswordLinks } from '../../../access/account-links.ts';
import { bumpAccessVersion, removeFactors } from '../../../access/second-factors.ts';
import { endSessionsOf } from '../../../access/sessions.ts';
import { record } from '../../../audit.ts';
import type { Db } from '../../../db/connect.ts';
import type { Ctx } from '../../../http/context.ts';
import { conflict, invalid } from '../../../http/errors.ts';
import { notifyFactorReset } from '../../../notifications/own-account.ts';
import type { EmployeeRecord } from '../../../people/record.ts';

/** While a company requires a provider, an emergency account with a second factor must remain. */
async function refuseLastEmergency(db: Db, userId: number): Promise<void> {
  // serialised with removing Admin from such an account, and with a new rule that relies on it
  await sql`
    select from installation where exists (select from users where id = ${userId} and break_glass) for update`.execute(
    db,
  );
  const { rows } = await sql`select where has_emergency_account()`.execute(db);
  if (rows.length === 0) throw invalid('totp', text('policies.last_break_glass'));
}

/**
 * Removes the second factor of a person who lost it. Ends all sessions; the next one can only add another factor, so
 * that the password alone never gives access to the account.
 */
export async function resetSecondFactor(ctx: Ctx, person: EmployeeRecord, reason: string): Promise<void> {
  const { db, request } = ctx;
  const { user_id, name, entity_id, activity_status: status, revision } = person;
  if (status === 'inactive') throw conflict(text('account.may_not_sign_in'), { status, revision });
  if (user_id === null || !(await removeFactors(db, user_id)))
    throw invalid('totp', text('account.person_has_no_factor'));
  await refuseLastEmergency(db, user_id);
  await db.updateTable('users').set({ must_enrol: true }).where('id', '=', user_id).execute();
  await endSessionsOf(db, [user_id], 'second factor reset');
  // a reader of the mailbox could set the password and then add a factor
  await endPasswordLinks(db, [user_id]);
  await bumpAccessVersion(db, user_id);
  await record(ctx, {
    action: 'account.second_factor_reset',
    subject_id: user_id,
    subject_label: name,
    entity_id,
    reason,
  });
  await notifyFactorReset(ctx, user_id, request.id);
}
