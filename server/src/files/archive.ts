import { text } from '@tenure/contract';
import type { Text } from '@tenure/contract';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { getFileNameLowLevel, openPromise, validateFileName } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { archiveLimits } from './limits.ts';

/** An archive that is refused; `refusal` is a message about the file's field. */
export class ArchiveRefused extends Error {
  readonly refusal: Text;
  constructor(refusal: Text) {
    super(refusal.key);
    this.refusal = refusal;
  }
}

/** A file in an archive; `path` has forward slashes and does not lead outside the archive. */
export type ArchiveFile = {
  path: string;
  /** Bytes when unpacked; the content is never larger. */
  size: number;
  content: () => AsyncGenerator<Buffer, void>;
};

export interface Archive extends AsyncDisposable {
  files: readonly ArchiveFile[];
}

const zipStart = 'PK\x03\x04';
const emptyZip = 'PK\x05\x06';
const megabyte = 1_024 * 1_024;

/**
 * Opens a ZIP archive. Checks the names, types, sizes and offsets of all entries before a byte is unpacked.
 * @throws ArchiveRefused, here or while reading an entry
 */
export async function openArchive(path: string): Promise<Archive> {
  await checkStart(path);
  const zip = await openPromise(path, { decodeStrings: false, autoClose: false }).catch(refuseDamaged);
  try {
    const entries = await readEntries(zip);
    return {
      files: entries.map(({ name, entry }) => ({
        path: name,
        size: entry.uncompressedSize,
        content: () => contentOf(zip, entry, name),
      })),
      [Symbol.asyncDispose]: async () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function checkStart(path: string): Promise<void> {
  await using file = await open(path);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
  const start = buffer.toString('latin1', 0, bytesRead);
  if (start === emptyZip) throw new ArchiveRefused(text('attachment_imports.no_files'));
  if (start !== zipStart) throw new ArchiveRefused(text('attachment_imports.not_a_zip'));
}

type Named = { name: string; entry: Entry };

async function readEntries(zip: ZipFile): Promise<Named[]> {
  if (zip.entryCount > archiveLimits.entries) throw tooMany();
  const files: Named[] = [];
  const names = new Set<string>();
  let unpacked = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry);
      const isFolder = checkEntry(entry, name);
      if (isFolder || isLitter(name)) continue;
      if (names.has(name.toLowerCase())) throw refusalOf('twice', name);
      names.add(name.toLowerCase());
      unpacked += entry.uncompressedSize;
      if (unpacked > archiveLimits.unpacked) throw tooMuch();
      if (files.push({ name, entry }) > archiveLimits.files) throw tooMany();
    }
  } catch (error) {
    refuseDamaged(error);
  }
  if (files.length === 0) throw new ArchiveRefused(text('attachment_imports.no_files'));
  refuseOverlaps(files);
  return files;
}

/**
 * UTF-8 if the archive says so or the bytes are valid UTF-8, as macOS writes them; otherwise code page 437. Some
 * Windows programs separate folders by backslashes, which become slashes here.
 */
function nameOf({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  const utf8 = 0x0800;
  const flag = isUtf8(fileNameRaw) ? generalPurposeBitFlag | utf8 : generalPurposeBitFlag;
  return getFileNameLowLevel(flag, fileNameRaw, extraFields, false).normalize();
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const kindBits = 0o170000;
const [plainFile, folder] = [0o100000, 0o040000];
const unixLike: ReadonlySet<number> = new Set([3, 19]);

/** Refuses anything but a plain file or folder inside the archive. Returns whether it is a folder. */
function checkEntry(entry: Entry, name: string): boolean {
  if (validateFileName(name) !== null || name.includes('\0') || name.split('/').includes('.'))
    throw refusalOf('unsafe_name', name);
  if (name.length > maxPathLength)
    throw new ArchiveRefused(text('attachment_imports.long_path', { name: shown(name), most: maxPathLength }));
  if (name.split('/').length - 1 > archiveLimits.depth)
    throw new ArchiveRefused(text('attachment_imports.deep_path', { name: shown(name), most: archiveLimits.depth }));
  if (entry.isEncrypted()) throw refusalOf('encrypted', name);
  const kind = unixLike.has(entry.versionMadeBy >>> 8) ? (entry.externalFileAttributes >>> 16) & kindBits : 0;
  if (kind !== 0 && kind !== plainFile && kind !== folder) throw refusalOf('special', name);
  if (name.endsWith('/')) return true;
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) throw refusalOf('method', name);
  const { free, ratio } = archiveLimits;
  if (entry.uncompressedSize > free + ratio * entry.compressedSize) throw refusalOf('unusual_ratio', name);
  return false;
}

const litter = /(^|\/)(__MACOSX\/|\.DS_Store$|\._|Thumbs\.db$|desktop\.ini$)/i;

/** Files that operating systems add by themselves. */
const isLitter = (name: string) => litter.test(name);

const localHeader = 30;

/** Refuses entries that share packed bytes, because they could unpack to many times the archive. */
function refuseOverlaps(files: readonly Named[]): void {
  const inPlace = files.toSorted((a, b) => a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const { name, entry } of inPlace) {
    const start = entry.relativeOffsetOfLocalHeader;
    if (start < end) throw refusalOf('overlapping', name);
    end = start + localHeader + entry.fileNameLength + entry.compressedSize;
  }
}

async function* contentOf(zip: ZipFile, entry: Entry, name: string): AsyncGenerator<Buffer, void> {
  let checksum = 0;
  const stream = await zip.openReadStreamPromise(entry).catch(() => {
    throw refusalOf('damaged_entry', name);
  });
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch {
    // the disk was read before, so a failure now comes from the packed content or its size
    throw refusalOf('damaged_entry', name);
  }
  if (checksum !== entry.crc32) throw refusalOf('damaged_entry', name);
}

type NamedRefusal =
  | 'twice'
  | 'unsafe_name'
  | 'encrypted'
  | 'special'
  | 'method'
  | 'unusual_ratio'
  | 'overlapping'
  | 'damaged_entry';

const maxNameLength = 120;
const maxPathLength = 1_000;

/** The end of a path, made printable. */
function shown(path: string): string {
  const printable = path.toWellFormed().replaceAll(/\p{Cc}/gu, '\ufffd');
  return printable.length > maxNameLength ? `…${printable.slice(1 - maxNameLength)}` : printable;
}

const refusalOf = (reason: NamedRefusal, path: string) =>
  new ArchiveRefused(text(`attachment_imports.${reason}`, { name: shown(path) }));

const tooMany = () => new ArchiveRefused(text('attachment_imports.too_many', { most: archiveLimits.files }));
const tooMuch = () =>
  new ArchiveRefused(text('attachment_imports.too_much', { megabytes: archiveLimits.unpacked / megabyte }));

function refuseDamaged(error: unknown): never {
  throw error instanceof ArchiveRefused ? error : new ArchiveRefused(text('attachment_imports.damaged'));
}
