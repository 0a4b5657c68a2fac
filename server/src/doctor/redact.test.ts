import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { settingNames } from '../config.ts';
import { logTo } from '../logging.ts';
import { examine } from './doctor.ts';
import { redactor } from './redact.ts';

const folder = await mkdtemp(join(tmpdir(), 'tenure-doctor-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const password = 'Sw0rdfish-&-Chips';
const addresses = [
  `postgres://tenure:${encodeURIComponent(password)}@127.0.0.1:1/tenure`,
  `smtp://post:${password}@127.0.0.1:1`,
  `https://user:${password}@127.0.0.1:1 ?`,
];

const look = async (env: Record<string, string>) =>
  JSON.stringify(
    await examine({
      env: { DATA_DIR: join(folder, 'none'), APP_URL: 'http://127.0.0.1:1', ...env },
      machine: { node: '26.0.0', uid: process.geteuid?.(), now: () => Date.now() },
      log: () => logTo('silent'),
      isOffline: false,
    }),
  );

const expectHidden = (said: string) => {
  for (const secret of [password, encodeURIComponent(password), 'fish', 'Chips']) expect(said).not.toContain(secret);
};

test.each(settingNames)('an address with a password in %s is not printed', async (name) => {
  for (const address of addresses) {
    const said = await look({ [name]: address });
    expect(said).toContain('"name":"node"');
    expectHidden(said);
  }
});

test('nor is one that comes from a file, or a secret that cannot be used', async () => {
  const file = join(folder, 'secret');
  for (const name of ['DATABASE_URL', 'SMTP_URL', 'APP_KEY', 'APP_PREVIOUS_KEYS', 'BACKUP_PASSPHRASE']) {
    await writeFile(file, name.endsWith('URL') ? `${addresses[0]}\n` : `${password}\n`);
    const said = await look({ [`${name}_FILE`]: file });
    expect(said).toContain('"name":"node"');
    expectHidden(said);
  }
});

test('secrets are removed wherever they stand, and the rest stays', () => {
  const clean = redactor({
    DATABASE_URL: 'postgres://app:p@ss/w0rd-long@db.acme.example/tenure',
    APP_PREVIOUS_KEYS: 'first-key-of-all, second-key-of-all',
  });
  const what = 'postgres://app:p@ss/w0rd-long@db.acme.example/tenure said p@ss/w0rd-long to second-key-of-all';
  expect(clean({ name: 'x', status: 'fail', what, remedy: 'Change first-key-of-all.' })).toEqual({
    name: 'x',
    status: 'fail',
    what: 'postgres://…@db.acme.example/tenure said … to …',
    remedy: 'Change ….',
  });
});
