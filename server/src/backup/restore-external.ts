import pg from 'pg';
import { refuseInUse } from '../db/after-restore.ts';
import { jobsSchema } from '../db/migrate.ts';
import { unfinishedRestore } from '../db/unfinished.ts';
import { nameOfTime } from './manifest.ts';
import { Refusal } from './refusal.ts';
import { restoreDatabase } from './restore.ts';
import type { RestoreTask, Restored } from './restore.ts';
import { markStore, restoreFiles } from './restore-files.ts';
import type { FilesPlace } from './restore-files.ts';
import { rowsOfBackup } from './rows.ts';
import type { Content } from './rows.ts';
import { withConnection } from './snapshot.ts';

export type External = { ownerUrl: string; appUrl: string; files: FilesPlace };

export const roleOf = (url: string) => decodeURIComponent(new URL(url).username);

type State = { schema: string; inUse: boolean; isUnfinished: boolean };

async function stateOf(client: pg.Client): Promise<State> {
  const { rows } = await client.query<State>(
    `select current_schema()::text as schema,
            to_regnamespace($1) is not null or exists (
              select from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p'))
              as "inUse",
            to_regclass($2) is not null as "isUnfinished"`,
    [jobsSchema, unfinishedRestore],
  );
  return rows[0] as State;
}

const withClient = <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  withConnection('restore', url, work);

export type Addresses = Omit<External, 'files'>;

/** Refuses a database that a service uses or is starting on, in the client's open transaction. */
export async function refuseUsers(client: pg.Client, { ownerUrl, appUrl }: Addresses): Promise<void> {
  const roles = [...new Set([ownerUrl, appUrl].map(roleOf))];
  await refuseInUse((text, values) => client.query(text, values), roles).catch((error: Error) => {
    throw new Refusal(error.message, { cause: error });
  });
}

/** The mark of the database's file store, or that of an interrupted restore into it; undefined without one. */
export const storeIdOf = (ownerUrl: string): Promise<string | undefined> =>
  withClient(
    ownerUrl,
    // until the restore is complete, the restored rows name the store of the database that was backed up
    async (client) => (await storeIdIn(client, unfinishedRestore)) ?? storeIdIn(client, 'installation'),
  );

async function storeIdIn(client: pg.Client, table: string): Promise<string | undefined> {
  const { rows: columns } = await client.query(
    `select from pg_attribute where attrelid = to_regclass($1) and attname = 'store_id'`,
    [table],
  );
  if (columns.length === 0) return undefined;
  const { rows } = await client.query<{ store_id: string | null }>(`select store_id from ${id(table)}`);
  return rows[0]?.store_id ?? undefined;
}

/** The database as messages name it, without user and password. */
export function placeOf(url: string): string {
  const { pathname, hostname, port } = new URL(url);
  return `the database ${decodeURIComponent(pathname.slice(1))} on ${decodeURIComponent(hostname)}${port && `:${port}`}`;
}

/** What a database contains that no service uses. */
export async function stateOfUnused(external: Addresses): Promise<State> {
  return withClient(external.ownerUrl, async (client) => {
    await client.query('begin');
    await refuseUsers(client, external);
    await client.query('rollback');
    return stateOf(client);
  });
}

/** Describes what a restore into the database of DATABASE_URL will do. Whatever it refuses, nothing has changed. */
export async function planExternal(external: Addresses, replace: boolean): Promise<string[]> {
  const { inUse, schema, isUnfinished } = await stateOfUnused(external);
  const place = placeOf(external.ownerUrl);
  if (isUnfinished) return [`remove what an interrupted restore left in ${place}, and restore into it again`];
  if (!inUse) return [`put the tables of the backup into ${place}`];
  if (!replace)
    throw new Refusal(
      `${place} contains tables: add --replace to keep them in another schema, or give an empty database in DATABASE_URL.`,
    );
  return [
    `keep the tables of ${place} in the schemas ${schema}_before_<time> and ${jobsSchema}_before_<time>`,
    'put the tables of the backup in their place',
  ];
}

