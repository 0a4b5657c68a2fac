import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { folderOf } from './backup/archive.ts';
import { parseKeep } from './backup/keep.ts';
import { parseKey } from './crypto/keys.ts';
import { placeOf, s3AddressOf } from './files/places.ts';
import { isLoopback } from './loopback.ts';
import { misspeltSettings } from './misspelt-settings.ts';
import type { Misspelt } from './misspelt-settings.ts';
import { autoProcesses, poolSize } from './process-sizes.ts';
import { isS3 } from './s3/address.ts';
import { problemOf, settings } from './settings.ts';
import type { Settings } from './settings.ts';
import { usableMemory } from './usable-memory.ts';
import { usableProcessors } from './usable-processors.ts';
import { withoutPassword } from './without-password.ts';

/** The only reader of the environment. Every setting may also come from a file named by NAME_FILE. */

/** Names of all settings. */
export const settingNames = Object.keys(settings.shape);

export class BadSetting extends Error {}
const bad = (text: string): never => {
  throw new BadSetting(text);
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The content of the file that NAME_FILE names, which is how containers and service managers pass secrets. */
function readFromFile(name: string, path: string): string {
  let value: string;
  try {
    value = readFileSync(path, 'utf8').trim();
  } catch (error) {
    return bad(`${name}_FILE: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  // as an unset one it would let backups go without their passphrase, and begin a database beside the one that is meant
  return value || bad(`${name}_FILE: ${path} is empty: write the value into the file, or leave ${name}_FILE out`);
}

function readSettings(env: Environment, defaults: Environment) {
  const values: Record<string, string> = {};
  for (const name of settingNames) {
    const [own, file] = [env[name], env[`${name}_FILE`]];
    if (own && file) bad(`${name}: set this or ${name}_FILE, not both`);
    const value = ((file ? readFromFile(name, file) : own) ?? '').trim() || defaults[name];
    const problem = value && problemOf(name, value);
    if (problem) bad(`${name}: ${problem}`);
    if (value) values[name] = value;
  }
  const parsed = settings.safeParse(values);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return bad(`${String(issue?.path[0])}: ${issue?.message}`);
}

function parseOrigin(name: string, value: string): URL {
  const url = URL.canParse(value)
    ? new URL(value)
    : bad(`${name}: ${withoutPassword(value)} is not a URL: give one such as https://hr.example.com`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') bad(`${name}: give an http or https address`);
  if (url.pathname !== '/' || url.search || url.hash || url.username || url.password || value.includes('*'))
    bad(`${name}: give scheme, host and port only`);
  return url;
}

function checkCidr(name: 'TRUST_PROXY' | 'EGRESS_ALLOW', cidr: string, all: string) {
  const [address = '', bits, ...rest] = cidr.split('/');
  const size = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : 0;
  if (size === 0 || rest.length > 0 || (bits !== undefined && !(/^[0-9]+$/.test(bits) && Number(bits) <= size)))
    bad(`${name}: ${cidr} is not an address or CIDR range: give one such as 10.0.0.0/8`);
  if (Number(bits) === 0) bad(`${name}: the range ${cidr} contains all addresses and would ${all}: give a smaller one`);
}

function checkProxy(value: string) {
  const url = URL.canParse(value) ? new URL(value) : bad('EGRESS_PROXY: is not a URL: give http://host:port');
  if (url.protocol !== 'http:' || url.pathname !== '/' || url.search || url.hash)
    bad('EGRESS_PROXY: give http://host:port, with user and password if the proxy requires them');
}

function checkDomain(domain: string, urls: readonly URL[]) {
  const bare = domain.replace(/^\./, '');
  if (!bare.includes('.')) bad('SESSION_DOMAIN: give a domain with a dot, such as example.com');
  for (const url of urls)
    if (url.hostname !== bare && !url.hostname.endsWith(`.${bare}`))
      bad(`SESSION_DOMAIN: ${bare} is not a parent domain of ${url.hostname} (APP_URL, FRONTEND_URL)`);
}

/** A contact as RFC 9116 requires it; an email address needs no `mailto:`. */
function toContact(value: string): string {
  const contact = /^[^@\s:/]+@[^@\s:/]+$/.test(value) ? `mailto:${value}` : value;
  if (!/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+|tel:\+?[0-9-]+)$/.test(contact))
    bad('SECURITY_CONTACT: give mail addresses, or addresses that begin with mailto:, https: or tel:');
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
  if (config.DATABASE_URL && !config.APP_KEY)
    bad('APP_KEY: required in production with DATABASE_URL: give 32 random bytes in base64');
  if (!config.appUrlGiven) bad('APP_URL: required in production: give the public https address');
  if (url.protocol !== 'https:' && !isLoopback(url.hostname) && !config.ALLOW_INSECURE_HTTP)
    bad('APP_URL: must be https in production, or set ALLOW_INSECURE_HTTP=on in a closed network');
  if (config.DATABASE_URL) {
    const database = new URL(config.DATABASE_URL);
    const password = decodeURIComponent(database.password);
    if (!isLoopback(database.hostname) || password !== '')
      if (weakPasswords.includes(password.toLowerCase()) || password === decodeURIComponent(database.username))
        bad('DATABASE_URL: the password is easy to guess: choose another one');
  }
}

/** What bypasses a pooler because it cannot go through it: LISTEN, and long jobs. */
function checkPooler({ DATABASE_POOLER, DATABASE_URL, DATABASE_DIRECT_URL }: Settings) {
  if (!DATABASE_POOLER) return;
  if (!DATABASE_URL) bad('DATABASE_POOLER: needs DATABASE_URL, the address of the pooler');
  if (!DATABASE_DIRECT_URL)
    bad('DATABASE_DIRECT_URL: required with DATABASE_POOLER=on: give an address that bypasses the pooler');
}

/** Parses an address of files or backups and checks what can be checked offline. */
function checkPlace<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    return bad(`${name}: ${(error as Error).message}`);
  }
}

