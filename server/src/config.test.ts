import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dueNear } from './backup/cron.ts';
import { BadSetting, changeSettings, readConfig, separateSettings, settingNames } from './config.ts';

const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64');
const production = {
  NODE_ENV: 'production',
  APP_URL: 'https://hr.example.com',
  DATABASE_URL: 'postgres://tenure_app:Kv9-long-random@db.example.com/tenure',
  APP_KEY: key,
};

const recipient = `age1${'q'.repeat(58)}`;
const plainStore = 's3://a:b@files?endpoint=http://garage:3900';

test('defaults fit one machine', () => {
  expect(readConfig({})).toMatchObject({
    PORT: 8000,
    HOST: '127.0.0.1',
    APP_URL: 'http://localhost:8000',
    FRONTEND_URL: ['http://localhost:8000'],
    DOCS: true,
    SESSION_IDLE_MINUTES: 120,
    BCRYPT_COST: 12,
    production: false,
  });
});

test('a setting may come from a file', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'tenure-setting-')), 'key');
  writeFileSync(file, `${key}\n`);
  expect(readConfig({ APP_KEY_FILE: file }).APP_KEY).toBe(key);
});

test.each([
  [{ PORT: '99999' }, 'PORT: give a number from 0 to 65535'],
  [{ METRICS_PORT: '-1' }, 'METRICS_PORT: give a number from 0 to 65535'],
  [{ SESSION_MAX_HOURS: '0' }, 'SESSION_MAX_HOURS: give a number from 0.001 to 10000'],
  [{ PORT: 'eighty' }, 'PORT: give a number'],
  [{ DATABASE_POOL_SIZE: '1' }, 'DATABASE_POOL_SIZE: give a number from 2 to 500'],
  [{ INVITATION_DAYS: '31' }, 'INVITATION_DAYS: give a number from 1 to 30'],
  [{ TOKEN_MAX_DAYS: '0' }, 'TOKEN_MAX_DAYS: give a number from 1 to 3660'],
  [{ SCIM: 'true' }, 'SCIM: give on or off'],
  [{ ROLE: 'web' }, 'ROLE: give all, api or worker'],
  [{ MIGRATE: 'no' }, 'MIGRATE: give on, off or only'],
  [{ BACKUP_DRILL: 'daily' }, 'BACKUP_DRILL: give monthly or off'],
  [{ APP_URL: 'hr.example.com' }, 'APP_URL: hr.example.com is not a URL: give one such as https://hr.example.com'],
  ...['[::1]', '127.0.0.1:8000', 'hr.example.com:80', 'every where'].map((HOST): [Record<string, string>, string] => [
    { HOST },
    'HOST: give an address such as 127.0.0.1 or ::1, or a host name, without brackets and without a port',
  ]),
  [
    { METRICS_HOST: '[::]' },
    'METRICS_HOST: give an address such as 127.0.0.1 or ::1, or a host name, without brackets and without a port',
  ],
  [{ MAIL_FROM: 'HR' }, 'MAIL_FROM: give an address such as Tenure <hr@example.com>'],
  [
    { BACKUP_URL: 's3://My_Files/backups' },
    'BACKUP_URL: has no valid bucket name: give s3://bucket/prefix, with a name of 3 to 63 lowercase letters, digits, hyphens and dots',
  ],
])('%j is refused with what it may be', (settings, line) => {
  expect(() => readConfig(settings)).toThrow(new BadSetting(line));
});

test('a process listens on an address of any kind, or a name', () => {
  for (const HOST of ['0.0.0.0', '::', '::1', 'fe80::1%eth0', 'localhost', 'tenure_api', 'hr.example.com'])
    expect(readConfig({ HOST }).HOST).toBe(HOST);
});

test('an empty file of a setting is refused: backups without their passphrase would be readable by all', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'tenure-setting-')), 'secret');
  writeFileSync(file, ' \n');
  for (const name of ['BACKUP_PASSPHRASE', 'DATABASE_URL', 'APP_KEY', 'PORT'])
    expect(() => readConfig({ [`${name}_FILE`]: file }), name).toThrow(
      new BadSetting(`${name}_FILE: ${file} is empty: write the value into the file, or leave ${name}_FILE out`),
    );
  expect(() => separateSettings({ APP_KEY_FILE: file })).toThrow(/^APP_KEY_FILE: .* is empty/);
});

