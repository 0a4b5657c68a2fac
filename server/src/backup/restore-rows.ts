import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { unfinishedRestore } from '../db/unfinished.ts';
import { Refusal } from './refusal.ts';
import { buildSchema, emptyTables, recreateDropped, setSequences, dropForCopying } from './restore-schema.ts';
import type { Rows } from './rows.ts';
import { copyIn, readTables, copySettings, sumOf } from './tables.ts';

type Around = {
  /** Prepares the target in the same transaction. */
  before?: ((client: pg.Client) => Promise<unknown>) | undefined;
  /** Reports each completed part. */
  step?: ((what: string) => void) | undefined;
  /** The mark of the store that has the files, in case the restore is repeated. */
  storeMark?: string | undefined;
};

export type Counts = { tables: number; rows: number };

/** Builds tables with their rows in one transaction, so that an error or a kill leaves the previous state. */
export async function restoreRows(client: pg.Client, rows: Rows, { before, step, storeMark }: Around): Promise<Counts> {
  await client.query(copySettings);
  await client.query("begin; set local maintenance_work_mem = '256MB'");
  try {
    await before?.(client);
    await buildSchema(client, rows);
    step?.('Tables built');
    const names = await sameTables(client, rows);
    const statements = await dropForCopying(client);
    await emptyTables(client, names);
    for (const name of names) await copyTable(client, name, rows);
    step?.('Rows copied');
    // creating a foreign key checks every row, so none has a missing target
    await recreateDropped(client, statements);
    await setSequences(client, rows);
    step?.('Indexes and keys built');
    const counts = await compareSums(client, rows);
    step?.('Numbers and sums of rows compared');
    await client.query(`create table ${unfinishedRestore} (store_id uuid)`);
    await client.query(`insert into ${unfinishedRestore} values ($1)`, [storeMark]);
    await client.query('commit');
    return counts;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Checks that the tables are those that the migrations build. */
async function sameTables(client: pg.Client, { tables, name: source }: Rows): Promise<string[]> {
  const built = (await readTables(client)).map(({ name }) => name);
  const differing = [...new Set([...built, ...Object.keys(tables)])].filter(
    (name) => !built.includes(name) || tables[name] === undefined,
  );
  if (differing.length === 0) return built;
  throw new Refusal(
    `These tables differ from those that the migrations of ${source} create: ${differing.join(', ')}. Use the release that made the backup.`,
  );
}

async function copyTable(client: pg.Client, name: string, { tables }: Rows): Promise<void> {
  const table = tables[name];
  if (table) await pipeline(table.open(), client.query(from(copyIn({ name, columns: table.columns }))));
}

async function compareSums(client: pg.Client, { tables, name: source, remedy }: Rows): Promise<Counts> {
  const counts = { tables: 0, rows: 0 };
  for (const [name, { columns, sum }] of Object.entries(tables)) {
    const [expected, found] = await Promise.all([sum(), sumOf(client, { name, columns })]);
    if (found.rows !== expected.rows || found.sum !== expected.sum)
      throw new Refusal(`The rows of ${name} in ${source} were changed or damaged: ${remedy}.`);
    counts.tables += 1;
    counts.rows += found.rows;
  }
  return counts;
}
