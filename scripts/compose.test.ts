import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig, settingNames } from '../server/src/config.ts';
import { fileLimits } from '../server/src/files/limits.ts';
import { composeFolder, composeSets, readCompose, readVariables, servicesOfTenure } from './deploy/compose-file.ts';

const example = readFileSync(join(composeFolder, '.env.example'), 'utf8');
const variables = readVariables(example);
const read = (file: string) => readCompose(file, variables);
const ofTenure = (file: string) => servicesOfTenure(read(file), variables);

test.each(composeSets)('every service of Tenure in %s is fenced in', (file) => {
  expect(ofTenure(file).length).toBeGreaterThan(0);
  for (const [name, service] of ofTenure(file))
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: ['/tmp'],
      init: true,
    });
});

test.each(composeSets)('the services of %s get settings that exist and that production accepts', (file) => {
  const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64');
  const secrets: Record<string, string> = {
    app_key: key,
    database_url: 'postgres://tenure_app:Kv9-long-random@postgres/tenure',
    database_migration_url: 'postgres://tenure_owner:Kv8-long-random@postgres/tenure',
    s3_secret: 'long-random',
  };
  for (const [name, service] of ofTenure(file)) {
    const settings: Record<string, string> = { NODE_ENV: 'production' };
    for (const [setting, value] of Object.entries(service.environment ?? {})) {
      const own = setting.replace(/_FILE$/, '');
      expect(settingNames, `${name}: ${setting}`).toContain(own);
      expect(value, `${name}: ${setting}`).not.toBeNull();
      settings[own] =
        own === setting ? String(value) : (secrets[String(value).replace('/run/secrets/', '')] ?? 'unknown');
    }
    expect(readConfig(settings), name).toMatchObject({ production: true, APP_URL: 'https://hr.example.com' });
  }
});

test.each(composeSets)('what the services of %s name is there', (file) => {
  const { services, secrets = {}, volumes } = read(file);
  for (const [name, service] of Object.entries(services)) {
    for (const secret of service.secrets ?? []) expect(Object.keys(secrets), name).toContain(secret);
    const needed = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {});
    for (const other of needed) expect(Object.keys(services), name).toContain(other);
    for (const mount of service.volumes ?? []) {
      const [source = ''] = mount.split(':');
      if (source.startsWith('./')) expect(existsSync(join(composeFolder, source)), source).toBe(true);
      else expect(Object.keys(volumes), name).toContain(source);
    }
  }
});

test.each(composeSets.slice(1))('secrets reach %s as files only, and the page says how each is made', (set) => {
  const page = readFileSync(join(composeFolder, '../../docs/install.md'), 'utf8');
  const { secrets = {}, services } = read(set);
  for (const name of Object.keys(secrets))
    expect(page, name).toMatch(new RegExp(`secrets/${name}|\\b${name}\\b.*do openssl`));
  const literal = /(?<!ACCESS_)(KEY|PASSWORD|PASSPHRASE|DATABASE_[A-Z_]*URL)$/;
  for (const { environment = {} } of Object.values(services))
    expect(Object.keys(environment).filter((name) => literal.test(name))).toEqual([]);
});

test('only the service that migrates has the address of the owner, and the others wait for it', () => {
  const { migrate, ...others } = Object.fromEntries(ofTenure('compose.cluster.yaml'));
  expect(migrate).toMatchObject({ command: 'migrate', secrets: ['app_key', 'database_url', 'database_migration_url'] });
  expect(Object.keys(others)).toEqual(['api', 'worker']);
  for (const service of Object.values(others)) {
    expect(service.secrets).toEqual(['app_key', 'database_url']);
    expect(service.environment).toMatchObject({ MIGRATE: 'off' });
    expect(service.environment).not.toHaveProperty('DATABASE_MIGRATION_URL_FILE');
    expect(service.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
  }
});

test('with an object store, the processes use it and wait for it, and keep all they have without it', () => {
  const [without, stored] = composeSets.slice(1).map((set) => Object.fromEntries(ofTenure(set)));
  for (const name of ['api', 'worker']) {
    const [before, after] = [without?.[name], stored?.[name]];
    expect(after).toMatchObject({ ...before, secrets: [...(before?.secrets ?? []), 's3_secret'] });
    expect(after?.environment).toMatchObject({
      STORAGE_URL: 's3://files?endpoint=http://store:7070',
      S3_SECRET_ACCESS_KEY_FILE: '/run/secrets/s3_secret',
    });
    expect(Object.keys(after?.depends_on ?? {})).toEqual(['migrate', 'store']);
  }
  expect(stored?.['migrate']).toEqual(without?.['migrate']);
});

test('the object store is of the version that the checks start', () => {
  const [, version = 'none'] = /versitygw:(v[\d.]+)/.exec(variables['STORE_IMAGE'] ?? '') ?? [];
  const cluster = readFileSync(join(composeFolder, 'compose.s3.yaml'), 'utf8');
  expect(cluster).toContain(`versity/versitygw:${version}`);
  for (const file of ['deploy/tools.sh', 's3-servers.sh'])
    expect(readFileSync(join(import.meta.dirname, file), 'utf8')).toContain(`cmd/versitygw@${version}`);
});

test.each(['proxy/nginx.conf', 'helm/tenure/values.yaml'])('the largest file passes the proxy of %s', (file) => {
  const [, megabytes] = /(?:client_max_body_size|proxy-body-size:) (\d+)m\b/.exec(
    readFileSync(join(composeFolder, '..', file), 'utf8'),
  ) as RegExpExecArray;
  expect(Number(megabytes) * 1_024 * 1_024).toBeGreaterThan(
    Math.max(...Object.values(fileLimits).map(({ bytes }) => bytes)),
  );
});
