import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../db/data-dir.ts';
import { secretsOf } from './command.ts';
import type { Command } from './command.ts';
import { sealText } from './encryption.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { keyIdsOf, readKey } from './source.ts';

/**
 * `npm run export-keys`: writes the application keys, which no backup contains, to a new file, encrypted like backups.
 * @throws {Refusal} if there is no key or no encryption, or if the file exists
 */
export async function exportKeys(command: Pick<Command, 'config' | 'print'>, file: string): Promise<void> {
  const { config, print } = command;
  const key = await readKey(config);
  if (!key)
    throw new Refusal(`DATA_DIR ${config.DATA_DIR} contains no app.key: set DATA_DIR or APP_KEY as for the service.`);
  const sealed = await sealText(await secretsOf({ config }), textOf(key, config.APP_PREVIOUS_KEYS));
  if (!sealed)
    throw new Refusal(
      'Keys are written encrypted only: set BACKUP_RECIPIENT or BACKUP_PASSPHRASE_FILE, as for backups.',
    );
  await writeNew(file, sealed);
  const ids = await keyIdsOf(config);
  print(`${file} has the application ${ids.length === 1 ? 'key' : 'keys'} ${ids.join(', ')}, encrypted.`);
  print(
    `Keep this file apart from the machine and its backups. age -d ${config.BACKUP_RECIPIENT ? '-i identity.txt ' : ''}decrypts it.`,
  );
}

/** The settings that hold the keys, as lines of a settings file. */
const textOf = (key: string, previous: readonly string[]) =>
  [`APP_KEY=${key}`, ...(previous.length > 0 ? [`APP_PREVIOUS_KEYS=${previous.join(',')}`] : []), ''].join('\n');

async function writeNew(file: string, content: Uint8Array): Promise<void> {
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } catch (error) {
      // a partial file would make the next try fail
      await rm(file, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    await syncFolder(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new Refusal(`${file} exists already: give the name of a new file.`, { cause: error });
    throw refusalOf(error, dirname(file));
  }
}
