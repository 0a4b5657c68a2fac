import { externalAddresses } from '../db/addresses.ts';
import { openIncoming } from '../files/incoming.ts';
import { prepareFolder } from '../files/disk-backend.ts';
import { openPlace } from '../files/open.ts';
import { ownFolderOf, placesOf } from '../files/places.ts';
import { requireArchive } from './archive.ts';
import { chunkReader, pathOfChunk } from './chunks.ts';
import { archiveOf, recordIfRunning, secretsOf } from './command.ts';
import { formatBytes } from './format-bytes.ts';
import type { Command } from './command.ts';
import { cipherToRead } from './encryption.ts';
import { timeOf } from './keep.ts';
import { findBackup, readManifest, readNames } from './manifest.ts';
import type { Manifest } from './manifest.ts';
import { lineOf, Refusal, refusedAt } from './refusal.ts';
import { checkRestore, planEmbedded, restoreEmbedded } from './restore-embedded.ts';
import { planExternal, restoreExternal, storeIdOf } from './restore-external.ts';
import { refuseUnknownMigrations } from './restore-schema.ts';
import type { Checks, Restored } from './restore.ts';
import type { FilesPlace } from './restore-files.ts';
import type { Content } from './rows.ts';
import { keyIdsOf } from './source.ts';

export type RestoreCommand = Command & {
  /** The name of the backup; by default the newest. */
  backup?: string | undefined;
  /** Keeps existing data under another name instead of refusing. */
  replace: boolean;
  /** Takes over a store that already has the files of an installation. */
  useStore?: boolean | undefined;
  mail: 'hold' | 'send';
  /** Asks the user whether to continue. */
  confirm: (question: string) => Promise<boolean>;
  checks: Checks;
};

const megabyte = 1_024 * 1_024;

type Opened = Content & { id: string; manifestSha256: string };

/** Reads the backup as far as possible before anything is changed. */
async function openBackup(command: RestoreCommand): Promise<Opened> {
  const archive = archiveOf(command, '--from');
  await requireArchive(archive);
  const id = await findBackup(archive, command.backup);
  const { manifest, sha256, open } = await readManifest(
    archive,
    id,
    await cipherToRead(archive, await secretsOf(command)),
  );
  await refuseUnknownMigrations(manifest);
  for (const name of await readNames(archive, id))
    if ((await archive.size(pathOfChunk(name))) === 0)
      throw new Refusal(`The backup ${id} lacks ${pathOfChunk(name)}: use another backup or another copy.`);
  return {
    id,
    manifest,
    manifestSha256: sha256,
    read: chunkReader(archive, Buffer.from(manifest.naming_key, 'hex'), open),
  };
}

function printBackup({ id, manifest, manifestSha256 }: Opened, print: Command['print']): void {
  const rows = Object.values(manifest.tables).reduce((total, table) => total + table.rows, 0);
  const bytes = manifest.files.reduce((total, { size }) => total + size, 0);
  print(`Backup ${id} of ${timeOf(id).slice(0, 16).replace('T', ' ')} UTC, release ${manifest.release}:`);
  print(
    `  ${rows} rows, ${manifest.files.length} files (${formatBytes(bytes)}), SHA-256 of its manifest ${manifestSha256}`,
  );
}

/** The store of the settings, where new files go. */
export async function filesOf({ config, log }: Command): Promise<FilesPlace> {
  const { kept } = placesOf(config);
  const own = ownFolderOf(config);
  if (kept.kind === 'folder') await prepareFolder(kept.name).catch(refusedAt(kept.name));
  return { incoming: await openIncoming(own).catch(refusedAt(own)), kept: openPlace(kept, log) };
}

/** Whether the files are in the DATA_DIR folder that belongs to its cluster. */
export const isInDataDir = ({ config }: Command) => placesOf(config).kept.name === ownFolderOf(config);

/**
 * Refuses a store that belongs to another installation than the one being replaced: two services on one store remove
 * each other's files.
 */
export async function refuseStoreInUse({ config, log, useStore }: RestoreCommand, ownerUrl: string | undefined) {
  const { kept } = placesOf(config);
  const mark = useStore ? null : await openPlace(kept, log).readMark().catch(refusedAt(kept.name));
  if (mark === null || (ownerUrl && mark === (await storeIdOf(ownerUrl)))) return;
  throw new Refusal(
    `${kept.name} contains the files of an installation, and two services would remove each other's files: set STORAGE_URL to ` +
      'another place, or add --use-store if no other service uses it any more.',
  );
}

