import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { startSha256 } from '../crypto/crypto.ts';
import { migrationHashes } from '../db/migration-files.ts';
import type { FileBackend } from '../files/backend.ts';
import { archiveFormat, claimArchive } from './archive.ts';
import { mapConcurrently } from './map-concurrently.ts';
import type { Archive } from './archive.ts';
import { chunkWriter, cutBytes, cutRows, installationOf, namingKey, pathOfChunk } from './chunks.ts';
import { cipherToWrite } from './encryption.ts';
import type { Secrets } from './encryption.ts';
import { listBackups, newBackupId, readNames, writeManifest } from './manifest.ts';
import type { Manifest } from './manifest.ts';
import { Refusal } from './refusal.ts';
import { loadBackupKey } from './runs.ts';
import { openSnapshot, readFacts, readFileKeys, readJobs } from './snapshot.ts';
import type { Snapshot } from './snapshot.ts';
import { copyOut, readAuditMonths, readSequences, readTables, sumOf } from './tables.ts';
import type { Table } from './tables.ts';

export type BackupSource = {
  /** An address that can read everything. */
  readUrl: string;
  /** An address that can write the list of backups. */
  writeUrl: string;
  files: Pick<FileBackend, 'open'>;
  keyIds: string[];
  release: string;
};

export type BackupResult = {
  id: string;
  /** Stored elsewhere, it proves that the backup is unchanged. */
  manifestSha256: string;
  rows: number;
  files: number;
  missingFiles: string[];
  chunks: number;
  sentChunks: number;
  sentBytes: number;
  /** Bytes that the whole backup takes in the archive, including chunks shared with other backups. */
  bytes: number;
  isEncrypted: boolean;
};

type Put = (content: Buffer) => Promise<string>;
type TableEntry = Manifest['tables'][string];

/** Writes a backup of the database and its files to the archive. Skips what the archive already has. */
export async function makeBackup(source: BackupSource, archive: Archive, secrets: Secrets): Promise<BackupResult> {
  const key = await loadBackupKey(source.writeUrl);
  await claimArchive(archive, installationOf(key));
  const cipher = await cipherToWrite(archive, secrets);
  const chunkKey = namingKey(key, cipher.recipient);
  const { put, written } = chunkWriter({ archive, cipher, key: chunkKey, safe: await newestChunks(archive) });
  const snapshot = await openSnapshot(source.readUrl);
  try {
    const content = await readContent(snapshot, source, put);
    const id = newBackupId(content.at);
    const manifest: Manifest = { ...content, format: archiveFormat, id, naming_key: chunkKey.toString('hex') };
    const bytes = await sizeOf(archive, written.names);
    const manifestSha256 = await writeManifest(archive, manifest, { names: written.names, cipher });
    return {
      id,
      manifestSha256,
      rows: Object.values(manifest.tables).reduce((total, { rows }) => total + rows, 0),
      files: manifest.files.length,
      missingFiles: manifest.missing_files,
      chunks: written.names.size,
      sentChunks: written.sentChunks,
      sentBytes: written.sentBytes,
      bytes,
      isEncrypted: cipher.recipient !== null,
    };
  } finally {
    await snapshot.close();
  }
}

async function newestChunks(archive: Archive): Promise<Set<string>> {
  const newest = (await listBackups(archive)).at(-1);
  return new Set(newest === undefined ? [] : await readNames(archive, newest));
}

type Content = Omit<Manifest, 'format' | 'id' | 'naming_key'>;

async function readContent(snapshot: Snapshot, source: BackupSource, put: Put): Promise<Content> {
  const [first] = snapshot.clients;
  const { migrations: applied, ...facts } = await readFacts(first);
  const migrations = await hashesOf(applied);
  const tables = await copyTables(snapshot, put);
  const rest = {
    sequences: await readSequences(first),
    audit_months: await readAuditMonths(first),
    jobs: await readJobs(first),
  };
  const keys = await readFileKeys(first);
  // a file outlives its row for a day, so vacuum need not wait for the files
  await snapshot.release();
  const { files, missing } = await copyFiles(source.files, keys, put);
  const { release, keyIds: key_ids } = source;
  return { ...facts, ...rest, release, migrations, tables, files, missing_files: missing, key_ids };
}

/** @throws {Refusal} if a newer release migrated the database */
export async function hashesOf(applied: readonly string[]): Promise<Record<string, string>> {
  const known = await migrationHashes();
  const unknown = applied.filter((name) => known[name] === undefined);
  if (unknown.length > 0)
    throw new Refusal(`The database was migrated by a newer release (${unknown.join(', ')}): use that release.`);
  return Object.fromEntries(applied.map((name) => [name, known[name] ?? '']));
}

/** Two connections copy the tables, largest first, each taking the next one. */
async function copyTables({ clients }: Snapshot, put: Put): Promise<Record<string, TableEntry>> {
  const waiting = await readTables(clients[0]);
  const entries: Record<string, TableEntry> = {};
  const work = async (client: pg.Client) => {
    for (let table = waiting.shift(); table; table = waiting.shift())
      entries[table.name] = await copyTable(client, table, put);
  };
  await Promise.all(clients.map(work));
  return Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function copyTable(client: pg.Client, table: Table, put: Put): Promise<TableEntry> {
  const chunks: string[] = [];
  let bytes = 0;
  for await (const chunk of cutRows(client.query(to(copyOut(table))), table.key)) {
    bytes += chunk.length;
    chunks.push(await put(chunk));
  }
  return { columns: table.columns, ...(await sumOf(client, table)), bytes, chunks };
}

async function copyFiles(store: BackupSource['files'], keys: readonly string[], put: Put) {
  const found = await mapConcurrently(keys, async (key) => ({ key, file: await copyFile(store, key, put) }));
  return {
    files: found.flatMap(({ key, file }) => (file ? [{ key, ...file }] : [])),
    missing: found.flatMap(({ key, file }) => (file ? [] : [key])),
  };
}

/** Undefined when there is no file. */
async function copyFile(store: BackupSource['files'], key: string, put: Put) {
  const found = await store.open(key);
  if (!found) return undefined;
  const hash = startSha256();
  const chunks: string[] = [];
  let size = 0;
  for await (const piece of cutBytes(found.stream)) {
    hash.update(piece);
    size += piece.length;
    chunks.push(await put(piece));
  }
  return { sha256: hash.digest('hex'), size, chunks };
}

/**
 * Adds up the sizes of chunks.
 * @throws {Refusal} if one is gone, because the folder loses files or was pruned at the same time
 */
async function sizeOf(archive: Archive, names: ReadonlySet<string>): Promise<number> {
  let total = 0;
  for (const name of names) {
    const size = await archive.size(pathOfChunk(name));
    if (size === 0)
      throw new Refusal(
        `Files disappeared from ${archive.root} while the backup was written: check the disk, and try again.`,
      );
    total += size;
  }
  return total;
}
