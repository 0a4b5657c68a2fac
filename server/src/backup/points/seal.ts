import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { Archive } from '../archive.ts';
import type { Cipher } from '../encryption.ts';
import { Refusal } from '../refusal.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
// with the checksum, because without it a flipped byte may go unnoticed
const level = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } };

/** Compresses and encrypts a file of the archive. */
export const pack = async ({ seal }: Cipher, content: Uint8Array): Promise<Uint8Array> =>
  seal(await compress(content, level));

const ageHeader = 'age-encryption.org/';
const isSealed = (bytes: Buffer) => bytes.subarray(0, ageHeader.length).toString('latin1') === ageHeader;

/**
 * Reads a file of the archive back.
 * @throws {Refusal} that names the file if it is absent, damaged or encrypted for another key
 */
export async function unpack(archive: Archive, path: string, open: Cipher['open']): Promise<Buffer> {
  const bytes = await archive.read(path);
  if (!bytes) throw new Refusal(`The archive lacks ${path}: use another copy of the archive.`);
  if (isSealed(bytes) && !open)
    throw new Refusal(
      'The archive is encrypted: give --identity FILE with its age key, or BACKUP_PASSPHRASE_FILE with its passphrase.',
    );
  const plain = isSealed(bytes) && open ? open(bytes) : Promise.resolve(bytes);
  return plain
    .then((packed) => decompress(packed))
    .catch((error: Error) => {
      if (/no identity matched/.test(error.message))
        throw new Refusal(`This key does not decrypt ${path}: give the key that it was encrypted for.`, {
          cause: error,
        });
      throw new Refusal(`${path} in the archive is damaged: use another copy of the archive.`, { cause: error });
    });
}
