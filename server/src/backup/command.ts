import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { clusterFolder } from '../db/data-dir.ts';
import { ownFolderOf, placesOf, s3AddressOf } from '../files/places.ts';
import { isWithin } from '../inside.ts';
import { BadAddress, isS3 } from '../s3/address.ts';
import { folderOf, openArchive, requireArchive } from './archive.ts';
import type { Archive } from './archive.ts';
import { openBucketArchive } from './archive-in-bucket.ts';
import type { Secrets } from './encryption.ts';
import { backupsToKeep, parseKeep, timeOf } from './keep.ts';
import { findBackup, isEncrypted, listBackups, readNames } from './manifest.ts';
import { prunePoints } from './points/prune-points.ts';
import { listTimes } from './points/list-times.ts';
import { prune } from './prune.ts';
import { formatBytes } from './format-bytes.ts';
import { lineOf, Refusal, refusalOf } from './refusal.ts';
import { keepReserve } from './free-space.ts';
import { hasRecordedBackups, recordedBackups, recordRun } from './runs.ts';
import type { Run } from './runs.ts';
import { refuseLarge } from './large.ts';
import { openSource, runningUrl } from './source.ts';
import { verifyBackup } from './verify.ts';
import type { Verified } from './verify.ts';
import { makeBackup } from './write.ts';
import type { BackupResult } from './write.ts';

/** What a command works with: the settings, where it prints, and the options of its command line. */
export type Command = {
  config: Config;
  log: Logger;
  print: (line: string) => void;
  /** The folder of the archive, or `s3://…`; by default `BACKUP_URL`. */
  folder?: string | undefined;
  /** A file with the age identity. */
  identity?: string | undefined;
  /** Starts a new archive in a folder that had one before. */
  startNew?: boolean | undefined;
  /** Backs up a database even if it is too large. */
  force?: boolean | undefined;
  /** Bytes above which a database is too large; tests set others. */
  maxBytes?: number | undefined;
};

export function archiveOf({ config, folder }: Pick<Command, 'config' | 'folder'>, option: string): Archive {
  const address = folder ?? config.BACKUP_URL;
  if (!address) throw new Refusal(`Give the folder of the backups with ${option} FOLDER or in the setting BACKUP_URL.`);
  // one name per folder: the list of runs identifies the location of backups by it
  return isS3(address) ? inBucket(address, config) : openArchive(resolve(folderOf(address)));
}

/** The same for an archive that is written: it keeps the disk's reserve free for the database. */
export async function writableOf(command: Pick<Command, 'config' | 'folder'>, option: string): Promise<Archive> {
  const { DATA_DIR, DISK_RESERVE_MB } = command.config;
  const archive = archiveOf(command, option);
  if (archive.isOnDisk) await refuseOwnFolders(archive.root, command.config);
  return keepReserve(archive, { dataDir: DATA_DIR, reserve: DISK_RESERVE_MB * 1_048_576 });
}

/** Refuses a folder inside the database or the file store, which is lost when these are replaced. */
async function refuseOwnFolders(root: string, config: Config): Promise<void> {
  const { kept: files } = placesOf(config);
  const own = [
    clusterFolder(config.DATA_DIR),
    ownFolderOf(config),
    ...(files.kind === 'folder' ? [join(files.name, 'kept')] : []),
  ];
  for (const folder of own)
    if (await isWithin(root, folder))
      throw new Refusal(`${root} is inside ${folder}, a folder of the service: choose another one.`);
}

function inBucket(address: string, config: Config): Archive {
  try {
    return openBucketArchive(s3AddressOf(address, config));
  } catch (error) {
    if (!(error instanceof BadAddress)) throw error;
    throw new Refusal(`The address of the backups ${error.message}.`, { cause: error });
  }
}

export async function secretsOf({ config, identity }: Pick<Command, 'config' | 'identity'>): Promise<Secrets> {
  const text =
    identity && (await readFile(identity, 'utf8').catch((error) => Promise.reject(refusalOf(error, identity))));
  return { recipient: config.BACKUP_RECIPIENT, passphrase: config.BACKUP_PASSPHRASE, identity: text };
}

/** Adds a line to the list of runs, if the database is running. */
export async function recordIfRunning(config: Config, run: Run): Promise<void> {
  const url = await runningUrl(config);
  if (url) await recordRun(url, run).catch(() => undefined);
}

/** Makes a backup, removes those beyond `BACKUP_KEEP` and adds a line to the list of runs, even after a failure. */
export async function backup(command: Command): Promise<BackupResult> {
  const { config, log, print } = command;
  const archive = archiveOf(command, '--to');
  const secrets = await secretsOf(command);
  const source = await openSource(config, log);
  const startedAt = new Date();
  const record = (run: { backup: string | null; details?: object; error?: string }) =>
    recordRun(source.writeUrl, {
      kind: 'backup',
      startedAt,
      ...run,
      details: { ...run.details, folder: archive.root },
    });
  try {
    if (!command.startNew) await refuseVanished(source.writeUrl, archive);
    if (!command.force) await refuseLarge(source.readUrl, command.maxBytes);
    const result = await makeBackup(source, await writableOf(command, '--to'), secrets);
    const keptCount = backupsToKeep(await listBackups(archive), keepOf(config)).size;
    const details = { ...result, missingFiles: result.missingFiles.length, kept: keptCount };
    await record({ backup: result.id, details });
    const removed = await pruneArchive(command, archive);
    printResult(result, print);
    if (removed.backups.length > 0)
      print(`Removed ${removed.backups.length} old backups (BACKUP_KEEP=${config.BACKUP_KEEP})`);
    return result;
  } catch (error) {
    // the refusal matters, even if the database cannot record it
    await record({ backup: null, error: lineOf(error) }).catch(() => undefined);
    throw error;
  } finally {
    await source.close();
  }
}

