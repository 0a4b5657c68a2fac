import * as z from 'zod';
import { sha256Hex, startSha256 } from '../../crypto/crypto.ts';
import { archiveFormat, claimArchive, isDraft, parsed } from '../archive.ts';
import type { Archive } from '../archive.ts';
import { installationOf } from '../chunks.ts';
import { cipherToWrite } from '../encryption.ts';
import type { Cipher, Secrets } from '../encryption.ts';
import { nameOfTime } from '../manifest.ts';
import { Refusal } from '../refusal.ts';
import { loadBackupKey } from '../runs.ts';
import { connectFor } from '../snapshot.ts';
import { connectToReplicate, streamBase } from './base-protocol.ts';
import type { BaseStream, Piece } from './base-protocol.ts';
import { pack, unpack } from './seal.ts';
import { bytesOf, isLine, isSegment, lineOf, segmentAt, segmentName } from './wal.ts';

/** The size of one part of the tar, so that no file of the archive is too large for memory. */
const pieceBytes = 64 * 1_024 * 1_024;

const content = z.object({
  format: z.number(),
  id: z.string(),
  release: z.string(),
  postgres: z.string(),
  /** Bytes of the cluster. */
  bytes: z.number(),
  /** The SHA-256 of each part of the tar. */
  pieces: z.array(z.string()),
  /** The SHA-256 of the server's manifest, which has the SHA-256 of each file. */
  manifest: z.string(),
  key_ids: z.array(z.string()),
});

/** Readable without a key, because prune and the list of times need it; names of WAL reveal nothing about people. */
const place = z.object({
  line: z.string().refine(isLine),
  first: z.string().refine(isSegment),
  last: z.string().refine(isSegment),
  /** The earliest time that it can be restored to. */
  from: z.string().refine((text) => Number.isFinite(Date.parse(text))),
});

export type BaseContent = z.output<typeof content>;
export type BasePlace = z.output<typeof place> & { id: string };

const isBaseId = (name: string) => /^\d{8}T\d{6}Z$/.test(name);
const pathIn = (id: string, name: string) => `base/${id}/${name}`;
const pathOfPiece = (id: string, index: number) => pathIn(id, `${String(index).padStart(6, '0')}.tar.zst`);
const pathOfManifest = (id: string) => pathIn(id, 'backup_manifest.zst');
const pathOfContent = (id: string) => pathIn(id, 'base.json.zst');

export type BaseSource = { ownerUrl: string; release: string; keyIds: string[] };
export type BaseResult = { id: string; bytes: number; sentBytes: number; from: string };

const lockKey = 7_365_043;

/**
 * Copies the whole cluster while it is in use, as the start of points in time. A restore needs it together with the WAL
 * written during and after the copy.
 * @throws {Refusal} if the server does not archive its WAL
 */
export async function makeBase(source: BaseSource, archive: Archive, secrets: Secrets): Promise<BaseResult> {
  const client = await connectFor('base', source.ownerUrl);
  try {
    const { rows } = await client.query<{ locked: boolean; archives: boolean; postgres: string; system: string }>(
      `select pg_try_advisory_lock($1) as locked, current_setting('archive_mode') <> 'off' as archives,
              current_setting('server_version') as postgres, system_identifier::text as system from pg_control_system()`,
      [lockKey],
    );
    const [facts] = rows;
    if (!facts?.archives)
      throw new Refusal('The database does not archive its WAL: set BACKUP_WAL=on for the service and restart it.');
    if (!facts.locked) throw new Refusal('A base backup of this database is running: wait until it has ended.');
    await claimArchive(archive, installationOf(await loadBackupKey(source.ownerUrl)));
    return await copyBase({ ...source, ...facts }, archive, await cipherToWrite(archive, secrets));
  } finally {
    await client.end();
  }
}

type Facts = BaseSource & { postgres: string; system: string };

async function copyBase(facts: Facts, archive: Archive, cipher: Cipher): Promise<BaseResult> {
  const id = nameOfTime(Temporal.Now.instant().toString());
  const client = await connectToReplicate(facts.ownerUrl);
  try {
    const stream = streamBase(client);
    const sent = await sendPieces(id, stream.pieces, archive, cipher);
    const from = Temporal.Now.instant().round({ smallestUnit: 'second', roundingMode: 'ceil' }).toString();
    const { bytes, pieces, manifest, sentBytes } = sent;
    const { release, postgres, keyIds: key_ids } = facts;
    await archive.write(pathIn(id, 'wal.json'), JSON.stringify(placeOf(facts.system, stream, from)));
    const text: BaseContent = { format: archiveFormat, id, release, postgres, bytes, pieces, manifest, key_ids };
    await archive.write(pathOfContent(id), await pack(cipher, Buffer.from(JSON.stringify(text))));
    return { id, bytes, sentBytes, from };
  } catch (error) {
    // the incomplete base is useless, and may be what fills the disk
    await archive.remove(`base/${id}`).catch(() => undefined);
    throw error;
  } finally {
    await client.end();
  }
}

