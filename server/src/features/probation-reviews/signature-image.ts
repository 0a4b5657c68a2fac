import { readFile } from 'node:fs/promises';
import { messages } from '@tenure/contract';
import { detect } from '../../files/detect.ts';
import { fileLimits, tooLarge } from '../../files/limits.ts';
import { extensionOf } from '../../files/names.ts';
import { openPictures } from '../../files/pictures.ts';
import { TooLarge } from '../../files/incoming.ts';
import type { Received } from '../../files/incoming.ts';
import type { Upload } from '../../http/body.ts';
import type { Deps } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { requireDiskSpace } from '../../http/disk-space.ts';

/** A drawn signature in the store. */
export type Drawing = { key: string; sha256: string };

// one queue for the whole process, because decoding uses the memory of the process
const pictures = openPictures();
const limit = fileLimits.signature.bytes;

/** The bytes of base64 text, with or without a data URL prefix; null for anything else. */
function decoded(text: string): Buffer | null {
  const digits = text.replace(/^data:image\/png;base64,/i, '').replaceAll(/\s/g, '');
  return digits.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(digits) ? Buffer.from(digits, 'base64') : null;
}

async function receive({ files }: Deps, bytes: Buffer | null, field: string): Promise<Received> {
  if (!bytes) throw invalid(field, messages.image);
  try {
    return await files.receive([bytes], { maxBytes: limit });
  } catch (error) {
    throw error instanceof TooLarge ? invalid(field, error.refusal) : error;
  }
}

// browsers name an unnamed drawing "blob"
const nameOf = ({ file_name }: Upload) => (extensionOf(file_name) === '' ? 'signature.png' : file_name);

/** Re-encodes the drawing, so that nothing else of the upload remains. */
async function remade(path: string, name: string, field: string): Promise<Buffer> {
  const detected = await detect(path, name, 'signature');
  if ('refusal' in detected) throw invalid(field, detected.refusal);
  const picture = await pictures.signature(await readFile(path));
  if ('refusal' in picture) throw invalid(field, picture.refusal);
  return picture.bytes;
}

/**
 * Stores a drawn signature: a PNG in base64, or as an uploaded file.
 * @throws 422 on `field` if it is not a PNG, too large, or empty
 */
export async function storeDrawing(deps: Deps, sent: string | Upload, field: string): Promise<Drawing> {
  await requireDiskSpace(deps);
  const { files } = deps;
  const isText = typeof sent === 'string';
  if (isText && sent.length > limit * 2) throw invalid(field, tooLarge(limit));
  const arrived = isText ? await receive(deps, decoded(sent), field) : sent;
  let bytes: Buffer;
  try {
    bytes = await remade(arrived.path, isText ? 'signature.png' : nameOf(sent), field);
  } finally {
    if (isText) await files.discard(arrived);
  }
  const made = await files.receive([bytes], { maxBytes: bytes.byteLength });
  return { key: await files.keep(made), sha256: made.sha256 };
}