/** An empty folder that had backups is a disk that is not mounted: a new archive would fill the disk below it. */
async function refuseVanished(url: string, archive: Archive): Promise<void> {
  if ((await archive.describe()) || !(await hasRecordedBackups(url, archive.root))) return;
  throw new Refusal(
    `${archive.root} is empty, though backups were written there: mount its disk, or start a new archive with --new.`,
  );
}

function printResult(result: BackupResult, print: Command['print']): void {
  const { id, rows, files, chunks, sentChunks, sentBytes, isEncrypted, missingFiles, manifestSha256 } = result;
  print(`Backup ${id}: ${rows} rows, ${files} files${isEncrypted ? ', encrypted' : ''}`);
  print(`Written: ${sentChunks} of ${chunks} chunks, ${formatBytes(sentBytes)}; the archive already had the others`);
  print(`SHA-256 of its manifest: ${manifestSha256}`);
  if (missingFiles.length > 0)
    print(`Warning: ${missingFiles.length} files are missing in the file store, for example ${missingFiles[0]}`);
  if (sentChunks === chunks)
    print(
      isEncrypted
        ? 'The backup does not contain the keys: write them to a file with the command export-keys --to FILE, and keep that file, and ' +
            'the key or passphrase of the backups, in another place.'
        : 'The backup does not contain the keys: keep app.key (or APP_KEY) in another place.',
    );
}

const keepOf = ({ BACKUP_KEEP }: Config) => parseKeep(BACKUP_KEEP) ?? { days: 7, weeks: 4, months: 3 };

async function pruneArchive({ config }: Command, archive: Archive) {
  const pruned = await prune(archive, keepOf(config));
  return { ...pruned, points: await prunePoints(archive, keepOf(config)) };
}

/** `--prune` */
export async function pruneCommand(command: Command): Promise<void> {
  const archive = archiveOf(command, '--to');
  await requireArchive(archive);
  const { backups, chunks, points } = await pruneArchive(command, archive);
  command.print(`Removed ${backups.length} backups and ${chunks} chunks`);
  if (points.bases.length + points.segments > 0)
    command.print(`Removed ${points.bases.length} bases and ${points.segments} segments of WAL`);
}

/** `--list` */
export async function listCommand(command: Command): Promise<void> {
  const archive = archiveOf(command, '--to');
  await requireArchive(archive);
  const ids = await listBackups(archive);
  for (const id of ids) {
    const names = await readNames(archive, id);
    const state = (await isEncrypted(archive, id)) ? 'encrypted' : 'not encrypted';
    command.print(`${id}  ${timeOf(id).slice(0, 16).replace('T', ' ')} UTC  ${names.length} chunks  ${state}`);
  }
  if (ids.length === 0) command.print(`${archive.root} contains no complete backup`);
  await listTimes(archive, command.print);
}

/** `--verify [ID]`; adds a line to the list of runs if there is a database to store it. */
export async function verifyCommand(command: Command, wanted?: string): Promise<Verified> {
  const startedAt = new Date();
  try {
    const { id, ...details } = await verify(command, wanted);
    await recordIfRunning(command.config, { kind: 'verification', backup: id, startedAt, details });
    return { id, ...details };
  } catch (error) {
    await recordIfRunning(command.config, {
      kind: 'verification',
      backup: wanted ?? null,
      startedAt,
      error: lineOf(error),
    });
    throw error;
  }
}

async function verify(command: Command, wanted?: string): Promise<Verified> {
  const archive = archiveOf(command, '--to');
  await requireArchive(archive);
  const recorded = await recordedIfRunning(command.config, archive.root);
  const found = await findBackup(archive, wanted);
  if (wanted === undefined) refuseOlder(archive.root, found, recorded);
  const verified = await verifyBackup(archive, found, await secretsOf(command));
  refuseExchanged(verified, recorded);
  const { id, chunks, wasRead, manifestSha256 } = verified;
  command.print(
    wasRead
      ? `Backup ${id} is unchanged and complete: ${chunks} chunks, SHA-256 of its manifest ${manifestSha256}`
      : `Backup ${id} is complete: ${chunks} chunks exist. They were not read, because the key is missing: add --identity FILE.`,
  );
  return verified;
}

type Recorded = ReadonlyMap<string, string | null>;

/** What a running database knows of the backups in this folder; nothing if none is running. */
async function recordedIfRunning(config: Config, folder: string): Promise<Recorded> {
  const url = await runningUrl(config);
  return (url && (await recordedBackups(url, folder).catch(() => undefined))) || new Map();
}

/** A store that returns an older state of itself is consistent, but lacks what was written last. */
function refuseOlder(root: string, newest: string, recorded: Recorded): void {
  const last = [...recorded.keys()].toSorted().at(-1);
  if (last !== undefined && last > newest)
    throw new Refusal(`${root} lacks its newest backup ${last}: check its disk, and make a new backup.`);
}

function refuseExchanged({ id, manifestSha256 }: Verified, recorded: Recorded): void {
  const written = recorded.get(id);
  if (written && manifestSha256 && written !== manifestSha256)
    throw new Refusal(
      `The manifest of ${id} was replaced (the SHA-256 of the original is ${written}): use another copy of the archive.`,
    );
}