function placeOf(system: string, stream: BaseStream, from: string): z.output<typeof place> {
  const [begin, end] = [stream.begin(), stream.end()];
  return {
    line: lineOf(system, begin.timeline),
    first: segmentName(begin.timeline, segmentAt(bytesOf(begin.lsn))),
    last: segmentName(begin.timeline, segmentAt(bytesOf(end.lsn) - 1)),
    from,
  };
}

type Sent = { bytes: number; sentBytes: number; pieces: string[]; manifest: string };

async function sendPieces(id: string, source: AsyncIterable<Piece>, archive: Archive, cipher: Cipher): Promise<Sent> {
  const sent: Sent = { bytes: 0, sentBytes: 0, pieces: [], manifest: '' };
  const send = async (path: string, parts: readonly Buffer[]) => {
    const bytes = Buffer.concat(parts);
    const packed = await pack(cipher, bytes);
    await archive.write(path, packed);
    sent.sentBytes += packed.length;
    return sha256Hex(bytes);
  };
  const sendPiece = async () => {
    sent.pieces.push(await send(pathOfPiece(id, sent.pieces.length), parts));
    [parts, size] = [[], 0];
  };
  const manifest: Buffer[] = [];
  let [parts, size]: [Buffer[], number] = [[], 0];
  for await (const { part, data } of source) {
    if (part === 'manifest') manifest.push(data);
    else {
      parts.push(data);
      size += data.length;
      sent.bytes += data.length;
      if (size >= pieceBytes) await sendPiece();
    }
  }
  if (size > 0) await sendPiece();
  sent.manifest = await send(pathOfManifest(id), manifest);
  return sent;
}

/** Complete bases, oldest first. */
export async function listBases(archive: Archive): Promise<BasePlace[]> {
  const found: BasePlace[] = [];
  for (const id of (await archive.list('base')).filter(isBaseId).toSorted()) {
    const names = (await archive.list(`base/${id}`)).filter((name) => !isDraft(name));
    if (!names.includes('base.json.zst')) continue;
    const read = place.safeParse(parsed((await archive.read(pathIn(id, 'wal.json'))) ?? ''));
    if (!read.success)
      throw new Refusal(`base/${id}/wal.json in the archive is damaged: use another copy of the archive.`);
    found.push({ ...read.data, id });
  }
  return found;
}

/** Folders of bases that were never completed. */
export async function listUnfinishedBases(archive: Archive): Promise<string[]> {
  const complete = new Set((await listBases(archive)).map(({ id }) => id));
  return (await archive.list('base')).filter((id) => isBaseId(id) && !complete.has(id));
}

/** Reads and decrypts the content description of a base. */
export async function readBase(archive: Archive, id: string, open: Cipher['open']): Promise<BaseContent> {
  const path = pathOfContent(id);
  const raw = parsed(await unpack(archive, path, open));
  const { format, release } = (raw ?? {}) as Partial<BaseContent>;
  if (typeof format === 'number' && format > archiveFormat)
    throw new Refusal(`The base ${id} was made by a newer release of Tenure (${release ?? '?'}): use that release.`);
  const read = content.safeParse(raw);
  if (!read.success || read.data.id !== id)
    throw new Refusal(`${path} in the archive is damaged: use another copy of the archive.`);
  return read.data;
}

type Open = Cipher['open'];

/** The tar of a base, each part compared with its hash. */
export async function* readFiles(archive: Archive, { id, pieces }: BaseContent, open: Open): AsyncGenerator<Buffer> {
  for (const [index, sum] of pieces.entries()) {
    const path = pathOfPiece(id, index);
    const bytes = await unpack(archive, path, open);
    if (startSha256().update(bytes).digest('hex') !== sum)
      throw new Refusal(`${path} in the archive was changed or damaged: use another copy of the archive.`);
    yield bytes;
  }
}

/** The server's manifest of a base. */
export async function readServerManifest(archive: Archive, { id, manifest }: BaseContent, open: Open): Promise<Buffer> {
  const path = pathOfManifest(id);
  const bytes = await unpack(archive, path, open);
  if (sha256Hex(bytes) === manifest) return bytes;
  throw new Refusal(`${path} in the archive was changed or damaged: use another copy of the archive.`);
}
