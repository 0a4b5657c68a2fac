import { sql } from 'kysely';
import type { Config } from '../config.ts';
import { askIn } from '../db/ask.ts';
import { canRun, compareSchema } from '../db/check-schema.ts';
import type { Db } from '../db/connect.ts';
import { unfinishedRestore } from '../db/unfinished.ts';
import { listMigrations } from '../db/migration-files.ts';
import { movedTo } from '../db/moved.ts';
import { fail, ok, warn } from './finding.ts';
import type { Finding } from './finding.ts';

type Found = {
  is_there: boolean;
  may_read: boolean;
  may_write: boolean;
  may_change_log: boolean;
  is_unfinished: boolean;
};

const question = sql<Found>`
  with tables as (
    select c.oid, c.relname, has_schema_privilege(n.oid, 'usage') as is_open
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and c.relname in ('schema_migrations', 'employees', 'audit_log', ${unfinishedRestore})
      -- also where the role may not use the schema; a restore keeps former tables in another one
      and n.nspname::text = any(
        string_to_array(replace(replace(current_setting('search_path'), '"$user"', current_user), ' ', ''), ',')))
  select count(*) filter (where relname = 'schema_migrations') > 0 as is_there,
    coalesce(bool_and(is_open and has_table_privilege(oid, 'select')), true) as may_read,
    coalesce(bool_and(has_table_privilege(oid, 'update')) filter (where relname = 'employees'), true) as may_write,
    coalesce(bool_or(has_table_privilege(oid, 'update, delete')) filter (where relname = 'audit_log'), false)
      as may_change_log,
    count(*) filter (where relname = ${unfinishedRestore}) > 0 as is_unfinished
  from tables`;

export type SchemaState = {
  /** Whether the tables exist and can be examined further. */
  isUsable: boolean;
  findings: Finding[];
};

const few = (names: readonly string[]) =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');

/** Compares the migrations of the release with those of the database. */
async function checkMigrations(db: Db): Promise<Finding> {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db);
  const applied = rows.map(({ name }) => name);
  const own = await listMigrations();
  const { missing, unknown } = compareSchema(applied, own);
  if (!canRun(applied, own) && unknown.length > 0)
    return fail(
      'schema',
      `The database has migrations of a newer release that this one cannot run with: ${few(unknown)}`,
      'Run the release that applied them, or a newer one.',
    );
  if (missing.length > 0)
    return warn(
      'schema',
      `Migrations are pending: ${few(missing)}`,
      'Start the service of this release once: it applies them.',
    );
  return ok('schema', 'All migrations that this release needs are applied');
}

async function checkDemo(db: Db, { production }: Config): Promise<Finding> {
  const { rows } = await sql<{ is_demo: boolean }>`select is_demo from installation`.execute(db);
  if (!rows[0]?.is_demo) return ok('demo', 'No demo data');
  return production
    ? fail(
        'demo',
        'The database contains demo data, so the service refuses to start in production',
        'Use another DATA_DIR or DATABASE_URL.',
      )
    : ok('demo', 'The database contains demo data, so the service would refuse to start in production');
}

const blocked = (finding: Finding): SchemaState => ({ isUsable: false, findings: [finding] });

/** Tables, rights and migrations; `isOwner`: the service's role owns the tables. */
export async function checkSchema(db: Db, config: Config, isOwner: boolean): Promise<SchemaState> {
  const [found] = (await question.execute(db)).rows as [Found];
  if (!found.is_there)
    return { isUsable: false, findings: [ok('schema', 'The database is empty: the first start creates the tables')] };
  if (found.is_unfinished)
    return blocked(
      fail(
        'schema',
        'A restore was interrupted',
        'Run the interrupted command again: restore with --replace, or move-database.',
      ),
    );
  const moved = await movedTo(askIn(db));
  if (moved)
    return blocked(
      fail(
        'schema',
        `The database was moved to ${moved.place} on ${moved.day}`,
        'Use the settings of the new location, or run the command move-database --unmark to use this database again.',
      ),
    );
  if (!found.may_read || !found.may_write)
    return blocked(
      fail(
        'rights',
        'The role of DATABASE_URL has no permission to use the tables',
        'Start the service once with DATABASE_MIGRATION_URL, the address of the owner: it grants the rights.',
      ),
    );
  const rights =
    found.may_change_log && !isOwner
      ? warn(
          'rights',
          'The role of DATABASE_URL can change audit log entries',
          'Start the service: it revokes this permission. Or run "revoke update, delete on audit_log from …" with the role, as the owner.',
        )
      : ok('rights', 'The role of the service has the rights that it needs');
  const migrations = await checkMigrations(db);
  // later queries may need a pending migration
  if (migrations.status !== 'ok') return { isUsable: false, findings: [rights, migrations] };
  return { isUsable: true, findings: [rights, migrations, await checkDemo(db, config)] };
}
