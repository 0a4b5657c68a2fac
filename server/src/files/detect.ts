import type { Text } from '@tenure/contract';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileLimits, fileTypes, wrongType } from './limits.ts';
import type { FileExtension, FileUse } from './limits.ts';
import { extensionOf } from './names.ts';

export type Detected = { mime_type: string; extension: FileExtension };
/** Why a file is refused; `refusal` is a message about the file's field. */
export type Refused = { refusal: Text };

/**
 * Detects the type of the file at `path`, if its name and content agree on a type allowed for its use. Ignores the type
 * declared by the client. Refuses content that other programs would also read as another type.
 */
export async function detect(path: string, fileName: string, use: FileUse): Promise<Detected | Refused> {
  const types: readonly FileExtension[] = fileLimits[use].types;
  const extension = types.find((type) => type === extensionOf(fileName));
  if (!extension) return { refusal: wrongType(use) };
  const agrees = extension === 'csv' ? await isPlainText(path) : await isGenuine(path, extension);
  return agrees ? { mime_type: fileTypes[extension], extension } : { refusal: wrongType(use) };
}

type Binary = Exclude<FileExtension, 'csv'>;

const pdfBeginning = '%PDF-';
/** The first bytes, as Latin-1. They must be at the very start: many readers also find them further on. */
const beginnings: Record<Binary, string> = {
  pdf: pdfBeginning,
  png: '\x89PNG\r\n\x1a\n',
  jpg: '\xff\xd8\xff',
  jpeg: '\xff\xd8\xff',
  webp: 'RIFF',
  docx: 'PK\x03\x04',
  xlsx: 'PK\x03\x04',
  zip: 'PK\x03\x04',
};
/** The type's names in the detection library; an animated PNG is a PNG. */
const libraryNames: Record<Binary, readonly string[]> = {
  pdf: ['pdf'],
  png: ['png', 'apng'],
  jpg: ['jpg'],
  jpeg: ['jpg'],
  webp: ['webp'],
  docx: ['docx'],
  xlsx: ['xlsx'],
  zip: ['zip'],
};

const markup = /<(?:!doctype\s+html|html|script|iframe|\?php)[\s>/]/i;
const zipDirectoryEnd = 'PK\x05\x06';

// Readers of PDF and HTML search the first kilobyte; those of ZIP the end, before a comment of up to 64 KiB.
const HEAD_BYTES = 1_024;
const TAIL_BYTES = 65_557;

/** Content after the end of the file. Notes inside a PDF may contain markup. */
const appendix = (tail: string, extension: Binary) =>
  extension === 'pdf' ? tail.slice(tail.lastIndexOf('%%EOF') + 1) : tail;

async function isGenuine(path: string, extension: Binary): Promise<boolean> {
  const { head, tail } = await bothEnds(path);
  if (!head.startsWith(beginnings[extension])) return false;
  if (markup.test(head) || markup.test(appendix(tail, extension))) return false;
  if (extension !== 'pdf' && head.includes(pdfBeginning)) return false;
  const isArchive = extension === 'docx' || extension === 'xlsx' || extension === 'zip';
  if (tail.includes(zipDirectoryEnd) !== isArchive) return false;
  // Both ends were read, so failures from here on come from the content, not the disk.
  // loaded with the first file
  const { fileTypeFromFile } = await import('file-type');
  const found = await fileTypeFromFile(path).catch(() => undefined);
  return found !== undefined && libraryNames[extension].includes(found.ext);
}

async function bothEnds(path: string) {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const read = async (length: number, position: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.toString('latin1', 0, bytesRead);
    };
    return { head: await read(HEAD_BYTES, 0), tail: await read(TAIL_BYTES, Math.max(0, size - TAIL_BYTES)) };
  } finally {
    await handle.close();
  }
}

const disguised = /^(?:<|#!|%!|\{\\rtf)/;

/** True for non-empty UTF-8 text without NUL that does not start like a page, a script or a document. */
async function isPlainText(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let head = '';
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      const text = decoder.decode(chunk, { stream: true });
      if (text.includes('\0')) return false;
      // Trimming also removes byte order marks, because readers check by the text after them.
      head = (head + text).trimStart().slice(0, HEAD_BYTES);
    }
    decoder.decode();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return false;
    throw error;
  }
  return head !== '' && !disguised.test(head) && !head.includes(pdfBeginning);
}
