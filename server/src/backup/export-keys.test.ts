import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, expect, test, vi } from 'vitest';
import { readConfig } from '../config.ts';
import { generateKey, keyRing, parseKey } from '../crypto/keys.ts';
import { exportKeys } from './export-keys.ts';

// trying a passphrase is slow on purpose
vi.setConfig({ testTimeout: 60_000 });

const folder = await mkdtemp(join(tmpdir(), 'tenure-keys-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const [APP_KEY, former] = [generateKey(), generateKey()];
const identity = await generateX25519Identity();
const BACKUP_RECIPIENT = await identityToRecipient(identity);
const BACKUP_PASSPHRASE = 'correct horse battery';
const lines = `APP_KEY=${APP_KEY}\nAPP_PREVIOUS_KEYS=${former}\n`;

async function exported(name: string, settings: Record<string, string>) {
  const printed: string[] = [];
  const file = join(folder, name);
  const config = readConfig({ DATA_DIR: folder, ...settings });
  await exportKeys({ config, print: (line) => void printed.push(line) }, file);
  return { file, printed: printed.join('\n') };
}

async function opened(file: string, unlock: (decrypter: Decrypter) => void): Promise<string> {
  const decrypter = new Decrypter();
  unlock(decrypter);
  return decrypter.decrypt(await readFile(file), 'text');
}

const [age, script] = ['/usr/bin/age', '/usr/bin/script'];

test('for the recipient of backups: only the owner of the file reads it, and only with the identity', async () => {
  const keys = { APP_KEY, APP_PREVIOUS_KEYS: former, BACKUP_RECIPIENT };
  const { file, printed } = await exported('recipient.age', keys);
  expect(await opened(file, (decrypter) => decrypter.addIdentity(identity))).toBe(lines);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'latin1')).not.toContain(APP_KEY);
  for (const { kid } of keyRing(parseKey(APP_KEY), [parseKey(former)]).all) expect(printed).toContain(kid);
  expect(printed).not.toContain(APP_KEY);
});

test('with the passphrase of backups, and the key in DATA_DIR', async () => {
  await writeFile(join(folder, 'app.key'), `${former}\n`);
  const { file } = await exported('passphrase.age', { BACKUP_PASSPHRASE });
  const text = await opened(file, (decrypter) => decrypter.addPassphrase(BACKUP_PASSPHRASE));
  expect(text).toBe(`APP_KEY=${former}\n`);
  await rm(join(folder, 'app.key'));
});

test.runIf(existsSync(age) && existsSync(script))('age itself opens both', async () => {
  const identityFile = join(folder, 'identity.txt');
  await writeFile(identityFile, `# made by age-keygen\n${identity}\n`);
  const { file } = await exported('age.age', { APP_KEY, APP_PREVIOUS_KEYS: former, BACKUP_RECIPIENT });
  expect(execFileSync(age, ['-d', '-i', identityFile, file], { encoding: 'utf8' })).toBe(lines);
  const other = await exported('age-passphrase.age', { APP_KEY, APP_PREVIOUS_KEYS: former, BACKUP_PASSPHRASE });
  // age prompts on the terminal
  const [output, command] = [join(folder, 'opened'), `${age} -d -o ${join(folder, 'opened')} ${other.file}`];
  spawnSync(script, ['-qec', command, '/dev/null'], { input: `${BACKUP_PASSPHRASE}\n` });
  expect(await readFile(output, 'utf8')).toBe(lines);
});

test('a file that is there stays as it is', async () => {
  await writeFile(join(folder, 'there.age'), 'mine');
  await expect(exported('there.age', { APP_KEY, BACKUP_RECIPIENT })).rejects.toThrow(
    'there.age exists already: give the name of a new file.',
  );
  expect(await readFile(join(folder, 'there.age'), 'utf8')).toBe('mine');
});

/** A disk in memory; only root can mount one. */
const mayMount =
  process.geteuid?.() === 0 && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

test.runIf(mayMount)('a full disk is refused, and leaves no file that would keep the next try out', async () => {
  const disk = join(folder, 'disk');
  await mkdir(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k,mode=700', 'none', disk]);
  try {
    await writeFile(join(disk, 'filler'), Buffer.alloc(4_096, 1));
    await expect(exported('disk/keys.age', { APP_KEY, BACKUP_RECIPIENT })).rejects.toThrow(
      /disk has no space left: free/,
    );
    expect(await readdir(disk)).toEqual(['filler']);
    await rm(join(disk, 'filler'));
    await exported('disk/keys.age', { APP_KEY, BACKUP_RECIPIENT });
  } finally {
    execFileSync('umount', ['-l', disk]);
  }
});

test('a damaged key of DATA_DIR is refused, and not exported', async () => {
  await writeFile(join(folder, 'app.key'), APP_KEY.slice(0, 20));
  await expect(exported('damaged.age', { BACKUP_RECIPIENT })).rejects.toThrow(
    `The key in ${join(folder, 'app.key')} must be 32 random bytes in base64 (44 characters). Restore the file, or remove it`,
  );
  await expect(stat(join(folder, 'damaged.age'))).rejects.toThrow('ENOENT');
  await rm(join(folder, 'app.key'));
});

test.each([
  ['plain.age', { APP_KEY }, /written encrypted only: set BACKUP_RECIPIENT or BACKUP_PASSPHRASE_FILE/],
  ['none.age', { BACKUP_RECIPIENT }, /contains no app\.key: set DATA_DIR or APP_KEY/],
  ['away/keys.age', { APP_KEY, BACKUP_RECIPIENT }, /away does not exist: check the path/],
])('%s with %j is refused and writes nothing', async (name, settings, reason) => {
  await expect(exported(name, settings)).rejects.toThrow(reason);
  await expect(stat(join(folder, name))).rejects.toThrow('ENOENT');
});
