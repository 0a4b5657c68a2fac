import { access, constants, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { filesFolder } from '../backup/source.ts';
import type { Config } from '../config.ts';
import { openStore } from '../files/store.ts';
import type { FileStore } from '../files/store.ts';
import { fail, ok } from './finding.ts';
import type { Finding } from './finding.ts';

const probe = Buffer.from('tenure doctor');

/** Puts a file, reads it and removes it. */
async function roundTrip(files: FileStore): Promise<boolean> {
  const received = await files.receive([probe], { maxBytes: probe.length });
  const key = await files.keep(received);
  try {
    const found = await files.open(key);
    return found !== null && (await buffer(found.stream)).equals(probe);
  } finally {
    await files.remove(key);
  }
}

/** Files as the service keeps them. A folder that is not there yet is left for the first start. */
export async function checkStore(config: Config): Promise<Finding> {
  const folder = filesFolder(config);
  if (!(await stat(folder).catch(() => undefined)))
    return ok('files', `${folder} is not there yet: the first start creates it`);
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    if (await roundTrip(await openStore(folder))) return ok('files', 'A file can be stored, read and removed');
    return fail('files', 'A stored file is not as it was', `Look at the disk of ${folder}.`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    return fail('files', `No file can be stored in ${folder} (${code})`, 'Correct its owner, rights and disk.');
  }
}