const id = pg.escapeIdentifier;

// The migrations' extension: its objects belong to the server, so it cannot be moved, and the new tables need it here.
const dropTrigrams = 'drop extension if exists pg_trgm cascade';
const searchIndex = 'create index employees_search_text_idx on employees using gin (search_text gin_trgm_ops)';

/** Renames the schemas of Tenure, or removes those of a killed restore, and creates an empty one. */
async function emptySchema(client: pg.Client, suffix: string): Promise<string | undefined> {
  const { schema, inUse, isUnfinished } = await stateOf(client);
  if (!inUse) return undefined;
  await client.query(dropTrigrams);
  if (isUnfinished) {
    await client.query(`drop schema ${id(schema)} cascade; drop schema if exists ${id(jobsSchema)} cascade`);
    await client.query(`create schema ${id(schema)}`);
    return undefined;
  }
  const kept = `${schema}_${suffix}`;
  await client.query(`alter schema ${id(schema)} rename to ${id(kept)}; create schema ${id(schema)}`);
  await renameIfThere(client, jobsSchema, `${jobsSchema}_${suffix}`);
  return kept;
}

async function renameIfThere(client: pg.Client, from: string, to: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [from]);
  if (rowCount) await client.query(`alter schema ${id(from)} rename to ${id(to)}`);
}

/** The schema may have another owner than the tables. */
async function refuseForeignSchema(error: unknown, ownerUrl: string): Promise<never> {
  if ((error as { code?: string }).code !== '42501') throw error;
  throw new Refusal(
    `${roleOf(ownerUrl)} cannot rename the schema (${(error as Error).message}): ` +
      'restore into an empty database instead, and give its address in DATABASE_URL.',
    { cause: error },
  );
}

/** Renames the previous schemas back. */
async function putSchemasBack(client: pg.Client, kept: string, suffix: string): Promise<void> {
  const { schema } = await stateOf(client);
  await client.query('begin');
  await client.query(dropTrigrams);
  await client.query(`drop schema ${id(schema)} cascade; drop schema if exists ${id(jobsSchema)} cascade`);
  await client.query(`alter schema ${id(kept)} rename to ${id(schema)}`);
  await renameIfThere(client, `${jobsSchema}_${suffix}`, jobsSchema);
  await client.query('commit');
  // searches work without it, only slower
  await client.query(`create extension pg_trgm; ${searchIndex}`).catch(() => undefined);
}

type Task = Omit<RestoreTask, 'ownerUrl' | 'appRole' | 'before' | 'undo'>;
type InExternal = Restored & { kept: string | undefined };

/** Restores into an external database, which no process may use. The previous data is kept in renamed schemas. */
export async function restoreExternal(
  { files, ...addresses }: External,
  { manifest, read, ...rest }: Content & Pick<Task, 'mail' | 'checks' | 'restore' | 'step'>,
): Promise<InExternal> {
  const storeMark = await restoreFiles(files, manifest, read);
  rest.step?.('Files copied');
  const mark = () => markStore(files, storeMark);
  return fillExternal(addresses, { ...rest, storeMark, markStore: mark, rows: rowsOfBackup(manifest, read) });
}

/** The same without files. */
export async function fillExternal(addresses: Addresses, task: Task): Promise<InExternal> {
  const { ownerUrl, appUrl } = addresses;
  const suffix = `before_${nameOfTime(Temporal.Now.instant().toString()).toLowerCase()}`;
  let kept: string | undefined;
  const restored = await restoreDatabase({
    ...task,
    ownerUrl,
    appRole: ownerUrl === appUrl ? undefined : roleOf(appUrl),
    before: async (client) => {
      // again: a service may have started since the question
      await refuseUsers(client, addresses);
      kept = await emptySchema(client, suffix).catch((error) => refuseForeignSchema(error, ownerUrl));
    },
    undo: async () => {
      if (kept) await withClient(ownerUrl, (client) => putSchemasBack(client, kept ?? '', suffix));
    },
  });
  return { ...restored, kept };
}
