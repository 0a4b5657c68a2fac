import { sql } from 'kysely';
import { recoveryHash } from '../crypto/recovery-codes.ts';
import { openSecret } from '../crypto/sealed-column.ts';
import type { KeyRing } from '../crypto/keys.ts';
import { stepOfCode } from '../crypto/totp.ts';
import type { Db } from '../db/connect.ts';

/** What an account has proved itself with so far, and what is required of it. */
export type SecondFactor = {
  /** It has a confirmed authenticator app. */
  totp: boolean;
  /** It has a passkey of this host. */
  passkey: boolean;
  /** When the oldest of these was added, in Unix seconds; null without one. */
  since: number | null;
  /** The first day (UTC) on which a role or the company requires a second factor; null for none. */
  from: string | null;
  /** That day has come, or HR removed the last factor. */
  is_due: boolean;
};

type SignInRequirements = SecondFactor & {
  /** The company's people may sign in only through its provider. */
  sso_required: boolean;
};

/** Reads the factors of an account and what is required of it, by the rules of the trigger `guard_session`. */
export async function signInRequirements(db: Db, userId: number): Promise<SignInRequirements> {
  const { rows } = await sql<SignInRequirements>`
    select d.totp, d.passkey, d.since, d.day as "from", d.must_enrol or coalesce(d.day <= (now() at time zone 'UTC')::date, false) as is_due, d.sso_required
    from (
      select exists (select from authenticators a where a.user_id = u.id and a.kind = 'totp' and a.confirmed_at is not null)
               as totp,
             exists (select from authenticators a where a.user_id = u.id and a.kind = 'passkey' and factor_works(a))
               as passkey,
             (select extract(epoch from min(a.confirmed_at))::float8 from authenticators a
              where a.user_id = u.id and (a.kind = 'totp' or factor_works(a))) as since,
             least(p.second_factor_from, (select min(r.second_factor_from) from role_assignments h
                                          join roles r on r.id = h.role_id where h.user_id = u.id)) as day,
             u.must_enrol, coalesce(p.sso_required and not u.break_glass, false) as sso_required
      from users u
      left join employees e on e.user_id = u.id
      left join lateral (
        select s.* from sign_in_policies s where s.entity_id = e.entity_id or s.entity_id is null
        order by s.entity_id nulls last limit 1) as p on true
      where u.id = ${userId}) as d`.execute(db);
  const [found] = rows;
  if (!found) throw new Error(`no user ${userId}`);
  return found;
}

/** Whether the account has more than a password. */
export const hasFactor = (factors: Pick<SecondFactor, 'totp' | 'passkey'> | undefined): boolean =>
  factors !== undefined && (factors.totp || factors.passkey);

/** Timestamps are stored in whole milliseconds. */
const rounding = 0.001;

/** Whether a proof from that moment still counts: before the account had a factor, the proof lacked one. */
export const isProofCurrent = (provedAt: number, { since }: Pick<SecondFactor, 'since'>): boolean =>
  since === null || provedAt >= since - rounding;

/** Makes every process reread the factors of an account with its rights. */
export const bumpAccessVersion = (db: Db, userId: number) =>
  sql`update users set access_version = access_version + 1 where id = ${userId}`.execute(db);

/** Serialises changes to the factors of an account. */
export const lockFactors = (db: Db, userId: number) =>
  sql`select from users where id = ${userId} for no key update`.execute(db);

/**
 * Removes all factors of an account with its recovery codes; false if it has none. The password alone is enough again,
 * unless the user switched it off: then it is void.
 */
export async function removeFactors(db: Db, userId: number): Promise<boolean> {
  await lockFactors(db, userId);
  const { rows } = await sql<{ was_confirmed: boolean }>`
    delete from authenticators where user_id = ${userId} returning confirmed_at is not null as was_confirmed`.execute(
    db,
  );
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(db);
  return rows.some(({ was_confirmed }) => was_confirmed);
}

/** What is sent to prove a second factor: a code from the app, or a recovery code instead. */
export type FactorProof = { code: string } | { recovery_code: string };

type Totp = { id: number; sealed: string | null; seconds: number };

/** Uses up the code of a time step; of parallel calls, only one returns true. */
async function consumeStep(db: Db, id: number, step: number): Promise<boolean> {
  const { rows } = await sql`
    update authenticators set last_step = ${step}, last_used_at = now()
    where id = ${id} and (last_step is null or last_step < ${step})
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Uses up a code from an authenticator app that is confirmed or about to be; false for a wrong, old or used code. */
export async function consumeCodeOf(db: Db, ring: KeyRing, app: Totp, code: string): Promise<boolean> {
  const place = { table: 'authenticators', column: 'secret', id: app.id };
  const seed = app.sealed === null ? null : openSecret(ring, place, app.sealed)?.plain;
  const step = seed ? stepOfCode(seed, code.replaceAll(/\s/g, ''), app.seconds) : null;
  return step !== null && consumeStep(db, app.id, step);
}

/** The authenticator app of an account, with the database's time in Unix seconds. */
export async function findTotp(db: Db, userId: number, isConfirmed: boolean): Promise<Totp | undefined> {
  const { rows } = await sql<Totp>`
    select id, secret as sealed, extract(epoch from clock_timestamp())::float8 as seconds from authenticators
    where user_id = ${userId} and kind = 'totp' and (confirmed_at is not null) = ${isConfirmed}
    order by id desc limit 1`.execute(db);
  return rows[0];
}

async function consumeRecoveryCode(db: Db, userId: number, code: string): Promise<boolean> {
  const { rows } = await sql`
    update recovery_codes set used_at = now()
    where user_id = ${userId} and hash = ${recoveryHash(code)} and used_at is null
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Uses up what was sent; false if it is wrong, old or used. No code counts twice, even in parallel. */
export async function consumeProof(db: Db, ring: KeyRing, userId: number, proof: FactorProof): Promise<boolean> {
  if ('recovery_code' in proof) return consumeRecoveryCode(db, userId, proof.recovery_code);
  const app = await findTotp(db, userId, true);
  return app !== undefined && consumeCodeOf(db, ring, app, proof.code);
}

/** How many recovery codes of an account are unused. */
export async function recoveryCodesLeft(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from recovery_codes where user_id = ${userId} and used_at is null`.execute(db);
  return rows[0]?.count ?? 0;
}
