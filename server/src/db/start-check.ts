import { sql } from 'kysely';
import { BadSetting } from '../config.ts';
import type { Db } from './connect.ts';

const maxMilliseconds = 5_000;
type Found = { role: string; timezone: string; statement_timeout: number };

/** The settings of a fresh connection, whatever an earlier user of it has set. */
const settings = sql<Found>`
  select current_user::text as role, max(reset_val) filter (where name = 'TimeZone') as timezone,
         max(reset_val) filter (where name = 'statement_timeout')::int as statement_timeout
  from pg_settings`;

const isUtc = (timezone: string) => /^(etc\/)?(utc|uct|gmt|zulu|universal)$/i.test(timezone);

/** A role name that an operator can paste into SQL. */
const quoted = (role: string) => `"${role.replaceAll('"', '""')}"`;

/** Dates and instants shift without UTC, and a statement without a limit may hold a connection forever. */
function refusalOf({ role, timezone, statement_timeout }: Found, hasPooler: boolean): string {
  const found = `connections have the time zone ${timezone} and statement_timeout ${statement_timeout} ms`;
  if (!hasPooler)
    return `DATABASE_POOLER: ${found}, so something between the service and the database drops their options; set DATABASE_POOLER=on for a pooler`;
  const alter = `alter role ${quoted(role)} set`;
  return `DATABASE_POOLER: ${found}; run "${alter} timezone = 'UTC'; ${alter} statement_timeout = '5s'" and let the pooler reconnect`;
}

/**
 * Checks the connections once: their start options may be refused or dropped on the way, and a pooler takes none.
 * @throws {BadSetting} that says what to do
 */
export async function checkConnections(db: Db, hasPooler: boolean): Promise<void> {
  const { rows } = await settings.execute(db).catch((error: Error) => {
    if (!/startup parameter/.test(error.message)) throw error;
    throw new BadSetting(`DATABASE_POOLER: a pooler refuses connections (${error.message}); set DATABASE_POOLER=on`);
  });
  const [found] = rows as [Found];
  const { timezone, statement_timeout } = found;
  if (isUtc(timezone) && statement_timeout > 0 && statement_timeout <= maxMilliseconds) return;
  throw new BadSetting(refusalOf(found, hasPooler));
}

/** @throws {BadSetting} if the application's role could switch off every guard */
export async function refuseSuperuser(db: Db): Promise<void> {
  const { rows } = await sql<{ rolsuper: boolean }>`select rolsuper from pg_roles where rolname = current_user`.execute(
    db,
  );
  if (rows[0]?.rolsuper)
    throw new BadSetting('DATABASE_URL: the role must not be a superuser in production: give an ordinary role');
}
