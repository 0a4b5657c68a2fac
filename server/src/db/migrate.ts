import { setTimeout as sleep } from 'node:timers/promises';
import { notificationCatalogue, permissionNames, seededGrants, seededRoles } from '@tenure/contract';
import pg from 'pg';
import { applyInUse, begin, connectAsOwner, createList } from './apply-migration.ts';
import { compareSchema, refuseForeign } from './check-schema.ts';
import { listMigrations, ownMigrations } from './migration-files.ts';
import { refuseMoved } from './moved.ts';
import { findUnfinished } from './unfinished.ts';
import { runMigrations } from './worker-library.ts';

export const jobsSchema = 'graphile_worker';
/** Held by the process that migrates; others wait. */
export const migrationLock = 7_365_041;

async function appliedTo(client: pg.Client): Promise<string[]> {
  await client.query(createList);
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  return rows.map(({ name }) => name);
}

/** Grants the permissions that a new release added to the catalogue; keeps grants that an administrator changed. */
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

/** The channels of events that a new release added; keeps changed settings. */
async function seedNotificationSettings(client: pg.Client): Promise<void> {
  await client.query(
    `insert into notification_settings (event, in_app, email, lead_days)
     select event, in_app, email, lead_days
     from jsonb_to_recordset($1) as t (event text, in_app boolean, email boolean, lead_days integer[])
     on conflict do nothing`,
    [JSON.stringify(notificationCatalogue)],
  );
}

/** The queue's tables hide their rows from all roles but their owner, unless a policy allows them. */
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

/** Tables that only migrations, functions and the owner's commands write. */
const onlyRead = [
  'schema_migrations',
  'audit_archives',
  'audit_chain',
  'audit_chain_reached',
  'web_releases',
  'web_assets',
];

/** The application role may use everything but change no schema; to the audit log it can only add. */
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
  for (const closed of onlyRead) await client.query(`revoke insert, update, delete on ${closed} from ${name}`);
  await openQueueTo(client, role);
}

async function refuseUnfinished(client: pg.Client): Promise<void> {
  const fault = await findUnfinished((text, values) => client.query(text, values));
  if (fault) throw fault;
}

const turnMilliseconds = 200;

/**
 * Waits until no other node migrates. The lock belongs to a transaction, because poolers do not keep session locks. It
 * is polled, because building an index concurrently waits for all running statements, including one that would wait for
 * the lock.
 */
async function takeTurn(gate: pg.Client): Promise<void> {
  for (;;) {
    await gate.query(begin);
    // no parameters: a statement with parameters would keep its snapshot as long as the transaction
    const { rows } = await gate.query<{ taken: boolean }>(
      `select pg_try_advisory_xact_lock(${migrationLock}) as taken`,
    );
    if (rows[0]?.taken) return;
    await gate.query('rollback');
    await sleep(turnMilliseconds);
  }
}

/** @returns what was applied, and whether the database belongs to a later release */
async function applyMissing(client: pg.Client, folder: URL) {
  const own = await listMigrations(folder);
  const schema = compareSchema(await appliedTo(client), own);
  refuseForeign(schema, own);
  for (const name of schema.missing) await applyInUse(client, name, folder);
  return { applied: schema.missing, isOfLater: schema.unknown.length > 0 };
}

export type MigrateOptions = {
  /** A start refuses a database whose restore is not complete. */
  of?: 'start' | 'restore';
  /** The migrations; this release's own, except in tests. */
  folder?: URL;
};

/**
 * Brings the database to this release, as its owner. Several nodes may start at once: one migrates, the others wait.
 * Leaves a database of a later release unchanged if this one can run on it.
 * @returns the names of the migrations applied now
 */
export async function migrate(
  ownerUrl: string,
  appRole?: string,
  { of = 'start', folder = ownMigrations }: MigrateOptions = {},
): Promise<string[]> {
  const client = await connectAsOwner(ownerUrl);
  const gate = await connectAsOwner(ownerUrl);
  try {
    await takeTurn(gate);
    if (of === 'start') {
      await refuseUnfinished(client);
      await refuseMoved((text, values) => client.query(text, values));
    }
    const { applied, isOfLater } = await applyMissing(client, folder);
    if (!isOfLater) {
      await seedPermissions(client);
      await seedNotificationSettings(client);
      await runMigrations({ connectionString: ownerUrl, schema: jobsSchema });
      // this release must not grant rights on a table that a later release closed
      if (appRole) await grantTo(client, appRole);
    }
    await gate.query('commit');
    return applied;
  } finally {
    await gate.end();
    await client.end();
  }
}
