import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import * as z from 'zod';
import { sha256Hex } from '../crypto/crypto.ts';
import { maxReadBytes, parsed } from '../backup/archive.ts';
import type { Archive } from '../backup/archive.ts';
import type { Cipher } from '../backup/encryption.ts';
import { Refusal } from '../backup/refusal.ts';
import type { ArchivedEntry } from './entries.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const format = 1;
const hash = z.string().regex(/^[0-9a-f]{64}$/);

const manifest = z.object({
  format: z.number(),
  /** As `2024-11`. */
  month: z.string().regex(/^\d{4}-\d{2}$/),
  entries: z.int(),
  /** The positions of the links as runs, each with its first and last position. */
  positions: z.array(z.tuple([z.int(), z.int()])),
  /** The last link, which stands for all links before it. */
  head: z.object({ position: z.int(), hash }),
  is_encrypted: z.boolean(),
  release: z.string(),
  /** Lines of JSON, compressed with zstd and optionally encrypted; the hash is that of the file. */
  files: z.array(z.object({ name: z.string().regex(/^[\w.-]+$/), entries: z.int(), sha256: hash })),
});

/** What an archive holds of a month of the audit log. */
export type Month = z.output<typeof manifest>;

export const folder = 'audit';
const pathOf = (month: string, name: string) => `${folder}/${month}/${name}`;
const manifestName = 'manifest.json';

/** The months of an archive, oldest first. */
export const listMonths = async (archive: Archive): Promise<string[]> =>
  (await archive.list(folder)).filter((name) => /^\d{4}-\d{2}$/.test(name)).toSorted();

/** The manifest of a month and the SHA-256 of its file; undefined if the month is absent or incomplete. */
export async function readMonth(
  archive: Archive,
  month: string,
): Promise<{ month: Month; sha256: string } | undefined> {
  const content = await archive.read(pathOf(month, manifestName));
  if (!content) return undefined;
  const found = manifest.safeParse(parsed(content));
  if (!found.success || found.data.month !== month) throw damaged(archive, month, manifestName);
  if (found.data.format > format)
    throw new Refusal(`${month} in ${archive.root} was archived by a newer release of Tenure: use that release.`);
  return { month: found.data, sha256: sha256Hex(content) };
}

const damaged = ({ root }: Archive, month: string, name: string) =>
  new Refusal(`${pathOf(month, name)} in ${root} is damaged: use another copy of the archive.`);

/** Writes a file of a month. It is named by its content, so an unfinished month is never mixed with another. */
export async function writeEntries(archive: Archive, cipher: Cipher, month: string, entries: readonly ArchivedEntry[]) {
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  const content = await cipher.seal(await compress(lines));
  const hashOfFile = sha256Hex(content);
  const name = `${hashOfFile.slice(0, 16)}.jsonl.zst${cipher.recipient === null ? '' : '.age'}`;
  await archive.write(pathOf(month, name), content);
  return { name, entries: entries.length, sha256: hashOfFile };
}

/** Writes the manifest, which completes the month, and removes the remains of an unfinished one. */
export async function writeMonth(archive: Archive, month: Omit<Month, 'format'>): Promise<string> {
  const content = `${JSON.stringify({ format, ...month })}\n`;
  await archive.write(pathOf(month.month, manifestName), content);
  const wanted = new Set([manifestName, ...month.files.map(({ name }) => name)]);
  for (const name of await archive.list(`${folder}/${month.month}`))
    if (!wanted.has(name)) await archive.remove(pathOf(month.month, name));
  return sha256Hex(content);
}

/** Reads every file of a month and compares it with the manifest; needs no key. */
export async function checkFiles(archive: Archive, { month, files }: Month): Promise<void> {
  for (const file of files) await readFile(archive, month, file);
}

async function readFile(archive: Archive, month: string, file: Month['files'][number]): Promise<Buffer> {
  const content = await archive.read(pathOf(month, file.name));
  if (content && sha256Hex(content) === file.sha256) return content;
  throw damaged(archive, month, file.name);
}

/**
 * The entries of a month, file by file, in the order of their links.
 * @throws {Refusal} if the month is encrypted and `open` is absent
 */
export async function* readEntries(
  archive: Archive,
  { month, files, is_encrypted }: Month,
  open: Cipher['open'],
): AsyncGenerator<ArchivedEntry[]> {
  if (is_encrypted && !open)
    throw new Refusal(`${month} is encrypted: give its key by --identity FILE, or set BACKUP_PASSPHRASE_FILE.`);
  for (const file of files) {
    const content = await readFile(archive, month, file);
    const packed = is_encrypted && open ? await open(content) : content;
    const text = (await decompress(packed, { maxOutputLength: maxReadBytes })).toString();
    yield text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as ArchivedEntry);
  }
}
