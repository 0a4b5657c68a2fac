import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { distance, misspeltSettings } from './misspelt-settings.ts';
import { settings } from './settings.ts';

test.each([
  ['PORT', 'PORT', 0],
  ['DATABSE_URL', 'DATABASE_URL', 1],
  ['DATABASE_ULR', 'DATABASE_URL', 1],
  ['BCRYPT_COSTS', 'BCRYPT_COST', 1],
  ['LOGLEVL', 'LOG_LEVEL', 2],
  ['', 'PORT', 4],
])('%s is apart from %s by %i', (one, other, apart) => {
  expect([distance(one, other), distance(other, one)]).toEqual([apart, apart]);
});

test.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URL_FIEL', 'DATABASE_URL_FILE'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABASE_HOST', 'DATABASE_URL'],
  ['SMTP_HOTS', 'SMTP_URL'],
  ['SMTP_HOST', 'SMTP_URL'],
  ['SMPT_URL', 'SMTP_URL'],
  ['APP_KYE', 'APP_KEY'],
  ['APP_URI', 'APP_URL'],
  ['BACKUP_PASSPRASE', 'BACKUP_PASSPHRASE'],
  ['STORAGE_FALBACK_URL', 'STORAGE_FALLBACK_URL'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['WEB_CONCURENCY', 'WEB_CONCURRENCY'],
  ['S3_ACCESS_KEY_IDS', 'S3_ACCESS_KEY_ID'],
])('%s looks like %s', (name, nearest) => {
  expect(misspeltSettings({ PATH: '/bin', [name]: 'x' })).toEqual([{ name, nearest }]);
});

test('settings, their files and empty names are none', () => {
  const names = Object.keys(settings.shape).flatMap((name) => [name, `${name}_FILE`]);
  expect(misspeltSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
  expect(misspeltSettings({ DATABSE_URL: '', SMTP_HOST: undefined })).toEqual([]);
});

test('names of others are none, however alike', () => {
  const names = `PATH HOME HOSTNAME HOSTTYPE LOGNAME LANG TERM USER MAIL PWD SHELL SHLVL TZ POST ROLES API_KEY API_URL
    APP_ENV APP_NAME APP_DIR SESSION_MANAGER XDG_DATA_DIRS XDG_SESSION_ID AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
    AWS_CONTAINER_AUTHORIZATION_TOKEN AWS_ROLE_ARN NODE_OPTIONS NODE_PATH NODE_VERSION METRICS_PATH WEBHOOK_URL
    TENURE_HOME TENURE_PORT TENURE_SERVICE_HOST DATABASE_SERVICE_HOST DATABASE_SERVICE_PORT DATABASE_PORT
    DATABASE_PORT_5432_TCP_ADDR STORAGE_PORT_9000_TCP SMTP_SERVICE_PORT_SMTP LD_LIBRARY_PATH npm_config_port
    PGHOST PGDATABASE POSTGRES_PASSWORD MYSQL_DATABASE REDIS_URL DOCKER_HOST CI INVOCATION_ID JOURNAL_STREAM
    LISTEN_FDS MEMORY_PRESSURE_WATCH SYSTEMD_EXEC_PID CREDENTIALS_DIRECTORY STATE_DIRECTORY RUNTIME_DIRECTORY`;
  const env = Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, 'x']),
  );
  expect(misspeltSettings(env)).toEqual([]);
});

test('no name that this repository gives to a service is one', () => {
  const files = ['.env.example', 'deploy/systemd/tenure.service', 'deploy/compose/compose.yaml'];
  const names = files.flatMap((path) =>
    [...readFileSync(join(import.meta.dirname, '../..', path), 'utf8').matchAll(/^[ #]*([A-Z][A-Z0-9_]+)[=:]/gm)].map(
      ([, name = '']) => name,
    ),
  );
  expect(names).toContain('DATABASE_URL');
  expect(misspeltSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
});
