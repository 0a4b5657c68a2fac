import pg from 'pg';
import { inject } from 'vitest';
import { randomToken } from '../crypto/crypto.ts';

export type TestDatabase = { ownerUrl: string; appUrl: string };

/** Databases that tests created and that still exist: hundreds would take the machine's memory. */
const made = new Set<string>();

async function asAdministrator<T>(work: (client: pg.Client, template: string) => Promise<T>): Promise<T> {
  const url = new URL(inject('cluster').ownerUrl);
  const template = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return await work(client, template);
  } finally {
    await client.end();
  }
}

function newName(): string {
  const name = `t_${randomToken(9)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '0')}`;
  made.add(name);
  return name;
}

function addressesOf(name: string): TestDatabase {
  const { ownerUrl, appUrl } = inject('cluster');
  const at = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  return { ownerUrl: at(ownerUrl), appUrl: at(appUrl) };
}

/** A new migrated database; a `large` one has its statements planned for their values, as in production. */
export async function cloneDatabase({ large = false } = {}): Promise<TestDatabase> {
  const name = newName();
  await asAdministrator(async (client, template) => {
    await client.query(`create database ${name} template ${template} strategy file_copy`);
    if (large) await client.query(`alter database ${name} set plan_cache_mode = auto`);
  });
  return addressesOf(name);
}

/** A database without tables. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const name = newName();
  await asAdministrator((client) => client.query(`create database ${name} template template0`));
  return addressesOf(name);
}

/** Drops the databases that test files created; those still in use are left until the end of the next file. */
export async function dropDatabases(): Promise<void> {
  if (made.size === 0) return;
  await asAdministrator(async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select name from unnest($1::text[]) as name
       where not exists (select from pg_stat_activity where datname = name)`,
      [[...made]],
    );
    for (const { name } of rows) {
      await client.query(`drop database if exists ${name}`);
      made.delete(name);
    }
  });
}
