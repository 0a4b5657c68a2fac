import { rmSync } from 'node:fs';
import { chmod, link, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { randomId } from '../crypto/crypto.ts';
import { generateKey, parseKey } from '../crypto/keys.ts';
import { makeFolder } from '../make-folder.ts';

/** Where the embedded cluster lives in DATA_DIR. */
export function clusterFolder(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** True once the embedded database of this DATA_DIR has been set up. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  return exists(join(clusterFolder(dataDir), 'PG_VERSION'));
}

/** Creates DATA_DIR unless it exists. Throws with one line for the operator. */
export async function createDataDir(dataDir: string): Promise<void> {
  await makeFolder(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR')
      throw new Error(`DATA_DIR ${dataDir} cannot be created: it is a file, or below one. Set DATA_DIR to a folder.`);
    throw new Error(
      `DATA_DIR ${dataDir} cannot be created: ${error.message}. Make the folder above it writable, or choose another.`,
    );
  });
}

/** Creates DATA_DIR without access for others; as root, the database's user may pass through it but not list it. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  await createDataDir(dataDir);
  const { uid } = await stat(dataDir);
  const self = process.geteuid?.() ?? uid;
  if (self !== 0 && uid !== self) {
    throw new Error(
      `DATA_DIR ${dataDir} belongs to another user (uid ${uid}). Start as that user or choose another folder.`,
    );
  }
  await chmod(dataDir, self === 0 ? 0o711 : 0o700);
}

export interface DataDirLock {
  release(): void;
}

/**
 * Locks DATA_DIR for this process. Throws if another service holds it, naming its process.
 *
 * SQLite's file lock is the only lock of the operating system that Node offers. It ends with its process, however that
 * dies, and works between containers that share a folder, where a process number in a file proves nothing.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const lockFile = join(dataDir, 'service.lock');
  const pidFile = join(dataDir, 'service.pid');
  await (await open(lockFile, 'a', 0o600)).close();
  const lock = new DatabaseSync(lockFile);
  if (!lockExclusively(lock)) {
    lock.close();
    const pid = await readPid(pidFile);
    const holder = pid === '' ? '' : ` (process ${pid})`;
    throw new Error(
      `DATA_DIR ${dataDir} is in use by another Tenure service${holder}. Stop it or choose another folder.`,
    );
  }
  const release = (): void => {
    if (!lock.isOpen) return;
    rmSync(pidFile, { force: true });
    lock.close();
  };
  try {
    await writeFile(pidFile, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    // the disk is full, and this process may retry
    release();
    throw error;
  }
  return { release };
}

/** The id of the process that holds the lock, which that process writes just after locking; otherwise ''. */
async function readPid(pidFile: string): Promise<string> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const pid = (await readFile(pidFile, 'utf8').catch(() => '')).trim();
    if (pid !== '') return pid;
    await wait(50);
  }
  return '';
}

const SQLITE_BUSY = 5;

function lockExclusively(lock: DatabaseSync): boolean {
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}

export interface LoadedKey {
  /** 32 bytes of base64. */
  key: string;
  /** True if there was a database but no key: everyone who is signed in must sign in again. */
  replaced: boolean;
}

/** Reads or creates the key of this DATA_DIR. */
export async function loadOrCreateKey(dataDir: string): Promise<LoadedKey> {
  await prepareDataDir(dataDir);
  const path = join(dataDir, 'app.key');
  const replaced = !(await exists(path)) && (await hasCluster(dataDir));
  const created = await writeOnce(path, `${generateKey()}\n`);
  if (!created) await chmod(path, 0o600);
  return { key: usableKey(path, await readFile(path, 'utf8')), replaced: replaced && created };
}

/** The key in a file. Throws with one line for the operator if it is damaged. */
export function usableKey(path: string, content: string): string {
  const key = content.trim();
  try {
    parseKey(key);
    return key;
  } catch (error) {
    // oxlint-disable-next-line preserve-caught-error -- the cause would be a second line that says the same
    throw new Error(
      `The key in ${path} ${(error as Error).message}. Restore the file, or remove it to end all sessions.`,
    );
  }
}

/**
 * Writes a file, readable only by its owner, that must never be overwritten or seen half-written. Returns false and
 * changes nothing if it exists.
 */
export async function writeOnce(path: string, content: string): Promise<boolean> {
  const draft = `${path}.${randomId()}`;
  try {
    await writeFile(draft, content, { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, path);
    await syncFolder(dirname(path));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Makes the file names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path);
  await folder.sync();
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
