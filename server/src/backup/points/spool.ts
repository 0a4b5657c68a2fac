import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { clusterFolder } from '../../db/data-dir.ts';
import { spoolDraft, spoolFolder } from '../../db/embedded/archiving.ts';
import type { Archive } from '../archive.ts';
import type { Cipher } from '../encryption.ts';
import { Refusal } from '../refusal.ts';
import { pack, unpack } from './seal.ts';
import { currentLine, isHistory, isSegment, lineOf, nextSegment, pathOfWal, systemOf, timelineOf } from './wal.ts';

/** A segment on a line. */
export type Place = { line: string; segment: string };

/** The state of the WAL that left this machine, in a file in DATA_DIR. Without it, a base is due. */
export type SpoolState = {
  /** The newest segment that was sent or dropped. */
  last: Place | null;
  /** The first segment after the newest gap: points in time continue with a base that begins there or later. */
  gap: Place | null;
};

export type Gap = { reason: string; segments: number; bytes: number };

type Spool = {
  dataDir: string;
  onGap: (gap: Gap) => void;
  /** Paths of histories already in the archive, so that it is not queried for them each second. */
  histories: Set<string>;
};

/** Where segments go. */
export type Target = { archive: Archive; cipher: Cipher };

const stateFile = (dataDir: string) => join(dataDir, 'wal-state.json');

// synchronous, because the limit may be enforced while a segment is sent; both happen in their own thread
export function readState(dataDir: string): SpoolState {
  try {
    return JSON.parse(readFileSync(stateFile(dataDir), 'utf8')) as SpoolState;
  } catch {
    return { last: null, gap: null };
  }
}

function writeState(dataDir: string, state: SpoolState): void {
  const draft = `${stateFile(dataDir)}.new`;
  writeFileSync(draft, JSON.stringify(state), { mode: 0o600, flush: true });
  renameSync(draft, stateFile(dataDir));
}

/** Segments to be sent, oldest first. */
export async function waiting(dataDir: string): Promise<string[]> {
  const names = await readdir(spoolFolder(dataDir)).catch(() => []);
  return names.filter(isSegment).toSorted();
}

