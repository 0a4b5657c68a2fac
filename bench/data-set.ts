import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { startHashPool } from '../server/src/crypto/hash-pool.ts';
import { seedEvaluations } from '../scripts/seed-evaluations.ts';
import { seedNotifications } from '../scripts/seed-notifications.ts';
import { seedPeople } from '../scripts/seed-people.ts';
import { seedProbation } from '../scripts/seed-probation.ts';

/** The people and evaluations that a run measures. */

type Say = (line: string) => void;

/** Seeds a folder that has no data set yet. @returns the seconds that seeding took */
export async function seedOnce(
  pool: pg.Pool,
  { folder, employees, say }: { folder: string; employees: number; say: Say },
): Promise<number> {
  const note = join(folder, 'seconds.txt');
  if (existsSync(note)) return Number(readFileSync(note, 'utf8'));
  const before = performance.now();
  say(`seeding ${employees} people`);
  await seedPeople(pool, { employees });
  say('seeding a cycle');
  await seedEvaluations(pool);
  say('seeding probation reviews');
  await seedProbation(pool);
  const seconds = (performance.now() - before) / 1_000;
  writeFileSync(note, String(seconds));
  return seconds;
}

/** Called after the first start, whose administrator gets a tenth of them. */
export async function seedNotificationsOnce(pool: pg.Pool, { count, say }: { count: number; say: Say }): Promise<void> {
  const { rowCount } = await pool.query("select from notifications where dedupe_key = 'seed:1'");
  if (rowCount) return;
  say('seeding notifications');
  await seedNotifications(pool, count);
}

/** Gives passwords to a manager and a hundred others; the first address is the manager's. */
export async function givePasswords(pool: pg.Pool, managerId: number, password: string): Promise<string[]> {
  const hashing = startHashPool({ cost: 12 });
  const hash = await hashing.hash(password);
  await hashing.close();
  const { rows } = await pool.query<{ email: string; is_manager: boolean }>(
    `update users u set password_hash = $1 from employees e
     where e.user_id = u.id and (e.id = $2 or e.id in (
       select id from employees where activity_status = 'active' and id <> $2 order by id limit 100))
     returning u.email, e.id = $2 as is_manager`,
    [hash, managerId],
  );
  return rows.sort((a, b) => Number(b.is_manager) - Number(a.is_manager)).map(({ email }) => email);
}

/** A department with a manager, its company and the manager. */
export async function findIds(pool: pg.Pool) {
  const { rows } = await pool.query<{ department: number; entity: number; manager: number }>(
    `select d.id::int as department, d.entity_id::int as entity, d.manager_id::int as manager from departments d
     where d.manager_id is not null order by d.id offset 2 limit 1`,
  );
  return rows[0] as { department: number; entity: number; manager: number };
}
