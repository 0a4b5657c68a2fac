import { access, constants, copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { formatBytes } from '../backup/format-bytes.ts';
import { Refusal } from '../backup/refusal.ts';
import { fillCluster, isMountPoint, requireFreeBytes, withScratch } from '../backup/restore-embedded.ts';
import { withConnection } from '../backup/snapshot.ts';
import { externalAddresses } from '../db/addresses.ts';
import { clusterFolder, hasCluster } from '../db/data-dir.ts';
import { startLocked } from '../db/embedded.ts';
import { barredFolder, serverAccount } from '../db/embedded/account.ts';
import type { Account } from '../db/embedded/account.ts';
import { binariesIn, findBinaries, packageHome } from '../db/embedded/binaries.ts';
import type { Binaries } from '../db/embedded/binaries.ts';
import { majorOf, sizeOf } from '../db/embedded/cluster-facts.ts';
import { keptClusterOf } from '../db/kept-clusters.ts';
import { refuseMoved } from '../db/moved.ts';
import { moveIntoPlace } from '../db/restore-moves.ts';
import { printMoved } from './move-database.ts';
import type { MoveCommand } from './move-database.ts';
import { embeddedName, withRows } from './source.ts';

export type UpgradeCommand = MoveCommand & {
  /** A folder with the `postgres` program of the major version that created the cluster. */
  oldBinaries?: string | undefined;
};

const scratchName = 'upgrade';

/**
 * `tenure upgrade-database`: copies the embedded database, created by an earlier major version of PostgreSQL, to a new
 * cluster that then replaces it. Nothing changes until then; the next start finishes what a kill interrupts.
 */
export async function upgradeDatabase(command: UpgradeCommand): Promise<void> {
  const { config, print } = command;
  const { DATA_DIR: dataDir } = config;
  if (externalAddresses(config))
    throw new Refusal(
      'This command upgrades the embedded database only: upgrade the server of DATABASE_URL as its manual says.',
    );
  if (!(await stat(dataDir).catch(() => undefined))) throw noDatabase(dataDir);
  const started = performance.now();
  await withScratch(dataDir, scratchName, async (scratch) => {
    if (!(await hasCluster(dataDir))) throw noDatabase(dataDir);
    const plan = await planOf(command);
    if (!plan) return;
    const { from, to, kept, bytes, binaries } = plan;
    print(`Upgrading ${embeddedName(dataDir)} (${formatBytes(bytes)}) from PostgreSQL ${from} to ${to}`);
    await copyInto(scratch, command, binaries);
    await moveIntoPlace(dataDir, [
      ['postgres', kept],
      [`${scratchName}/postgres`, 'postgres'],
    ]);
    print(
      `Upgraded in ${((performance.now() - started) / 1_000).toFixed(0)} s. People must sign in again. Start the service now.`,
    );
    print(`The former database is kept as ${kept}; the first start after seven days removes it.`);
  });
}

const noDatabase = (dataDir: string) =>
  new Refusal(`DATA_DIR ${dataDir} contains no database: set DATA_DIR as for the service.`);

type Plan = { from: number; to: number; kept: string; bytes: number; binaries: Binaries };

/** Undefined if there is nothing to do. */
async function planOf({ config, print, oldBinaries }: UpgradeCommand): Promise<Plan | undefined> {
  const { DATA_DIR: dataDir } = config;
  const cluster = clusterFolder(dataDir);
  const account = await serverAccount(cluster);
  const [from, { major: to }] = [await majorOf(cluster), await findBinaries(account)];
  if (from === to) {
    print(`The database already uses PostgreSQL ${to}: there is nothing to do.`);
    return undefined;
  }
  if (from > to)
    throw new Refusal(
      `The database was made by PostgreSQL ${from}, but this release contains PostgreSQL ${to}: use the release that made it.`,
    );
  const kept = keptClusterOf(from);
  if (await stat(join(dataDir, kept)).catch(() => undefined))
    throw new Refusal(`${join(dataDir, kept)} already exists: move it elsewhere, or remove it.`);
  if (await isMountPoint(dataDir, 'postgres'))
    throw new Refusal(
      `${cluster} is a mount point of its own: mount its disk as DATA_DIR instead, or use move-database.`,
    );
  const bytes = await sizeOf(cluster);
  await requireFreeBytes(dataDir, 2 * bytes, 'upgrade');
  return { from, to, kept, bytes, binaries: await binariesOf(from, account, oldBinaries) };
}

/** The programs that can start the cluster: from the given folder, else those that the release includes for this. */
async function binariesOf(major: number, account: Account | undefined, folder?: string): Promise<Binaries> {
  const found = folder === undefined ? await ofRelease(account) : await named(folder, account);
  if (found?.major === major) return found;
  const wanted = `the folder with the program postgres of PostgreSQL ${major}, for example /usr/lib/postgresql/${major}/bin`;
  throw new Refusal(
    found && folder !== undefined
      ? `${folder} contains PostgreSQL ${found.major}: give ${wanted}.`
      : `This release does not contain PostgreSQL ${major}: give --old-binaries, ${wanted}.`,
  );
}

/** The release that changes the major version includes the previous one as a package of this name. */
async function ofRelease(account: Account | undefined): Promise<Binaries | undefined> {
  const installed = packageHome('postgres-previous');
  return installed === undefined ? undefined : findBinaries(account, { installed });
}

async function named(folder: string, account: Account | undefined): Promise<Binaries> {
  await access(join(folder, 'postgres'), constants.X_OK).catch(() => {
    throw new Refusal(`${folder} does not contain the program postgres: give its folder with --old-binaries.`);
  });
  const barred = account && (await barredFolder(folder, account));
  if (barred) throw new Refusal(`The system user of the database cannot enter ${barred}: copy the programs elsewhere.`);
  return binariesIn(folder);
}

async function copyInto(scratch: string, { config, log, print, checks }: UpgradeCommand, binaries: Binaries) {
  const { DATA_DIR: dataDir } = config;
  const step = (what: string) => print(`  ${what}`);
  const database = await startLocked({ dataDir, log, binaries });
  try {
    // its passwords are new if the file was lost
    await copyFile(join(dataDir, 'database.json'), join(scratch, 'database.json'));
    step('Former server started');
    const source = { ...database, name: embeddedName(dataDir), isEmbedded: true };
    await withConnection('upgrade', source.ownerUrl, (client) =>
      refuseMoved((text, values) => client.query(text, values)),
    );
    const task = { checks, step, mail: 'send' } as const;
    printMoved(await withRows(source, (rows) => fillCluster({ scratch, log }, { ...task, rows })), print);
  } finally {
    await database.stop();
  }
}