test('a command has defaults of its own for what neither a setting nor its file gives', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'tenure-setting-')), 'level');
  const level = (env: Record<string, string>) => readConfig(env, { LOG_LEVEL: 'error' }).LOG_LEVEL;
  expect(level({})).toBe('error');
  expect(level({ LOG_LEVEL: '' })).toBe('error');
  expect(level({ LOG_LEVEL: 'debug' })).toBe('debug');
  writeFileSync(file, 'debug\n');
  expect(level({ LOG_LEVEL_FILE: file })).toBe('debug');
});

test('a file that cannot be read, or beside the setting itself, is refused in one line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-setting-'));
  const missing = join(folder, 'missing');
  expect(() => readConfig({ APP_KEY_FILE: missing })).toThrow(
    new BadSetting(`APP_KEY_FILE: ${missing} cannot be read (ENOENT)`),
  );
  expect(() => readConfig({ SMTP_URL_FILE: folder })).toThrow(
    new BadSetting(`SMTP_URL_FILE: ${folder} cannot be read (EISDIR)`),
  );
  const file = join(folder, 'key');
  writeFileSync(file, key);
  expect(() => readConfig({ APP_KEY_FILE: file, APP_KEY: key })).toThrow(
    new BadSetting('APP_KEY: set this or APP_KEY_FILE, not both'),
  );
  expect(readConfig({ APP_KEY_FILE: file, APP_KEY: '' }).APP_KEY).toBe(key);
});

test('behind a pooler statements are not prepared unless that is set', () => {
  const pooled = {
    DATABASE_POOLER: 'on',
    DATABASE_URL: 'postgres://app@pooler/tenure',
    DATABASE_DIRECT_URL: 'postgres://app@db/tenure',
  };
  expect(readConfig({}).DATABASE_PREPARED).toBe(true);
  expect(readConfig(pooled).DATABASE_PREPARED).toBe(false);
  expect(readConfig({ ...pooled, DATABASE_PREPARED: 'on' }).DATABASE_PREPARED).toBe(true);
});

test('production starts with safe settings, without documentation', () => {
  expect(readConfig(production)).toMatchObject({ production: true, DOCS: false });
  expect(readConfig({ ...production, DOCS: 'on' }).DOCS).toBe(true);
});

