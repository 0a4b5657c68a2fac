import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { randomId } from '../../crypto/crypto.ts';
import { spoolFolder } from '../../db/embedded/archiving.ts';
import { hasCluster, lockDataDir, prepareDataDir } from '../../db/data-dir.ts';
import { finishMoves, moveIntoPlace } from '../../db/restore-moves.ts';
import { openPlace } from '../../files/open.ts';
import { placesOf } from '../../files/places.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { requireArchive } from '../archive.ts';
import type { Archive } from '../archive.ts';
import { chunkReader } from '../chunks.ts';
import { archiveOf, secretsOf } from '../command.ts';
import { formatBytes } from '../format-bytes.ts';
import { cipherToRead } from '../encryption.ts';
import type { Cipher } from '../encryption.ts';
import { timeOf } from '../keep.ts';
import { listBackups, nameOfTime, readManifest } from '../manifest.ts';
import type { Manifest } from '../manifest.ts';
import { Refusal, refusalOf } from '../refusal.ts';
import { filesOf, isInDataDir, mailPlan, refuseStoreInUse, printKeys, printRestored } from '../restore-command.ts';
import type { RestoreCommand } from '../restore-command.ts';
import {
  clearScratch,
  isNotFilesMove,
  movesOf,
  planReplace,
  requireFreeBytes,
  refuseRunning,
} from '../restore-embedded.ts';
import { markStore, restoreFiles } from '../restore-files.ts';
import { refusalOnDisk } from '../free-space.ts';
import { keyIdsOf } from '../source.ts';
import { readBase } from './base.ts';
import { refuseExternal } from './commands.ts';
import { makeUsable, recover } from './recover.ts';
import type { Moment, Recovered } from './recover.ts';
import { waiting } from './spool.ts';
import { chainTo } from './times.ts';

/**
 * Parses a moment such as `2026-11-22T06:30:00Z`.
 * @throws {Refusal} for anything else, and for a time without its zone
 */
export function parseTime(text: string): number {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    throw new Refusal(`${text} is not a time with a time zone: give one such as 2026-11-22T06:30:00Z.`);
  }
}

/** The files of the store are not part of points in time; they come from the newest backup. */
type StoredFiles = { id: string; manifest: Manifest; open: NonNullable<Cipher['open']> };

type Opened = Moment & { files: StoredFiles | undefined };

async function openMoment(command: RestoreCommand, time: number): Promise<Opened> {
  const archive = archiveOf(command, '--from');
  await requireArchive(archive);
  const { DATA_DIR: dataDir } = command.config;
  const chain = await chainTo(archive, time, (await waiting(dataDir)).length > 0 ? spoolFolder(dataDir) : undefined);
  const open = await cipherToRead(archive, await secretsOf(command));
  const base = await readBase(archive, chain.base.id, open);
  return { archive, open, base, chain, time, files: await newestFiles(archive, open) };
}

async function newestFiles(archive: Archive, open: Cipher['open']): Promise<StoredFiles | undefined> {
  const id = (await listBackups(archive)).at(-1);
  return id === undefined ? undefined : { id, ...(await readManifest(archive, id, open)) };
}

