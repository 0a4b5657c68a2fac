import type { Text } from '@tenure/contract';
import type { Archive, ArchiveFile } from '../../files/archive.ts';
import { fileLimits, tooLarge } from '../../files/limits.ts';
import { storedFileName } from '../../files/names.ts';
import type { Upload } from '../../http/body.ts';
import type { Deps } from '../../http/context.ts';
import { HttpError, say } from '../../http/errors.ts';
import { describeUpload } from '../../http/stored-files.ts';

type Described = Awaited<ReturnType<typeof describeUpload>>;

/** A file of an archive: received and not yet kept, or refused like a single upload. */
export type Unpacked = { path: string; file_name: string; size: number } & (
  | { upload: Upload; described: Described; refusal: null }
  | { upload: null; described: null; refusal: Text }
);

/** The files of an archive that are on disk and not yet kept. */
export interface Unpacking extends AsyncDisposable {
  files: readonly Unpacked[];
}

const { bytes: maxBytes } = fileLimits.attachment;

/** Unpacks a file to disk and checks it like a single upload: type, content, size; strips the metadata of pictures. */
async function unpackOne(deps: Deps, file: ArchiveFile): Promise<Unpacked> {
  const about = { path: file.path, file_name: storedFileName(file.path), size: file.size };
  const refused = (refusal: Text) => ({ ...about, upload: null, described: null, refusal });
  if (file.size > maxBytes) return refused(say('file', tooLarge(maxBytes)));
  const received = await deps.files.receive(file.content(), { maxBytes });
  const upload: Upload = { ...received, file_name: about.file_name };
  try {
    const described = await describeUpload(deps, upload, 'attachment');
    return { ...about, size: described.size, upload, described, refusal: null };
  } catch (error) {
    await deps.files.discard(upload);
    if (error instanceof HttpError && error.status === 422) return refused(refusalIn(error));
    throw error;
  }
}

/** The message of a single upload about its file. */
const refusalIn = ({ body }: HttpError): Text => body.errors?.['file']?.[0] ?? body.message;

/** Discards files that were not kept; kept ones stay. */
async function discardAll(deps: Deps, files: readonly Unpacked[]): Promise<void> {
  await fewAtATime(files, async ({ upload }) => upload && deps.files.discard(upload));
}

/** Files in progress at once: disks are faster with several, but each picture among them is in memory. */
const together = 4;

/** Works on all items in order, a few at a time. Throws a failure after the work in progress has ended. */
export async function fewAtATime<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  done: R[] = [],
): Promise<R[]> {
  for (let start = 0; start < items.length; start += together) {
    const settled = await Promise.allSettled(items.slice(start, start + together).map(work));
    for (const one of settled) if (one.status === 'fulfilled') done.push(one.value);
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }
  return done;
}

/**
 * Unpacks an archive with constant memory. Disposing discards the files that were not kept.
 * @throws ArchiveRefused when a content does not match its entry; nothing is left behind then
 */
export async function unpack(deps: Deps, archive: Archive): Promise<Unpacking> {
  const files: Unpacked[] = [];
  try {
    await fewAtATime(archive.files, (file) => unpackOne(deps, file), files);
    return { files, [Symbol.asyncDispose]: () => discardAll(deps, files) };
  } catch (error) {
    await discardAll(deps, files);
    throw error;
  }
}