test.each([
  [{ ...production, APP_KEY: '' }, 'APP_KEY'],
  [{ ...production, APP_KEY: 'short' }, 'APP_KEY'],
  [{ ...production, APP_KEY: Buffer.alloc(32).toString('base64') }, 'APP_KEY'],
  [{ ...production, APP_URL: '' }, 'APP_URL'],
  [{ ...production, APP_URL: 'http://hr.example.com' }, 'APP_URL'],
  [{ ...production, DATABASE_URL: 'postgres://tenure:tenure@db.example.com/tenure' }, 'DATABASE_URL'],
  [{ ...production, DATABASE_URL: 'postgres://app:postgres@db.example.com/tenure' }, 'DATABASE_URL'],
  [{ APP_URL: 'https://hr.example.com/path' }, 'APP_URL'],
  [{ APP_URL: 'https://me@hr.example.com' }, 'APP_URL'],
  [{ APP_URL: 'nonsense' }, 'APP_URL'],
  [{ FRONTEND_URL: 'https://*.example.com' }, 'FRONTEND_URL'],
  [{ SESSION_DOMAIN: 'localhost' }, 'SESSION_DOMAIN'],
  [{ APP_URL: 'https://hr.example.com', SESSION_DOMAIN: 'example.org' }, 'SESSION_DOMAIN'],
  [{ DATABASE_POOLER: 'on' }, 'DATABASE_POOLER'],
  [{ DATABASE_POOLER: 'on', DATABASE_URL: 'postgres://app@pooler:6432/tenure' }, 'DATABASE_DIRECT_URL'],
  [{ BACKUP_RECIPIENT: recipient, BACKUP_DRILL: 'monthly' }, 'BACKUP_DRILL'],
  [{ BACKUP_DRILL: 'daily' }, 'BACKUP_DRILL'],
  [{ BACKUP_WAL: 'on' }, 'BACKUP_WAL'],
  [{ BACKUP_WAL: 'on', BACKUP_URL: '/b', DATABASE_URL: 'postgres://a:b@localhost/c' }, 'BACKUP_WAL'],
  [{ BACKUP_SPOOL_MB: '1' }, 'BACKUP_SPOOL_MB'],
  [{ TRUST_PROXY: '0.0.0.0/0' }, 'TRUST_PROXY'],
  [{ TRUST_PROXY: '::/0' }, 'TRUST_PROXY'],
  [{ TRUST_PROXY: 'proxy.local' }, 'TRUST_PROXY'],
  [{ PORT: 'eighty' }, 'PORT'],
  [{ PORT: '80.5' }, 'PORT'],
  [{ METRICS_PORT: '9100.5' }, 'METRICS_PORT'],
  [{ BCRYPT_COST: '12.5' }, 'BCRYPT_COST'],
  [{ DATABASE_POOL_SIZE: '2.5' }, 'DATABASE_POOL_SIZE'],
  [{ SESSION_MAX_PER_USER: '1.5' }, 'SESSION_MAX_PER_USER'],
  [{ NODE_ENV: 'prod' }, 'NODE_ENV'],
  [{ NODE_ENV: 'Production' }, 'NODE_ENV'],
  [{ DATA_DIR: '~/tenure' }, 'DATA_DIR'],
  [{ DATA_DIR: '"/var/lib/tenure"' }, 'DATA_DIR'],
  [{ DATA_DIR: '/var/lib/tenure\r\nPORT=80' }, 'DATA_DIR'],
  [{ MAIL_FROM: "'Tenure <hr@example.com>'" }, 'MAIL_FROM'],
  [{ ADMIN_EMAIL: 'admin' }, 'ADMIN_EMAIL'],
  [{ DATABASE_URL: 'db.example.com/tenure' }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'mysql://app:secret@db/tenure' }, 'DATABASE_URL'],
  [{ ...production, DATABASE_URL: 'postgres://app:100%-long-random@db/tenure' }, 'DATABASE_URL'],
  [{ ...production, DATABASE_MIGRATION_URL: 'db' }, 'DATABASE_MIGRATION_URL'],
  [{ ...production, DATABASE_DIRECT_URL: 'http://db' }, 'DATABASE_DIRECT_URL'],
  [{ ...production, DATABASE_BACKUP_URL: 'db' }, 'DATABASE_BACKUP_URL'],
  ...['localhost:25', 'http://mail.acme.example', 'smtp:', 'smtp:///', 'sendmail', 'smtp://a b', 'smtp://a:1%@b'].map(
    (SMTP_URL): [Record<string, string>, string] => [{ SMTP_URL }, 'SMTP_URL'],
  ),
  [{ BACKUP_SCHEDULE: '15 24 * * *' }, 'BACKUP_SCHEDULE'],
  [{ BACKUP_SCHEDULE: '*/0 * * * *' }, 'BACKUP_SCHEDULE'],
  [{ BACKUP_SCHEDULE: '5-5 * * * *' }, 'BACKUP_SCHEDULE'],
  [{ BACKUP_SCHEDULE: '0 2 0 * *' }, 'BACKUP_SCHEDULE'],
  [{ BACKUP_RECIPIENT: 'age1ql3z7hjy54pw3hyww5' }, 'BACKUP_RECIPIENT'],
  [{ BCRYPT_COST: '9' }, 'BCRYPT_COST'],
  [{ PASSWORD_MIN_LENGTH: '6' }, 'PASSWORD_MIN_LENGTH'],
  [{ ROLE: 'everything' }, 'ROLE'],
  [{ STORAGE_URL: 'https://files.example.com' }, 'STORAGE_URL'],
  [{ STORAGE_URL: 'file://host/files' }, 'STORAGE_URL'],
  [{ STORAGE_URL: 's3://files' }, 'STORAGE_URL'],
  [{ STORAGE_URL: 's3://files', S3_ACCESS_KEY_ID: 'id' }, 'S3_SECRET_ACCESS_KEY'],
  [{ STORAGE_URL: 's3://a:b@files', S3_ACCESS_KEY_ID: 'id' }, 'S3_SECRET_ACCESS_KEY'],
  [{ BACKUP_URL: 's3://a:b@files', S3_SECRET_ACCESS_KEY: 'secret' }, 'S3_ACCESS_KEY_ID'],
  [{ S3_SECRET_ACCESS_KEY: 'secret' }, 'S3_ACCESS_KEY_ID'],
  [{ STORAGE_FALLBACK_URL: 's3://f' }, 'STORAGE_FALLBACK_URL'],
  [{ STORAGE_FALLBACK_URL: 'file:' }, 'STORAGE_FALLBACK_URL'],
  [{ BACKUP_URL: 's3://a:b@files?acl=public' }, 'BACKUP_URL'],
  [{ BACKUP_URL: 'ftp://me:secret@backups.example.com' }, 'BACKUP_URL'],
  [{ BACKUP_URL: 'S3://files' }, 'BACKUP_URL'],
  [{ BACKUP_URL: 'file://host/backups' }, 'BACKUP_URL'],
  [{ BACKUP_URL: 'backups' }, 'BACKUP_URL'],
  [{ BACKUP_URL: './backups' }, 'BACKUP_URL'],
  [{ BACKUP_URL: '~/backups' }, 'BACKUP_URL'],
  [{ BACKUP_URL: 'ftp:backups' }, 'BACKUP_URL'],
  [{ ...production, STORAGE_URL: plainStore }, 'STORAGE_URL'],
  [{ ...production, STORAGE_FALLBACK_URL: plainStore }, 'STORAGE_FALLBACK_URL'],
  [{ ...production, BACKUP_URL: plainStore }, 'BACKUP_URL'],
])('%j is refused in one line that names %s', (env, name) => {
  let refusal: unknown;
  try {
    readConfig(env);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(BadSetting);
  expect((refusal as Error).message).toMatch(new RegExp(`^${name}: [^\\n]+$`));
  expect((refusal as Error).message).not.toContain(key);
});

test('backups go into any folder that has a whole path', () => {
  for (const BACKUP_URL of ['/mnt/backups', 'file:///mnt/backups', '/mnt/with space', '/mnt/ftp:/x'])
    expect(readConfig({ BACKUP_URL }).BACKUP_URL).toBe(BACKUP_URL);
});

test('a file of settings with line ends of Windows, or spaces, gives the same values', () => {
  const env = { DATA_DIR: '/var/lib/tenure\r', NODE_ENV: 'production\r', SCIM: 'off\r', PORT: ' 8001 ' };
  expect(readConfig({ ...production, ...env })).toMatchObject({
    DATA_DIR: '/var/lib/tenure',
    production: true,
    SCIM: false,
    PORT: 8001,
  });
  expect(readConfig({ PORT: ' ' }).PORT).toBe(8000);
});

test('a list may have a line for each of its parts, and a password may be in quotes', () => {
  const values = { TRUST_PROXY: '127.0.0.1,\n10.0.0.0/8', ADMIN_PASSWORD: '"Kv9-long-random"' };
  expect(readConfig(values)).toMatchObject({
    TRUST_PROXY: ['127.0.0.1', '10.0.0.0/8'],
    ADMIN_PASSWORD: '"Kv9-long-random"',
  });
});

test('every schedule that the queue can read is one', () => {
  for (const BACKUP_SCHEDULE of ['15 2 * * *', '*/5 0-23 1,15 12 7', '59 23 31 1-12 0,6'])
    expect([readConfig({ BACKUP_SCHEDULE }).BACKUP_SCHEDULE, dueNear(BACKUP_SCHEDULE, 0, 'after')]).toEqual([
      BACKUP_SCHEDULE,
      expect.any(Number),
    ]);
});

test.each([
  { BACKUP_URL: 'ftp://me:secret/pass@backups.example.com' },
  { FRONTEND_URL: '//me:secret/pass@hr.example.com' },
  { DATABASE_URL: 'me:secret/pass@db/tenure' },
])('the refusal of %j does not repeat its password', (env) => {
  expect(() => readConfig(env)).toThrow(BadSetting);
  expect(() => readConfig(env)).not.toThrow(/secret/);
});

test('an object store without TLS is for this machine, a closed network or a test', () => {
  const local = 's3://a:b@files?endpoint=http://127.0.0.1:9000';
  expect(readConfig({ ...production, STORAGE_URL: local, BACKUP_URL: local })).toMatchObject({ STORAGE_URL: local });
  const closed = { ...production, ALLOW_INSECURE_HTTP: 'on', STORAGE_URL: plainStore, BACKUP_URL: plainStore };
  expect(readConfig(closed)).toMatchObject({ STORAGE_URL: plainStore });
  expect(readConfig({ STORAGE_URL: plainStore, BACKUP_URL: plainStore })).toMatchObject({ STORAGE_URL: plainStore });
});

test('.env.example and docs/settings.md list every setting', () => {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const page = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');
  const offered = [...example.matchAll(/^#([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name);
  expect(offered.toSorted(), '.env.example').toEqual(settingNames.toSorted());
  const unexplained = settingNames.filter((name) => !page.includes(`\`${name}\``));
  expect(unexplained, 'settings that docs/settings.md leaves out').toEqual([]);
});

test('the service reads every setting', () => {
  const folder = new URL('./', import.meta.url);
  const isProduct = (path: string) => path.endsWith('.ts') && !/\.test\.ts$|^testing\b/.test(path);
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(isProduct)
    .map((path) => readFileSync(new URL(path.replaceAll('\\', '/'), folder), 'utf8'))
    // the declarations do not count as reads
    .map((text) => text.replace(/^const settings = z\.object\([^]*?^}\);/m, ''));
  const unread = settingNames.filter((name) => !texts.some((text) => new RegExp(`\\b${name}\\b`).test(text)));
  expect(unread).toEqual([]);
});

test('the number of web processes decides the size of their pools, unless that is set', () => {
  expect(readConfig({})).toMatchObject({ processes: 1, DATABASE_POOL_SIZE: 10 });
  expect(readConfig({ WEB_CONCURRENCY: '8' })).toMatchObject({ processes: 8, DATABASE_POOL_SIZE: 5 });
  expect(readConfig({ WEB_CONCURRENCY: '8', DATABASE_POOL_SIZE: '20' }).DATABASE_POOL_SIZE).toBe(20);
  const { processes } = readConfig({ WEB_CONCURRENCY: 'auto', DATABASE_URL: production.DATABASE_URL });
  expect(processes).toBeGreaterThanOrEqual(1);
  expect(processes).toBeLessThanOrEqual(32);
  for (const wrong of ['0', '65', '1.5', 'many'])
    expect(() => readConfig({ WEB_CONCURRENCY: wrong })).toThrow(
      new BadSetting('WEB_CONCURRENCY: give a number from 1 to 64, or auto'),
    );
});

test('settings for another process are taken out of the environment, files of secrets too', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'tenure-setting-')), 'key');
  writeFileSync(file, `${key}\n`);
  const env = { PATH: '/bin', APP_KEY_FILE: file, LATER_SETTING: 'on', LATER_FILE: '/later' };
  const { settings, withoutSettings } = separateSettings(env);
  // the content of a file stays unchanged
  expect(settings).toEqual({ PATH: '/bin', APP_KEY: key, LATER_SETTING: 'on', LATER_FILE: '/later' });
  expect(() => separateSettings({ ...env, APP_KEY_FILE: `${file}.missing` })).toThrow(
    /^APP_KEY_FILE: .* cannot be read/,
  );
  expect(Object.keys(withoutSettings)).toEqual(expect.arrayContaining(['APP_KEY', 'APP_KEY_FILE', 'DATABASE_URL']));
  // read by libraries
  expect(withoutSettings).not.toHaveProperty('NODE_ENV');
  expect(withoutSettings).not.toHaveProperty('PATH');
  expect(changeSettings(env, { APP_KEY: key, LATER_SETTING: undefined, LATER: undefined })).toEqual({
    PATH: '/bin',
    APP_KEY: key,
  });
});