const shown = (time: number) => `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Space for the copy of the cluster, what recovery writes, and some segments of WAL. */
const spaceFor = ({ base }: Moment) => 1.2 * base.bytes + 1_000_000_000;

/** `npm run restore -- --to-time`. Returns false when the user declines. */
export async function restoreToTime(command: RestoreCommand, text: string): Promise<boolean> {
  const { config, print } = command;
  refuseExternal(command);
  const time = parseTime(text);
  if (command.backup) throw new Refusal('Give one of --backup and --to-time.');
  if (await stat(config.DATA_DIR).catch(() => undefined)) await refuseRunning(config.DATA_DIR);
  const plan = await planReplace(config.DATA_DIR, { replace: command.replace, withFiles: false });
  const keysHere = await keyIdsOf(config);
  const opened = await openMoment(command, time);
  if (!isInDataDir(command)) await refuseStoreInUse(command, undefined);
  printPlan(command, opened, plan);
  if (!(await command.confirm('Continue?'))) {
    print('Nothing was changed.');
    return false;
  }
  const { kept, ...recovered } = await recoverInPlace(command, opened);
  print(`The database is as it was at ${shown(time)}.`);
  printRestored({ ...recovered, jobs: 0 }, print);
  await printFiles(command, opened, recovered);
  if (kept) print(`The former database is kept: ${kept}. docs/backup.md says how to return to it.`);
  printKeys(opened.base, keysHere, print);
  print('Start the service now.');
  return true;
}

function printPlan(
  { config, print, mail }: RestoreCommand,
  { base, chain, time, files }: Opened,
  plan: string[],
): void {
  print(`Base ${base.id} (${formatBytes(base.bytes)}) and ${chain.segments.length} segments of WAL at most.`);
  print('The restore will');
  const steps = [
    ...plan,
    `bring the database to its state at ${shown(time)}`,
    files
      ? `add the files of backup ${files.id} to those in ${placesOf(config).kept.name}`
      : 'leave the files unchanged: the archive has no backup of them',
    'end all sessions, so that people must sign in again',
    mailPlan(mail),
  ];
  for (const step of steps) print(`  - ${step}`);
}

/** Builds the cluster beside the present one, which stays as it is after an error. */
async function recoverInPlace(
  command: RestoreCommand,
  opened: Opened,
): Promise<Recovered & { kept: string | undefined }> {
  const { config, log, mail, checks } = command;
  const dataDir = config.DATA_DIR;
  const scratch = join(dataDir, 'restore');
  const time = new Date(opened.time).toISOString();
  const restore = { backup: opened.base.id, startedAt: new Date(), time };
  try {
    await prepareDataDir(dataDir);
    const lock = await lockDataDir(dataDir);
    try {
      await finishMoves(dataDir);
      await clearScratch(scratch);
      await requireFreeBytes(dataDir, spaceFor(opened), 'restore');
      await mkdir(scratch, { mode: 0o700 });
      await recover({ scratch, log }, opened);
      const storeMark = await putFiles(command, opened);
      const passwords = join(dataDir, 'database.json');
      const recovered = await makeUsable({ scratch, log }, { mail, checks, storeMark, passwords, restore });
      const suffix = `before-${nameOfTime(Temporal.Now.instant().toString())}`;
      const kept = (await hasCluster(dataDir)) ? `postgres.${suffix}` : undefined;
      await moveIntoPlace(dataDir, movesOf(suffix).filter(isNotFilesMove));
      return { ...recovered, kept };
    } catch (error) {
      throw await refusalOnDisk(error, dataDir);
    } finally {
      await rm(scratch, { recursive: true, force: true }).catch(() => undefined);
      lock.release();
    }
  } catch (error) {
    throw refusalOf(error, dataDir);
  }
}

/** Returns the mark of the store. */
async function putFiles(command: RestoreCommand, { archive, files }: Opened): Promise<string> {
  const place = await filesOf(command);
  if (files) {
    const { manifest, open } = files;
    const read = chunkReader(archive, Buffer.from(manifest.naming_key, 'hex'), open);
    const mark = await restoreFiles(place, manifest, read);
    await markStore(place, mark);
    return mark;
  }
  const mark = (await place.kept.readMark()) ?? randomId();
  await place.kept.writeMark(mark);
  return mark;
}

/** Files stored after the newest backup, or deleted before it, are in no backup. */
async function printFiles(
  { config, log, print }: RestoreCommand,
  { files, time }: Opened,
  { fileKeys }: Recovered,
): Promise<void> {
  const inBackup = new Set(files?.manifest.files.map(({ key }) => key));
  const store = openPlace(placesOf(config).kept, log);
  const others = fileKeys.filter((key) => !inBackup.has(key));
  const sizes = await mapConcurrently(others, (key) => store.sizeOf(key));
  const missing = others.filter((_, index) => sizes[index] === null);
  if (missing.length > 0)
    print(`Warning: ${missing.length} files of ${shown(time)} are in no backup, for example ${missing[0]}`);
  if (files)
    print(`The file store has the files of the backup of ${timeOf(files.id)}, and those that were there before.`);
}