/** Half a pair is a mistake, even beside addresses with their own keys. */
function checkKeyPair({ S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }: Settings) {
  if (S3_ACCESS_KEY_ID && !S3_SECRET_ACCESS_KEY) bad('S3_SECRET_ACCESS_KEY: set it too, or leave out S3_ACCESS_KEY_ID');
  if (S3_SECRET_ACCESS_KEY && !S3_ACCESS_KEY_ID) bad('S3_ACCESS_KEY_ID: set it too, or leave out S3_SECRET_ACCESS_KEY');
}

function checkPlaces(values: Settings) {
  const { STORAGE_URL, STORAGE_FALLBACK_URL, BACKUP_URL } = values;
  const kept = checkPlace('STORAGE_URL', () => placeOf(STORAGE_URL, values));
  if (STORAGE_FALLBACK_URL !== undefined) {
    const fallback = checkPlace('STORAGE_FALLBACK_URL', () => placeOf(STORAGE_FALLBACK_URL, values));
    if (fallback.name === kept.name) bad('STORAGE_FALLBACK_URL: is the same place as STORAGE_URL: leave it out');
  }
  if (BACKUP_URL === undefined) return;
  if (isS3(BACKUP_URL)) return void checkPlace('BACKUP_URL', () => s3AddressOf(BACKUP_URL, values));
  const folder = checkPlace('BACKUP_URL', () => folderOf(BACKUP_URL));
  // the service, its jobs and the commands may run in different folders
  if (!isAbsolute(folder)) bad('BACKUP_URL: give an absolute path such as /mnt/backups, or s3://bucket/prefix');
}

/** Points in time need the embedded database; other servers have their own tools. */
function checkWal({ BACKUP_WAL, BACKUP_URL, DATABASE_URL }: Settings) {
  if (!BACKUP_WAL) return;
  if (DATABASE_URL)
    bad(
      'BACKUP_WAL: works with the embedded database only; use pgBackRest or Barman for the one of DATABASE_URL (docs/backup.md)',
    );
  if (!BACKUP_URL) bad('BACKUP_WAL: needs BACKUP_URL, the archive that WAL is sent to');
}

function checkBackups({ BACKUP_KEEP, BACKUP_RECIPIENT, BACKUP_PASSPHRASE, BACKUP_DRILL }: Settings) {
  if (!parseKeep(BACKUP_KEEP)) bad('BACKUP_KEEP: give numbers of days, weeks and months, for example 7d 4w 3m');
  if (!BACKUP_RECIPIENT) return;
  if (BACKUP_PASSPHRASE) bad('BACKUP_PASSPHRASE: set this or BACKUP_RECIPIENT, not both');
  if (BACKUP_DRILL === 'monthly')
    bad(
      'BACKUP_DRILL: this machine cannot read backups made for BACKUP_RECIPIENT; ' +
        'run the command restore --check --identity FILE on the machine that has the identity',
    );
}

/** Otherwise users would be promised a link that is never sent. */
function checkResets({ PASSWORD_RESET_BY_MAIL, SMTP_URL }: Settings) {
  if (PASSWORD_RESET_BY_MAIL && !SMTP_URL) bad('PASSWORD_RESET_BY_MAIL: needs SMTP_URL to send the links by mail');
}

type Derived =
  | 'APP_URL'
  | 'FRONTEND_URL'
  | 'DOCS'
  | 'DATABASE_POOL_SIZE'
  | 'DATABASE_PREPARED'
  | 'BACKUP_DRILL'
  | 'WEB_CONCURRENCY';

