import { text } from '@tenure/contract/texts';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { SheetRefused } from './refusal.ts';
import type { SheetLimits } from './sheet.ts';

const MAX_ENTRIES = 2_000;
const FREE_BYTES = 1024 * 1024;
const MAX_RATIO = 100;
const ZIP_START = 'PK\u0003\u0004';
// An encrypted workbook is an OLE container, like the old .xls.
const OLE_START = '\u00D0\u00CF\u0011\u00E0';
const MACRO_PART = /(^|\/)(vba|macrosheets\/|intlmacrosheets\/)/i;

export interface Archive extends AsyncDisposable {
  has: (name: string) => boolean;
  /** The inflated bytes of one part; never more than its entry declares, which must not exceed `max_bytes`. */
  part: (name: string, max_bytes?: number) => AsyncGenerator<Buffer, void>;
}

/** Opens the zip container of a workbook. Checks sizes, names and types of all entries before a byte is inflated. */
export async function openArchive(path: string, limits: SheetLimits): Promise<Archive> {
  await checkStart(path);
  const zip = await openPromise(path, { strictFileNames: true, autoClose: false }).catch(refuseDamaged);
  try {
    const entries = await readEntries(zip, limits);
    return {
      has: (name) => entries.has(name.toLowerCase()),
      part: (name, max_bytes) => readPart(zip, entries.get(name.toLowerCase()), max_bytes),
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
  if (start === '') throw new SheetRefused('empty', text('files.empty'));
  if (start === OLE_START) {
    throw new SheetRefused('encrypted', text('files.protected_or_old'));
  }
  if (start !== ZIP_START) throw new SheetRefused('not_a_workbook', text('files.not_xlsx'));
}

async function readEntries(zip: ZipFile, limits: SheetLimits): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES) throw tooLarge();
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName.toLowerCase();
      unpacked += entry.uncompressedSize;
      if (unpacked > limits.unpacked_bytes) throw tooLarge();
      checkEntry(entry);
      if (entries.has(name)) throw new SheetRefused('unsafe', text('files.part_twice'));
      entries.set(name, entry);
    }
  } catch (error) {
    refuseDamaged(error);
  }
  return entries;
}

function checkEntry(entry: Entry): void {
  if (entry.uncompressedSize > FREE_BYTES + MAX_RATIO * entry.compressedSize) throw tooLarge();
  if (entry.isEncrypted()) throw new SheetRefused('encrypted', text('files.protected'));
  if (MACRO_PART.test(entry.fileName)) throw new SheetRefused('macros', text('files.macros'));
}

async function* readPart(
  zip: ZipFile,
  entry: Entry | undefined,
  max_bytes = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<Buffer, void> {
  if (entry === undefined) throw new SheetRefused('not_a_workbook', text('files.not_xlsx'));
  if (entry.uncompressedSize > max_bytes) throw tooLarge();
  let checksum = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    refuseDamaged(error);
  }
  if (checksum !== entry.crc32) throw damaged();
}

function refuseDamaged(error: unknown): never {
  throw error instanceof SheetRefused ? error : damaged();
}

function damaged(): SheetRefused {
  return new SheetRefused('malformed', text('files.damaged'));
}

function tooLarge(): SheetRefused {
  return new SheetRefused('too_large', text('files.too_large_unpacked'));
}
