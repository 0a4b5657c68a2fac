import { foldEmail } from '@tenure/contract';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { bumpAccessVersion, removeFactors } from '../access/second-factors.ts';
import { endAccessOf } from '../access/api-tokens.ts';
import { record } from '../audit.ts';
import type { HashPool } from '../crypto/hash-pool.ts';
import { oneTimePassword } from '../crypto/one-time-password.ts';
import type { DB } from '../db/schema.ts';
import { unlinkAll } from './identities.ts';
import { ownReason } from '../languages/answer.ts';

/** The way back in if no one can sign in. It is a command on the machine, not part of the service. */

const minutes = 15;

type Opened = { password: string; minutes: number };
type Options = { db: Kysely<DB>; hashing: HashPool; email: string; withoutFactors: boolean };
type Account = { id: number; name: string; has_factor: boolean };

/**
 * Makes an administrator's account an emergency account with a one-time password. Throws an Error with one line if the
 * address does not belong to an administrator who may sign in.
 */
export async function openForAdministrator({ db, hashing, email, withoutFactors }: Options): Promise<Opened> {
  const password = oneTimePassword({ email });
  const password_hash = await hashing.hash(password);
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<Account>`
      select u.id, coalesce(e.name, u.email) as name,
             exists (select from authenticators a where a.user_id = u.id and a.confirmed_at is not null) as has_factor
      from users u left join employees e on e.user_id = u.id
      where u.email = ${foldEmail(email)} and u.is_admin and u.is_enabled
        and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))
      for update of u`.execute(trx);
    const [account] = rows;
    if (!account) throw new Error(`${email} is not the address of an administrator who may sign in.`);
    const { id, name, has_factor } = account;
    if (withoutFactors) {
      await removeFactors(trx, id);
      await bumpAccessVersion(trx, id);
    }
    await unlinkAll({ db: trx, actor: null }, [id], 'Opened on the machine.');
    await endAccessOf(trx, [id], 'opened on the machine');
    await sql`
      update users
      set password_hash = ${password_hash}, one_time_password = true, must_change_password = true, break_glass = true,
          password_sign_in = true,
          password_issued_by = null, password_expires_at = now() + make_interval(mins => ${minutes})
      where id = ${id}`.execute(trx);
    const removed = withoutFactors && has_factor;
    await record(
      { db: trx, actor: null },
      {
        action: 'break_glass.updated',
        subject_id: id,
        subject_label: name,
        reason: ownReason(removed ? 'reasons.opened_without_factors' : 'reasons.opened'),
      },
    );
  });
  return { password, minutes };
}