export type Config = Omit<Settings, Derived> & {
  APP_URL: string;
  /** True if the address was set and not derived from PORT. */
  appUrlGiven: boolean;
  FRONTEND_URL: string[];
  DOCS: boolean;
  DATABASE_POOL_SIZE: number;
  DATABASE_PREPARED: boolean;
  BACKUP_DRILL: 'monthly' | 'off';
  production: boolean;
  /** Web processes on this machine. */
  processes: number;
};

const processesOf = ({ WEB_CONCURRENCY, DATABASE_URL }: Settings) =>
  WEB_CONCURRENCY === 'auto'
    ? autoProcesses({ processors: usableProcessors(), memory: usableMemory(), hasDatabase: !DATABASE_URL })
    : WEB_CONCURRENCY;

/** What a program started with the same Node needs from this process's environment: the library path. */
export const runtimeEnvironment = ({ LD_LIBRARY_PATH }: Environment = process.env): Record<string, string> =>
  LD_LIBRARY_PATH ? { LD_LIBRARY_PATH } : {};

/**
 * Reads and checks all settings. `defaults` are those of a command, used if neither NAME nor NAME_FILE has a value.
 * @throws {BadSetting} with one line that names the setting
 */
export function readConfig(env: Environment = process.env, defaults: Environment = {}): Config {
  const values = readSettings(env, defaults);
  const appUrl = parseOrigin('APP_URL', values.APP_URL ?? `http://localhost:${values.PORT}`);
  const frontends = (values.FRONTEND_URL ?? [appUrl.origin]).map((url) => parseOrigin('FRONTEND_URL', url));
  for (const cidr of values.TRUST_PROXY) checkCidr('TRUST_PROXY', cidr, 'trust every client');
  for (const cidr of values.EGRESS_ALLOW) checkCidr('EGRESS_ALLOW', cidr, 'open every network behind the firewall');
  if (values.EGRESS_PROXY !== undefined) checkProxy(values.EGRESS_PROXY);
  if (values.APP_KEY) checkKey('APP_KEY', values.APP_KEY);
  for (const key of values.APP_PREVIOUS_KEYS) checkKey('APP_PREVIOUS_KEYS', key);
  if (values.SESSION_DOMAIN) checkDomain(values.SESSION_DOMAIN, [appUrl, ...frontends]);
  checkPooler(values);
  checkKeyPair(values);
  checkPlaces(values);
  checkBackups(values);
  checkWal(values);
  checkResets(values);
  const production = values.NODE_ENV === 'production';
  const { WEB_CONCURRENCY: _given, ...rest } = values;
  const processes = processesOf(values);
  const config: Config = {
    ...rest,
    DATA_DIR: resolve(values.DATA_DIR),
    APP_URL: appUrl.origin,
    appUrlGiven: values.APP_URL !== undefined,
    FRONTEND_URL: frontends.map((url) => url.origin),
    SECURITY_CONTACT: values.SECURITY_CONTACT.map(toContact),
    DOCS: values.DOCS ?? !production,
    DATABASE_POOL_SIZE: values.DATABASE_POOL_SIZE ?? poolSize(processes),
    DATABASE_PREPARED: values.DATABASE_PREPARED ?? !values.DATABASE_POOLER,
    BACKUP_DRILL: values.BACKUP_DRILL ?? (values.BACKUP_RECIPIENT ? 'off' : 'monthly'),
    production,
    processes,
  };
  if (production) checkProduction(config);
  return config;
}

/** Names in the environment that look like a setting but are none. */
export const misspelt = (env: Environment = process.env): Misspelt[] => misspeltSettings(env);

/** The folder that the release was started from, possibly a link to the current release; `bin/tenure` sets it. */
export const startedFrom = ({ TENURE_HOME }: Environment = process.env): string | undefined => TENURE_HOME;

/**
 * The environment for child processes, which get the settings by message and none from the system. Files are read here,
 * once for all processes, because one that starts later must not get content that has changed since.
 * @throws {BadSetting} for an unreadable file
 */
export function separateSettings(env: Environment = process.env): {
  settings: Record<string, string>;
  withoutSettings: Record<string, undefined>;
} {
  const names = settingNames.flatMap((name) => [name, `${name}_FILE`]).filter((name) => name !== 'NODE_ENV');
  // includes those that only a later release knows
  const settings = changeSettings({}, env);
  for (const name of settingNames) {
    const { [name]: own, [`${name}_FILE`]: file } = settings;
    // setting both is refused when the settings are read
    if (!file || own) continue;
    settings[name] = readFromFile(name, file);
    delete settings[`${name}_FILE`];
  }
  return {
    settings,
    withoutSettings: Object.fromEntries(names.map((name) => [name, undefined])),
  };
}

/** Settings with some replaced or added; undefined unsets one. */
export function changeSettings(
  settings: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const changed = new Set(Object.keys(changes).flatMap((name) => [name, `${name}_FILE`]));
  const all = [...Object.entries(settings).filter(([name]) => !changed.has(name)), ...Object.entries(changes)];
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