/** Bytes of the spool, including drafts. */
export async function spooledBytes(dataDir: string): Promise<number> {
  const folder = spoolFolder(dataDir);
  let total = 0;
  for (const name of await readdir(folder).catch(() => []))
    total += (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0;
  return total;
}

const isLater = (a: Place, b: Place) => a.line === b.line && a.segment > b.segment;

/** Stores the later of the known and the given position, so that a segment dropped during sending stays dropped. */
function advance(dataDir: string, last: Place, gap?: Place): void {
  const state = readState(dataDir);
  const newer = state.last && isLater(state.last, last) ? state.last : last;
  writeState(dataDir, { last: newer, gap: gap ?? state.gap });
}

/** The line that a spooled segment belongs to; undefined without a cluster. */
async function lineOfSpooled(dataDir: string, segment: string): Promise<string | undefined> {
  const current = await currentLine(clusterFolder(dataDir));
  const system = current?.split('-')[0];
  return system === undefined ? undefined : lineOf(system, timelineOf(segment));
}

export type Limits = {
  /** The most bytes to keep for sending. */
  most: number;
  /** Bytes of the disk to keep free. */
  reserve: number;
};

const megabyte = 1_024 * 1_024;

export const limitsOf = ({ BACKUP_SPOOL_MB, DISK_RESERVE_MB }: Pick<Config, 'BACKUP_SPOOL_MB' | 'DISK_RESERVE_MB'>) =>
  ({ most: BACKUP_SPOOL_MB * megabyte, reserve: DISK_RESERVE_MB * megabyte }) satisfies Limits;

/** Why WAL must be dropped; undefined within the limits, or if none is waiting. */
export async function beyondLimits(dataDir: string, { most, reserve }: Limits): Promise<string | undefined> {
  if ((await waiting(dataDir)).length === 0) return undefined;
  if ((await freeBytes(dataDir)) < reserve) return 'the disk has too little free space';
  return (await spooledBytes(dataDir)) > most ? 'more WAL waits for the archive than BACKUP_SPOOL_MB' : undefined;
}

export async function freeBytes(dataDir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize;
}

/**
 * Empties the spool beyond its limits, so that the database continues; points in time resume with the next base. Two
 * processes may briefly write the state at once: if one overwrites a gap, the next segment reveals it again.
 */
export async function enforceLimit(
  { dataDir, onGap }: Pick<Spool, 'dataDir' | 'onGap'>,
  limits: Limits,
): Promise<void> {
  const reason = await beyondLimits(dataDir, limits);
  const bytes = await spooledBytes(dataDir);
  const names = await waiting(dataDir);
  const newest = names.at(-1);
  if (reason === undefined || newest === undefined) return;
  // first, because a full disk cannot store the state; without it, the next segment reveals the gap
  for (const name of names) await rm(join(spoolFolder(dataDir), name), { force: true });
  const line = await lineOfSpooled(dataDir, newest);
  if (line !== undefined) advance(dataDir, { line, segment: newest }, { line, segment: nextSegment(newest) });
  onGap({ reason, segments: names.length, bytes });
}

/** Sends the segments of the spool, oldest first, and removes each once archived, so that a kill loses nothing. */
export async function sendSpool(spool: Spool, target: Target, isOver: () => boolean = () => false): Promise<number> {
  await sendHistories(spool, target);
  let sent = 0;
  for (const segment of await waiting(spool.dataDir)) {
    if (isOver()) break;
    if (await sendSegment(spool, target, segment)) sent += 1;
  }
  return sent;
}

async function sendSegment(spool: Spool, target: Target, segment: string): Promise<boolean> {
  const { dataDir } = spool;
  const file = join(spoolFolder(dataDir), segment);
  const content = await readFile(file).catch(() => undefined);
  // the limit emptied the spool meanwhile
  if (!content) return false;
  const place = { line: lineOf(systemOf(segment, content), timelineOf(segment)), segment };
  await put(target, pathOfWal(place.line, segment), content);
  recordSent(spool, place);
  await rm(file, { force: true });
  return true;
}

/** Writes a file that never changes. If it exists, because of an earlier kill, it must be the same. */
async function put({ archive, cipher }: Target, path: string, content: Buffer): Promise<void> {
  if ((await archive.size(path)) === 0) return archive.write(path, await pack(cipher, content));
  if (!cipher.open || content.equals(await unpack(archive, path, cipher.open))) return;
  throw new Refusal(
    `${path} in ${archive.root} comes from another database: give each installation its own BACKUP_URL.`,
  );
}

function recordSent({ dataDir, onGap }: Spool, place: Place): void {
  const { last } = readState(dataDir);
  if (last && isLater(last, place)) return;
  const follows = last?.line === place.line && [last.segment, nextSegment(last.segment)].includes(place.segment);
  advance(dataDir, place, follows ? undefined : place);
  if (!follows && last?.line === place.line)
    onGap({ reason: 'WAL was written while BACKUP_WAL was off', segments: 0, bytes: 0 });
}

/** Sends the files that say where timelines begin: a restore writes them without archiving them. */
async function sendHistories({ dataDir, histories }: Spool, target: Target): Promise<void> {
  const folder = join(clusterFolder(dataDir), 'pg_wal');
  for (const name of (await readdir(folder).catch(() => [])).filter(isHistory)) {
    const system = (await currentLine(clusterFolder(dataDir)))?.split('-')[0];
    const path = pathOfWal(lineOf(system ?? '', timelineOf(name)), name);
    if (histories.has(path)) continue;
    await put(target, path, await readFile(join(folder, name)));
    histories.add(path);
  }
}

/** Removes the spool of a cluster that is no longer in use: no archive gets its WAL, and what was sent is of no use. */
export async function deleteSpool(dataDir: string): Promise<void> {
  await rm(spoolFolder(dataDir), { recursive: true, force: true });
  await rm(stateFile(dataDir), { force: true });
}

/** Removes useless files: copies interrupted before a start, and files that no recovery needs. */
export async function clearSpool(dataDir: string): Promise<void> {
  const folder = spoolFolder(dataDir);
  for (const name of await readdir(folder).catch(() => [])) {
    // keep drafts of the running server
    if (isSegment(name) || name.endsWith(spoolDraft)) continue;
    await rm(join(folder, name), { force: true });
  }
}
