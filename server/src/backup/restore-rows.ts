import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { unfinishedRestore } from '../db/migrate.ts';
import { mostUnpacked, readChunks } from './chunks.ts';
import type { ReadChunk } from './chunks.ts';
import type { Manifest } from './manifest.ts';
import { Refusal } from './refusal.ts';
import { buildSchema, emptyTables, putBack, setSequences, takeAway } from './restore-schema.ts';
import { copyIn, readTables, sameTexts, sumOf } from './tables.ts';

/**
 * Builds the tables of a backup with their rows, in one transaction, so that a fault or a kill leaves what was there.
 * `before` prepares the place in the same transaction.
 */
export async function restoreRows(
  client: pg.Client,
  manifest: Manifest,
  { read, before = async () => undefined }: { read: ReadChunk; before?: (client: pg.Client) => Promise<unknown> },
): Promise<void> {
  await client.query(sameTexts);
  await client.query("begin; set local maintenance_work_mem = '256MB'");
  try {
    await before(client);
    await buildSchema(client, manifest);
    const names = await sameTables(client, manifest);
    const statements = await takeAway(client);
    await emptyTables(client, names);
    for (const name of names) await copyTable(client, name, { manifest, read });
    // foreign keys look at every row when they are made: none of them leads nowhere
    await putBack(client, statements);
    await setSequences(client, manifest);
    await compareSums(client, manifest);
    await client.query(`create table ${unfinishedRestore} ()`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** The tables of the backup are those that its migrations build. */
async function sameTables(client: pg.Client, { tables, id }: Manifest): Promise<string[]> {
  const built = (await readTables(client)).map(({ name }) => name);
  const differing = [...new Set([...built, ...Object.keys(tables)])].filter(
    (name) => !built.includes(name) || tables[name] === undefined,
  );
  if (differing.length === 0) return built;
  throw new Refusal(`The backup ${id} has other tables than its migrations build: ${differing.join(', ')}.`);
}

type Source = { manifest: Manifest; read: ReadChunk };

async function copyTable(client: pg.Client, name: string, { manifest, read }: Source): Promise<void> {
  const table = manifest.tables[name];
  if (!table || table.chunks.length === 0) return;
  const content = readChunks(read, table, mostUnpacked.rows);
  await pipeline(Readable.from(content), client.query(from(copyIn({ name, columns: table.columns }))));
}

async function compareSums(client: pg.Client, { tables, id }: Manifest): Promise<void> {
  for (const [name, { columns, rows, sum }] of Object.entries(tables)) {
    const found = await sumOf(client, { name, columns });
    if (found.rows !== rows || found.sum !== sum)
      throw new Refusal(`The rows of ${name} in the backup ${id} are not as they were: use another backup.`);
  }
}
