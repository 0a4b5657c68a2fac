import { readFile } from 'node:fs/promises';
import { detect } from '../files/detect.ts';
import { wrongType } from '../files/limits.ts';
import type { FileUse } from '../files/limits.ts';
import { isPictureType, withoutMetadata } from '../files/metadata.ts';
import { storedFileName } from '../files/names.ts';
import type { Upload } from './body.ts';
import { FileReply } from './context.ts';
import type { Deps } from './context.ts';
import { invalid, notFound, unavailable } from './errors.ts';
import { requireDiskSpace } from './disk-space.ts';

/** People's files, which a row describes and the store keeps: accepts and returns them. */

/** A file as its row describes it; `file_key` is its key in the store, and never leaves the service. */
export type StoredFile = {
  id: number;
  file_key: string;
  file_name: string;
  mime_type: string;
  scan_status: 'not_scanned' | 'pending' | 'clean' | 'infected' | 'error';
};

/**
 * Replaces a received picture by one without metadata, unless the operator keeps pictures as sent.
 * @throws 422 on `file` if it cannot be parsed
 */
async function stripMetadata({ config, files }: Deps, file: Upload, type: string, use: FileUse): Promise<void> {
  if (config.ATTACHMENT_METADATA === 'keep' || !isPictureType(type)) return;
  const sent = await readFile(file.path);
  const bare = withoutMetadata(sent, type);
  if (!bare) throw invalid('file', wrongType(use));
  if (bare.equals(sent)) return;
  const received = await files.receive([bare], { maxBytes: bare.length });
  await files.discard(file);
  Object.assign(file, received);
}

/**
 * The row for a received file, once its name and content are known to match. A picture loses its metadata, so that
 * `file` is another one afterwards.
 * @throws 422 on `file` for any other type, 503 if the disk is nearly full
 */
export async function describeUpload(deps: Deps, file: Upload, use: FileUse) {
  await requireDiskSpace(deps);
  const detected = await detect(file.path, file.file_name, use);
  if ('refusal' in detected) throw invalid('file', detected.refusal);
  await stripMetadata(deps, file, detected.mime_type, use);
  return {
    file_name: storedFileName(file.file_name),
    mime_type: detected.mime_type,
    size: file.size,
    checksum: file.sha256,
  };
}

const harmless = new Set<StoredFile['scan_status']>(['not_scanned', 'clean']);

/**
 * The content of a file that no scanner has flagged.
 * @throws 404 for any other, 503 if its content is missing: an operator may find it in a backup
 */
export async function fileReply({ files, log }: Deps, kind: string, file: StoredFile): Promise<FileReply> {
  if (!harmless.has(file.scan_status)) throw notFound();
  const found = await files.open(file.file_key);
  if (found) return new FileReply({ ...found, mime_type: file.mime_type, name: file.file_name });
  log.error({ event: 'file_missing', [`${kind}_id`]: file.id }, 'the file store lacks the file of a row');
  throw unavailable(30);
}
