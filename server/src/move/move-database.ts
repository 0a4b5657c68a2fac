import type { Logger } from 'pino';
import { formatBytes } from '../backup/format-bytes.ts';
import { deleteSpool } from '../backup/points/spool.ts';
import { Refusal, sentence } from '../backup/refusal.ts';
import type { Checks, Restored } from '../backup/restore.ts';
import { placeOf } from '../backup/restore-external.ts';
import { readFacts, withConnection } from '../backup/snapshot.ts';
import { readTables } from '../backup/tables.ts';
import { hashesOf } from '../backup/write.ts';
import type { Config } from '../config.ts';
import { externalAddresses } from '../db/addresses.ts';
import { addressesOfRunning } from '../db/embedded.ts';
import { unmark } from '../db/moved.ts';
import { settingsToUse } from './settings-to-use.ts';
import { embeddedName, freeze, withRows, withSource } from './source.ts';
import type { Source } from './source.ts';
import { embeddedTarget, externalTarget } from './target.ts';
import type { Destination, Target } from './target.ts';

export type MoveCommand = {
  config: Config;
  log: Logger;
  print: (line: string) => void;
  checks: Checks;
};

function targetOf(command: MoveCommand, to: Destination): Target {
  const external = externalAddresses(command.config);
  if (to === 'embedded') {
    if (!external)
      throw new Refusal('The settings already use the embedded database: give --to the address of a server.');
    return embeddedTarget(command);
  }
  if (external && placeOf(external.ownerUrl) === placeOf(to.ownerUrl))
    throw new Refusal(`--to is ${placeOf(to.ownerUrl)}, the database of the settings: give another one.`);
  return externalTarget(to, command);
}

type Size = { bytes: number; tables: number };

/** The size of a database that this release can read. */
const sizeOfSource = ({ ownerUrl }: Pick<Source, 'ownerUrl'>): Promise<Size> =>
  withConnection('move', ownerUrl, async (client) => {
    await hashesOf((await readFacts(client)).migrations);
    const { rows } = await client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes');
    return { bytes: Number(rows[0]?.bytes), tables: (await readTables(client)).length };
  });

/**
 * `tenure move-database`: copies the configured database to another place, with identical rows, and blocks services
 * from the old one. No process of Tenure may be running.
 */
export async function moveDatabase(command: MoveCommand, to: Destination): Promise<void> {
  const { print, checks } = command;
  const target = targetOf(command, to);
  const started = performance.now();
  await withSource(command, async (source) => {
    const { bytes } = await sizeOfSource(source);
    await target.check(bytes);
    const frozen = await freeze(source, target.name);
    try {
      print(`Copying ${source.name} (${formatBytes(bytes)}) to ${target.name}`);
      const step = (what: string) => print(`  ${what}`);
      const leave = async () => {
        await frozen.markMoved(target.name);
        step('Former database marked');
      };
      printMoved(await withRows(source, (rows) => target.receive({ rows, checks, step }, leave)), print);
    } finally {
      await frozen.close();
    }
    // no service sends it any more
    if (source.isEmbedded) await deleteSpool(command.config.DATA_DIR);
    print(`The move took ${((performance.now() - started) / 1_000).toFixed(0)} s. People must sign in again.`);
    for (const line of settingsToUse(command.config, source, to)) print(line);
  });
}

export function printMoved({ tables, rows, jobs, indexes, faults }: Restored, print: MoveCommand['print']): void {
  print(`Copied ${tables} tables with ${rows} rows: number and sum of each table are the same.`);
  if (jobs > 0) print(`Pending jobs that the service will run: ${jobs}`);
  print(
    indexes === null
      ? 'Indexes were not checked: this PostgreSQL has no amcheck, or the role cannot use it.'
      : `Indexes checked by amcheck: ${indexes}`,
  );
  for (const fault of faults) print(`Warning, this fault already existed before the move: ${fault}`);
}

/** `--check`: refuses what the move would refuse, even while a service is running; changes nothing. */
export async function checkMove(command: MoveCommand, to: Destination): Promise<void> {
  const { config, print } = command;
  const target = targetOf(command, to);
  const look = async (source: Pick<Source, 'ownerUrl' | 'name'>) => {
    const { bytes, tables } = await sizeOfSource(source);
    await target.check(bytes);
    print(`${source.name}: ${tables} tables, ${formatBytes(bytes)}`);
    print(`It can be moved to ${target.name}. Nothing was changed.`);
  };
  const running = await addressesOfRunning(config.DATA_DIR);
  if (externalAddresses(config) || !running) return withSource(command, look);
  await look({ ...running, name: embeddedName(config.DATA_DIR) });
  print('The service is running: stop it before the move.');
}

/** `--unmark`: lets services start again on the configured database, which was moved. */
export const unmarkDatabase = (command: Pick<MoveCommand, 'config' | 'log' | 'print'>): Promise<void> =>
  withSource(command, async ({ ownerUrl, name }) => {
    if (!(await withConnection('move', ownerUrl, unmark)))
      throw new Refusal(`${sentence(name)} was not moved, so there is nothing to unmark: services can start on it.`);
    command.print(
      `Services can start on ${name} again. It lacks the changes made at the new location: use only one of them.`,
    );
  });
