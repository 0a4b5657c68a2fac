import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import * as z from 'zod';
import { parseKeep } from './backup/keep.ts';
import { parseKey } from './crypto/keys.ts';
import { placeOf, s3AddressOf } from './files/places.ts';
import { isS3 } from './s3/address.ts';

/** The only reader of the environment. Every setting may also come from a file named by NAME_FILE. */

const number = (fallback: number, min: number, max: number) => z.coerce.number().min(min).max(max).default(fallback);
const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

const settings = z.object({
  /** `production` refuses unsafe settings and hides the documentation. */
  NODE_ENV: z.string().default('development'),
  /** Where to listen. */
  PORT: number(8000, 0, 65_535),
  HOST: z.string().default('127.0.0.1'),
  /** The public address: links, cookies. Default http://localhost:PORT. */
  APP_URL: z.string().optional(),
  /** Origins of a browser application hosted elsewhere, comma-separated. Default APP_URL. */
  FRONTEND_URL: list.optional(),
  /** PostgreSQL 15 or newer; unset starts the embedded one in DATA_DIR. */
  DATABASE_URL: z.string().optional(),
  /** A second address with the owner role, used for migrations only. */
  DATABASE_MIGRATION_URL: z.string().optional(),
  /** `on`: the start brings the database to this release; `off`: it never does; `only`: it does that and ends. */
  MIGRATE: z.enum(['on', 'off', 'only']).default('on'),
  /** `on`: DATABASE_URL leads to a pooler in transaction mode. */
  DATABASE_POOLER: onOff.default(false),
  /** An address of the same database past a pooler, for jobs, the queue and LISTEN. Default DATABASE_URL. */
  DATABASE_DIRECT_URL: z.string().optional(),
  /** An address of the same database whose role may read everything, for backups. Default DATABASE_MIGRATION_URL. */
  DATABASE_BACKUP_URL: z.string().optional(),
  DATABASE_POOL_SIZE: number(10, 2, 500),
  /** Named prepared statements; off with DATABASE_POOLER unless set, because many poolers cannot keep them. */
  DATABASE_PREPARED: onOff.optional(),
  /** Embedded database, files and generated keys. */
  DATA_DIR: z.string().default('./data'),
  /** Where files are kept: `file:` is in DATA_DIR, `file:///path` another folder, `s3://…` an object store. */
  STORAGE_URL: z.string().default('file:'),
  /** Where files were, until `npm run move-files` has copied them. */
  STORAGE_FALLBACK_URL: z.string().optional(),
  /** The keys of object stores whose addresses have none. */
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  /** 32 bytes of base64 for session and CSRF keys; generated into DATA_DIR with the embedded database. */
  APP_KEY: z.string().optional(),
  /** Earlier keys that may still open what they sealed, comma-separated. */
  APP_PREVIOUS_KEYS: list.default([]),
  /** Parent domain shared with a frontend on a sibling host. */
  SESSION_DOMAIN: z.string().optional(),
  SESSION_IDLE_MINUTES: number(120, 0.01, 100_000),
  SESSION_MAX_HOURS: number(12, 0.001, 10_000),
  /** Parallel sessions of one person; one more ends the oldest. */
  SESSION_MAX_PER_USER: number(20, 1, 1_000),
  /** The first administrator; without a password, a one-time password is printed or kept in a file of DATA_DIR. */
  ADMIN_EMAIL: z.string().optional(),
  ADMIN_PASSWORD: z.string().optional(),
  BCRYPT_COST: number(12, 10, 16),
  PASSWORD_MIN_LENGTH: number(8, 8, 128),
  /** `keep` leaves place, camera and author in pictures that are attached. */
  ATTACHMENT_METADATA: z.enum(['remove', 'keep']).default('remove'),
  /** `off` leaves colleagues outside the scope of a reader's roles unknown to that reader. */
  DIRECTORY: onOff.default(true),
  /** Unset: no mail is sent. */
  SMTP_URL: z.string().optional(),
  MAIL_FROM: z.string().default('Tenure <no-reply@localhost>'),
  /** Documentation at /docs/api; on unless NODE_ENV=production. */
  DOCS: onOff.optional(),
  /** CIDR list of proxies whose forwarded headers are trusted. */
  TRUST_PROXY: list.default([]),
  /** Open connections of one client address; trusted proxies have no limit. 0 is no limit. */
  CONNECTIONS_PER_ADDRESS: number(256, 0, 100_000),
  /** Requests per user and minute. */
  RATE_LIMIT_PER_MINUTE: number(600, 1, 1_000_000),
  /** Own listener for /metrics, /livez and /readyz. */
  METRICS_PORT: number(0, 0, 65_535),
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** `api`, `worker` or `all` in one process. */
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Serve a public http address in production, for a test behind a closed network. */
  ALLOW_INSECURE_HTTP: onOff.default(false),
  /** Seconds that a stop waits, not ready but serving, until balancers send requests elsewhere. */
  SHUTDOWN_DELAY_SECONDS: number(0, 0, 600),
  /** Where a weakness is reported: a mail or web address for /.well-known/security.txt. */
  SECURITY_CONTACT: list.default([]),
  /** Free space to keep for the database; uploads, imports and exports stop below it. */
  DISK_RESERVE_MB: number(256, 0, 1_000_000),
  /** The folder of the backups, or `s3://…`; unset: none are made by schedule. */
  BACKUP_URL: z.string().optional(),
  /** When, as a cron pattern in UTC. */
  BACKUP_SCHEDULE: z
    .string()
    .regex(/^[\d*/,-]+( [\d*/,-]+){4}$/, 'give a cron pattern of five fields, for example 15 2 * * *')
    .default('15 2 * * *'),
  /** Of so many days, weeks and months the newest backup stays. */
  BACKUP_KEEP: z.string().default('7d 4w 3m'),
  /** The public key of age that backups are encrypted for. */
  BACKUP_RECIPIENT: z
    .string()
    .regex(/^age1[a-z0-9]+$/, 'give a public key of age, which begins with age1')
    .optional(),
  /** Or the passphrase that encrypts them. */
  BACKUP_PASSPHRASE: z.string().min(12, 'give at least 12 characters').optional(),
  /** Whether the newest backup is read and compared every week. */
  BACKUP_VERIFY: z.enum(['weekly', 'off']).default('weekly'),
  /** Whether the newest backup is restored on trial every month. Default `monthly` where this machine can read it. */
  BACKUP_DRILL: z.enum(['monthly', 'off']).optional(),
});