/** `npm run restore`. Returns false when the user declines. */
export async function restore(command: RestoreCommand): Promise<boolean> {
  const { config, log, print, mail, checks } = command;
  const keysHere = await keyIdsOf(config);
  const opened = await openBackup(command);
  const external = externalAddresses(config);
  const hasOwnFiles = external !== undefined || !isInDataDir(command);
  const plan = external
    ? await planExternal(external, command.replace)
    : await planEmbedded(config.DATA_DIR, { replace: command.replace, withFiles: !hasOwnFiles }, opened);
  if (hasOwnFiles) await refuseStoreInUse(command, external?.ownerUrl);
  printBackup(opened, print);
  print('The restore will');
  if (hasOwnFiles) plan.push(`add the files of the backup to those in ${placesOf(config).kept.name}`);
  for (const step of [...plan, 'end all sessions, so that people must sign in again', mailPlan(mail)])
    print(`  - ${step}`);
  if (!(await command.confirm('Continue?'))) {
    print('Nothing was changed.');
    return false;
  }
  const started = performance.now();
  const step = (what: string) => print(`  ${what}`);
  const rest = { mail, checks, step, restore: { backup: opened.id, startedAt: new Date() } };
  const files = hasOwnFiles ? await filesOf(command) : undefined;
  const restored = external
    ? await restoreExternal({ ...external, files: files ?? (await filesOf(command)) }, { ...opened, ...rest })
    : await restoreEmbedded({ dataDir: config.DATA_DIR, log, files }, opened, rest);
  print(
    `Restored in ${((performance.now() - started) / 1_000).toFixed(0)} s: all rows and files are as in the backup.`,
  );
  printRestored(restored, print);
  printFiles(opened.manifest, print);
  if (restored.kept) print(`The former database is kept: ${restored.kept}. docs/backup.md says how to return to it.`);
  printKeys(opened.manifest, keysHere, print);
  print('Start the service now.');
  return true;
}

export const mailPlan = (mail: 'hold' | 'send') =>
  mail === 'hold'
    ? 'not send mails that were waiting at the time of the backup: they may have been sent since (--mail send sends them)'
    : 'send mails that were waiting at the time of the backup, even those that have been sent since';

export function printRestored(
  { heldMails, jobs, faults, indexes }: Pick<Restored, 'heldMails' | 'jobs' | 'faults' | 'indexes'>,
  print: Command['print'],
): void {
  if (heldMails > 0) print(`Mails not sent: ${heldMails}`);
  if (jobs > 0) print(`Pending jobs that the service will run: ${jobs}`);
  printIndexes(indexes, print);
  printSome(faults, (fault) => print(`Warning, this fault already existed in the backup: ${fault}`), print);
}

const printIndexes = (indexes: number | null, print: Command['print']) =>
  print(
    indexes === null
      ? 'Indexes were not checked: this PostgreSQL has no amcheck, or the role cannot use it.'
      : `Indexes checked by amcheck: ${indexes}`,
  );

const maxPrinted = 10;

function printSome(faults: readonly string[], printOne: (fault: string) => void, print: Command['print']): void {
  for (const fault of faults.slice(0, maxPrinted)) printOne(fault);
  if (faults.length > maxPrinted) print(`… and ${faults.length - maxPrinted} more`);
}

function printFiles({ missing_files: missing }: Manifest, print: Command['print']): void {
  if (missing.length > 0)
    print(`Warning: ${missing.length} files were already missing when the backup was made, for example ${missing[0]}`);
}

export function printKeys(
  { key_ids: ids }: Pick<Manifest, 'key_ids'>,
  here: readonly string[],
  print: Command['print'],
): void {
  if (ids.length > 0 && !ids.some((id) => here.includes(id)))
    print('The backup was made with another application key: copy its app.key (or APP_KEY) here if you still have it.');
}

export type Drill = { id: string; seconds: number; indexes: number | null; faults: string[] };

/** `npm run restore -- --check`: restores into a scratch cluster, deletes it and returns the faults. */
export async function runDrill(command: RestoreCommand): Promise<Drill> {
  const { config, print } = command;
  const startedAt = new Date();
  const record = (run: { backup: string | null; details?: Record<string, unknown>; error?: string }) =>
    recordIfRunning(config, { kind: 'drill', startedAt, ...run });
  let backup: string | null = null;
  try {
    const opened = await openBackup(command);
    backup = opened.id;
    printBackup(opened, print);
    const drill = await restoreForDrill(command, opened, startedAt);
    printDrill(drill, print);
    const { seconds, indexes, faults } = drill;
    const error = faultsIn(drill);
    await record({ backup, details: { seconds, indexes, faults: faults.length }, ...(error && { error }) });
    return drill;
  } catch (error) {
    await record({ backup, error: lineOf(error) });
    throw error;
  }
}

async function restoreForDrill(
  { config, log, mail, checks }: RestoreCommand,
  opened: Opened,
  startedAt: Date,
): Promise<Drill> {
  const place = { dataDir: config.DATA_DIR, log, reserve: config.DISK_RESERVE_MB * megabyte };
  const { faults, indexes } = await checkRestore(place, opened, { mail, checks });
  const lost = opened.manifest.missing_files.map((key) => `the file ${key} is lost`);
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1_000);
  return { id: opened.id, seconds, indexes, faults: [...faults, ...lost] };
}

/** One line for the list of runs; undefined when all is well. */
export const faultsIn = ({ faults }: Pick<Drill, 'faults'>): string | undefined =>
  faults.length === 0 ? undefined : `${faults.length} faults, the first: ${faults[0]}`;

function printDrill({ faults, indexes, seconds }: Drill, print: Command['print']): void {
  printIndexes(indexes, print);
  printSome(faults, (fault) => print(`Fault: ${fault}`), print);
  print(
    faults.length === 0
      ? `The backup can be restored: all rows and files are there. The check took ${seconds} s.`
      : 'The backup can be restored, but has the faults named above.',
  );
}
