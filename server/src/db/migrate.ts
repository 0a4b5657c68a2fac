import { readdir, readFile } from 'node:fs/promises';
import { notificationCatalogue, permissionNames, seededGrants, seededRoles } from '@tenure/contract';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { sha256Hex } from '../crypto/crypto.ts';

const folder = new URL('../../migrations/', import.meta.url);
export const jobsSchema = 'graphile_worker';
/** Held by a process that migrates; others wait. */
export const migrationLock = 7_365_041;
// a role may have a limit for the statements of requests; a migration takes the time it needs
const begin = 'begin; set local statement_timeout = 0';

const listMigrations = async () => (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
const readMigration = (name: string) => readFile(new URL(name, folder), 'utf8');

/** All migrations of this release with the SHA-256 of their content. */
export async function migrationHashes(): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const name of await listMigrations()) hashes[name] = sha256Hex(await readMigration(name));
  return hashes;
}

const createList =
  'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())';

async function pending(client: pg.Client): Promise<string[]> {
  await client.query(createList);
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  const applied = new Set(rows.map((row) => row.name));
  const files = await listMigrations();
  refuseUnknown([...applied].filter((name) => !files.includes(name)).sort(), files.at(-1) ?? '');
  return files.filter((name) => !applied.has(name));
}

/** A database with another history has other tables than its names say: nothing may be added to it. */
function refuseUnknown(unknown: string[], newest: string): void {
  const [first] = unknown;
  if (first === undefined) return;
  if (first > newest) throw new Error(`The database was migrated by a newer release (${unknown.join(', ')})`);
  const named =
    unknown.length > 3 ? `${unknown.slice(0, 3).join(', ')} and ${unknown.length - 3} more` : unknown.join(', ');
  throw new Error(
    `The database was made by migrations that this release does not know (${named}). ` +
      'A database from before release 0.1.0 cannot be updated: start with an empty one, by another DATA_DIR or DATABASE_URL',
  );
}

/** Grants what a new release added to the catalogue; grants that an administrator changed stay as they are. */
async function seedPermissions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'insert into known_permissions select unnest($1::text[]) on conflict do nothing returning name',
    [permissionNames],
  );
  const added = new Set(rows.map((row) => row.name));
  for (const role of seededRoles) {
    const grants = seededGrants(role).filter((name) => role === 'Admin' || added.has(name));
    await client.query(
      `insert into role_permissions (role_id, permission)
       select r.id, p from roles r, unnest($2::text[]) as p where r.is_system and r.name = $1
       on conflict do nothing`,
      [role, grants],
    );
  }
}

/** The channels of events a new release added; changed settings stay as they are. */
async function seedNotificationSettings(client: pg.Client): Promise<void> {
  await client.query(
    `insert into notification_settings (event, in_app, email, lead_days)
     select event, in_app, email, lead_days
     from jsonb_to_recordset($1) as t (event text, in_app boolean, email boolean, lead_days integer[])
     on conflict do nothing`,
    [JSON.stringify(notificationCatalogue)],
  );
}

/** The queue's tables hide their rows from all roles but their owner unless a policy says otherwise. */
async function openQueueTo(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace = $1::regnamespace and c.relrowsecurity
       and not exists (select from pg_policy p where p.polrelid = c.oid and (select oid from pg_roles where rolname = $2) = any(p.polroles))`,
    [jobsSchema, role],
  );
  const [policy, id] = [pg.escapeIdentifier(`service_${role}`), pg.escapeIdentifier(role)];
  for (const { name } of rows)
    await client.query(`create policy ${policy} on ${name} to ${id} using (true) with check (true)`);
}

/** The application role may use everything and change nothing of the schema; the audit log it may only add to. */
async function grantTo(client: pg.Client, role: string): Promise<void> {
  const name = pg.escapeIdentifier(role);
  for (const schema of ['current_schema', `'${jobsSchema}'`]) {
    const { rows } = await client.query<{ name: string }>(`select ${schema}::text as name`);
    const id = pg.escapeIdentifier(rows[0]?.name ?? 'public');
    await client.query(`grant usage on schema ${id} to ${name}`);
    await client.query(`grant select, insert, update, delete on all tables in schema ${id} to ${name}`);
    await client.query(`grant usage, select, update on all sequences in schema ${id} to ${name}`);
    await client.query(`grant execute on all functions in schema ${id} to ${name}`);
  }
  const { rows } = await client.query<{ part: string }>(
    `select c.oid::regclass::text as part from pg_class c
     where c.oid = 'audit_log'::regclass or c.oid in (select inhrelid from pg_inherits where inhparent = 'audit_log'::regclass)`,
  );
  for (const { part } of rows) await client.query(`revoke update, delete on ${part} from ${name}`);
  for (const closed of ['schema_migrations', 'audit_chain', 'audit_chain_reached'])
    await client.query(`revoke insert, update, delete on ${closed} from ${name}`);
  await openQueueTo(client, role);
}

/** Applies one migration in the transaction of `client`. */
export async function applyMigration(client: pg.Client, name: string): Promise<void> {
  await client.query(createList);
  await client.query(await readMigration(name));
  await client.query('insert into schema_migrations (name) values ($1)', [name]);
}

/** A table that a database has until its restore is complete. */
export const unfinishedRestore = 'unfinished_restore';

async function refuseUnfinished(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ found: string | null }>('select to_regclass($1)::text as found', [
    unfinishedRestore,
  ]);
  if (rows[0]?.found)
    throw new Error('A restore into this database was interrupted. Run npm run restore again, with --replace');
}

async function applyAll(client: pg.Client): Promise<string[]> {
  const names = await pending(client);
  for (const name of names) {
    await client.query(begin);
    try {
      await applyMigration(client, name);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw new Error(`Migration ${name} failed`, { cause: error });
    }
  }
  return names;
}

/**
 * Brings the database to this release, as its owner. Several nodes may start at once: one migrates, the others wait.
 * @returns the names of the migrations that were applied now
 */
export async function migrate(
  ownerUrl: string,
  appRole?: string,
  of: 'start' | 'restore' = 'start',
): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const gate = new pg.Client({ connectionString: ownerUrl });
  await gate.connect();
  try {
    // held by a transaction of its own, because poolers do not keep session locks
    await gate.query(begin);
    await gate.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    if (of === 'start') await refuseUnfinished(client);
    const applied = await applyAll(client);
    await seedPermissions(client);
    await seedNotificationSettings(client);
    await runMigrations({ connectionString: ownerUrl, schema: jobsSchema });
    if (appRole) await grantTo(client, appRole);
    await gate.query('commit');
    return applied;
  } finally {
    await gate.end();
    await client.end();
  }
}