/** Names of all settings. */
export const settingNames = Object.keys(settings.shape);

export class BadSetting extends Error {}
const bad = (text: string): never => {
  throw new BadSetting(text);
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The content of the file that NAME_FILE names, as containers and service managers hand over secrets. */
function readFromFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    return bad(`${name}_FILE: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function readSettings(env: Environment) {
  const values: Record<string, string> = {};
  for (const name of settingNames) {
    const [own, file] = [env[name], env[`${name}_FILE`]];
    if (own && file) bad(`${name}: set this or ${name}_FILE, not both`);
    const value = file ? readFromFile(name, file) : own;
    if (value !== undefined && value !== '') values[name] = value;
  }
  const parsed = settings.safeParse(values);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return bad(`${String(issue?.path[0])}: ${issue?.message}`);
}

export const isLoopback = (hostname: string) =>
  hostname === 'localhost' || hostname === '[::1]' || hostname === '::1' || /^127(\.[0-9]+){3}$/.test(hostname);

function parseOrigin(name: string, value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : bad(`${name}: ${value} is no URL`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') bad(`${name}: only http and https addresses work`);
  if (url.pathname !== '/' || url.search || url.hash || url.username || url.password || value.includes('*'))
    bad(`${name}: give scheme, host and port only`);
  return url;
}

function checkCidr(cidr: string) {
  const [address = '', bits, ...rest] = cidr.split('/');
  const size = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : 0;
  if (size === 0 || rest.length > 0 || (bits !== undefined && !(/^[0-9]+$/.test(bits) && Number(bits) <= size)))
    bad(`TRUST_PROXY: ${cidr} is no address range`);
  if (Number(bits) === 0) bad('TRUST_PROXY: a range of all addresses would trust every client');
}

function checkDomain(domain: string, urls: readonly URL[]) {
  const bare = domain.replace(/^\./, '');
  if (!bare.includes('.')) bad('SESSION_DOMAIN: a single label is no domain to share');
  for (const url of urls)
    if (url.hostname !== bare && !url.hostname.endsWith(`.${bare}`))
      bad(`SESSION_DOMAIN: ${bare} is no parent of ${url.hostname}`);
}

/** A contact as RFC 9116 wants it; a mail address may stand without its scheme. */
function toContact(value: string): string {
  const contact = /^[^@\s:/]+@[^@\s:/]+$/.test(value) ? `mailto:${value}` : value;
  if (!/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+|tel:\+?[0-9-]+)$/.test(contact))
    bad('SECURITY_CONTACT: give mail addresses or addresses that begin with mailto:, https: or tel:');
  return contact;
}

const weakPasswords = ['postgres', 'password', 'tenure', ''];

function checkKey(name: string, key: string) {
  try {
    parseKey(key);
  } catch (error) {
    bad(`${name}: ${(error as Error).message}`);
  }
}

function checkProduction(config: Config) {
  const url = new URL(config.APP_URL);
  if (config.DATABASE_URL && !config.APP_KEY) bad('APP_KEY: required in production with DATABASE_URL');
  if (!config.appUrlGiven) bad('APP_URL: required in production');
  if (url.protocol !== 'https:' && !isLoopback(url.hostname) && !config.ALLOW_INSECURE_HTTP)
    bad('APP_URL: must be https in production');
  if (config.DATABASE_URL) {
    const database = new URL(config.DATABASE_URL);
    const password = decodeURIComponent(database.password);
    if (!isLoopback(database.hostname) || password !== '')
      if (weakPasswords.includes(password.toLowerCase()) || password === decodeURIComponent(database.username))
        bad('DATABASE_URL: the password is one everybody tries');
  }
}

/** What goes past a pooler cannot go through it: LISTEN, and jobs that run for long. */
function checkPooler({ DATABASE_POOLER, DATABASE_URL, DATABASE_DIRECT_URL }: z.output<typeof settings>) {
  if (!DATABASE_POOLER) return;
  if (!DATABASE_URL) bad('DATABASE_POOLER: needs DATABASE_URL, the address of the pooler');
  if (!DATABASE_DIRECT_URL)
    bad('DATABASE_DIRECT_URL: required with DATABASE_POOLER=on, the address of the database past the pooler');
}

/** Reads an address of files or backups as far as it can be judged without asking. */
function checkPlace<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    return bad(`${name}: ${(error as Error).message}`);
  }
}

function checkPlaces(values: z.output<typeof settings>) {
  const { STORAGE_URL, STORAGE_FALLBACK_URL, BACKUP_URL } = values;
  const kept = checkPlace('STORAGE_URL', () => placeOf(STORAGE_URL, values));
  if (STORAGE_FALLBACK_URL !== undefined) {
    const fallback = checkPlace('STORAGE_FALLBACK_URL', () => placeOf(STORAGE_FALLBACK_URL, values));
    if (fallback.name === kept.name) bad('STORAGE_FALLBACK_URL: is the place of STORAGE_URL');
  }
  if (BACKUP_URL !== undefined && isS3(BACKUP_URL)) checkPlace('BACKUP_URL', () => s3AddressOf(BACKUP_URL, values));
}

function checkBackups({ BACKUP_KEEP, BACKUP_RECIPIENT, BACKUP_PASSPHRASE, BACKUP_DRILL }: z.output<typeof settings>) {
  if (!parseKeep(BACKUP_KEEP)) bad('BACKUP_KEEP: give numbers of days, weeks and months, for example 7d 4w 3m');
  if (!BACKUP_RECIPIENT) return;
  if (BACKUP_PASSPHRASE) bad('BACKUP_PASSPHRASE: set this or BACKUP_RECIPIENT, not both');
  if (BACKUP_DRILL === 'monthly')
    bad(
      'BACKUP_DRILL: this machine cannot read backups made for BACKUP_RECIPIENT; ' +
        'run npm run restore -- --check --identity FILE where the identity is',
    );
}

type Derived = 'APP_URL' | 'FRONTEND_URL' | 'DOCS' | 'DATABASE_PREPARED' | 'BACKUP_DRILL';

export type Config = Omit<z.output<typeof settings>, Derived> & {
  APP_URL: string;
  /** True when the address was set and not derived from PORT. */
  appUrlGiven: boolean;
  FRONTEND_URL: string[];
  DOCS: boolean;
  DATABASE_PREPARED: boolean;
  BACKUP_DRILL: 'monthly' | 'off';
  production: boolean;
};

/** What a program needs of this process's environment that is started with the same Node: where its libraries are. */
export const runtimeEnvironment = ({ LD_LIBRARY_PATH }: Environment = process.env): Record<string, string> =>
  LD_LIBRARY_PATH ? { LD_LIBRARY_PATH } : {};

/**
 * Reads and checks all settings.
 * @throws {BadSetting} with one line that names the setting
 */
export function readConfig(env: Environment = process.env): Config {
  const values = readSettings(env);
  const appUrl = parseOrigin('APP_URL', values.APP_URL ?? `http://localhost:${values.PORT}`);
  const frontends = (values.FRONTEND_URL ?? [appUrl.origin]).map((url) => parseOrigin('FRONTEND_URL', url));
  values.TRUST_PROXY.forEach(checkCidr);
  if (values.APP_KEY) checkKey('APP_KEY', values.APP_KEY);
  for (const key of values.APP_PREVIOUS_KEYS) checkKey('APP_PREVIOUS_KEYS', key);
  if (values.SESSION_DOMAIN) checkDomain(values.SESSION_DOMAIN, [appUrl, ...frontends]);
  checkPooler(values);
  checkPlaces(values);
  checkBackups(values);
  const production = values.NODE_ENV === 'production';
  const config: Config = {
    ...values,
    DATA_DIR: resolve(values.DATA_DIR),
    APP_URL: appUrl.origin,
    appUrlGiven: values.APP_URL !== undefined,
    FRONTEND_URL: frontends.map((url) => url.origin),
    SECURITY_CONTACT: values.SECURITY_CONTACT.map(toContact),
    DOCS: values.DOCS ?? !production,
    DATABASE_PREPARED: values.DATABASE_PREPARED ?? !values.DATABASE_POOLER,
    BACKUP_DRILL: values.BACKUP_DRILL ?? (values.BACKUP_RECIPIENT ? 'off' : 'monthly'),
    production,
  };
  if (production) checkProduction(config);
  return config;
}
