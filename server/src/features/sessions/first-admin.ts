import { inEnglish } from '../../languages/languages.ts';
import { say } from '../../http/errors.ts';
import type { Text } from '@tenure/contract';
import { foldEmail } from '@tenure/contract';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { record } from '../../audit.ts';
import { BadSetting } from '../../config.ts';
import type { Config } from '../../config.ts';
import { oneTimePassword } from '../../crypto/one-time-password.ts';
import { compositionProblems, guessabilityProblems } from '../../crypto/password-rules.ts';
import type { DB } from '../../db/schema.ts';
import type { Deps } from '../../http/context.ts';
import { firstPasswordFile, keepFirstPassword } from './first-password.ts';

/** The credentials of the first administrator. One of `password` and `file` is set if the password was generated. */
export type FirstAdmin = { email: string; password?: string; file?: string; warnings: string[] };

const hours = 72;
const spell = (problem: Text) => inEnglish(say('password', problem));

function checkChosen({ ADMIN_PASSWORD, PASSWORD_MIN_LENGTH }: Config, email: string): string[] {
  if (!ADMIN_PASSWORD) return [];
  const [problem] = compositionProblems(ADMIN_PASSWORD, PASSWORD_MIN_LENGTH);
  if (problem) throw new BadSetting(`ADMIN_PASSWORD: ${spell(problem)}`);
  return guessabilityProblems(ADMIN_PASSWORD, { email }).map(spell);
}

type NewAdmin = {
  email: string;
  password_hash: string;
  isOneTime: boolean;
  /** Makes the account usable, before it is committed. */
  beforeCommit: () => Promise<void>;
};

async function insertAdmin(db: Kysely<DB>, account: NewAdmin): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    // decides which of two starting nodes creates the administrator
    await sql`select 1 from installation for update`.execute(trx);
    const { rows } = await sql`select 1 from role_assignments a join roles r on r.id = a.role_id
                               where r.is_system and r.name = 'Admin' limit 1`.execute(trx);
    if (rows.length > 0) return false;
    const { email, password_hash, isOneTime, beforeCommit } = account;
    const user = await trx
      .insertInto('users')
      .values({
        email,
        password_hash,
        one_time_password: isOneTime,
        must_change_password: isOneTime,
        password_expires_at: isOneTime ? sql`now() + make_interval(hours => ${hours})` : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await sql`insert into role_assignments (user_id, role_id)
              select ${user.id}, id from roles where is_system and name = 'Admin'`.execute(trx);
    const entry = { action: 'account.created', subject_id: user.id, subject_label: email } as const;
    await record({ db: trx, actor: null }, entry);
    await beforeCommit();
    return true;
  });
}

/** Creates the first administrator, with a generated password `inFile` or to be shown. Nothing if one exists. */
export async function createFirstAdmin(
  { db, hashing, config }: Pick<Deps, 'db' | 'hashing' | 'config'>,
  inFile: boolean,
): Promise<FirstAdmin | undefined> {
  const email = foldEmail((config.ADMIN_EMAIL ?? 'admin@tenure.local').trim());
  const warnings = checkChosen(config, email);
  const existing = await sql`select 1 from role_assignments a join roles r on r.id = a.role_id
                             where r.is_system and r.name = 'Admin' limit 1`.execute(db);
  if (existing.rows.length > 0) return undefined;
  const password = config.ADMIN_PASSWORD ?? oneTimePassword({ email });
  const isOneTime = config.ADMIN_PASSWORD === undefined;
  const keep = isOneTime && inFile;
  const created = await insertAdmin(db, {
    email,
    password_hash: await hashing.hash(password),
    isOneTime,
    beforeCommit: async () => {
      if (keep) await keepFirstPassword(config.DATA_DIR, email, password);
    },
  });
  if (!created) return undefined;
  if (keep) return { email, warnings, file: firstPasswordFile(config.DATA_DIR) };
  return { email, warnings, ...(isOneTime && { password }) };
}
