import pg from 'pg';
import { applyMigration } from '../db/apply-migration.ts';
import { inOrder, migrationHashes } from '../db/migration-files.ts';
import type { Manifest } from './manifest.ts';
import { Refusal } from './refusal.ts';
import type { Rows } from './rows.ts';

/** Refuses a backup whose tables this release cannot build. */
export async function refuseUnknownMigrations({ migrations, release }: Manifest): Promise<void> {
  const known = await migrationHashes();
  for (const [name, hash] of Object.entries(migrations)) {
    if (known[name] === undefined)
      throw new Refusal(
        `The backup was made by a newer release (${release}), whose migration ${name} is unknown here: use that release.`,
      );
    if (known[name] !== hash)
      throw new Refusal(`The backup was made by another version of the migration ${name}: use release ${release}.`);
  }
}

/** Builds the tables as they were at the time of the backup, in the transaction of `client`. */
export async function buildSchema(client: pg.Client, { migrations, audit_months }: Rows): Promise<void> {
  for (const name of inOrder(Object.keys(migrations))) await applyMigration(client, name);
  for (const month of audit_months) {
    const first = `${month.slice(0, 4)}-${month.slice(4)}-01`;
    const next = Temporal.PlainDate.from(first).add({ months: 1 }).toString();
    await client.query(
      `create table if not exists audit_log_${month} partition of audit_log
       for values from ('${first}T00:00:00Z') to ('${next}T00:00:00Z')`,
    );
  }
}

/** Statements that recreate what was dropped for the copying. */
export type RecreateStatements = string[];

type Statements = { drop: string; create: string }[];

/** Drops what slows down the copying or would change rows: triggers, foreign keys and plain indexes. */
export async function dropForCopying(client: pg.Client): Promise<RecreateStatements> {
  const rowsOf = async (text: string) => (await client.query<Statements[number]>(text)).rows;
  const keys = await rowsOf(
    `select format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname) as drop,
            format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid))
              as create
     from pg_constraint k
     where k.contype = 'f' and k.conparentid = 0 and k.connamespace = current_schema()::regnamespace`,
  );
  const indexes = await rowsOf(
    `select format('drop index %s', i.indexrelid::regclass) as drop,
            -- an index of a partitioned table is made on its parts too
            regexp_replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as create
     from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
       and not exists (select from pg_inherits h where h.inhrelid = i.indexrelid)`,
  );
  const triggers = await rowsOf(
    `select format('alter table %s disable trigger user', c.oid::regclass) as drop,
            format('alter table %s enable trigger user', c.oid::regclass) as create
     from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
       and exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal)`,
  );
  for (const { drop } of [...triggers, ...keys, ...indexes]) await client.query(drop);
  return [...indexes, ...keys, ...triggers].map(({ create }) => create);
}

export async function recreateDropped(client: pg.Client, statements: RecreateStatements): Promise<void> {
  for (const statement of statements) await client.query(statement);
}

export async function emptyTables(client: pg.Client, names: readonly string[]): Promise<void> {
  await client.query(`truncate ${names.map((name) => pg.escapeIdentifier(name)).join(', ')}`);
}

export async function setSequences(client: pg.Client, { sequences }: Rows): Promise<void> {
  for (const [name, [value, isCalled]] of Object.entries(sequences))
    await client.query('select setval($1::regclass, $2, $3)', [pg.escapeIdentifier(name), value, isCalled]);
}
