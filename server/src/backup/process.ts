import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runtimeEnvironment } from '../config.ts';
import type { Config } from '../config.ts';
import { Refusal } from './refusal.ts';

const programOf = (command: 'backup' | 'restore') =>
  fileURLToPath(new URL(`../../../scripts/${command}.ts`, import.meta.url));

const textOf = (stream: Readable | null) => (stream ? text(stream) : '');

/** The settings that the commands read. */
function environmentOf(config: Config): Record<string, string> {
  const { DATA_DIR, APP_KEY, APP_PREVIOUS_KEYS, DATABASE_URL, DATABASE_MIGRATION_URL } = config;
  const { STORAGE_URL, STORAGE_FALLBACK_URL, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config;
  const { DATABASE_DIRECT_URL, DATABASE_BACKUP_URL, BACKUP_URL, BACKUP_KEEP, BACKUP_RECIPIENT, BACKUP_PASSPHRASE } =
    config;
  const settings = {
    DATA_DIR,
    STORAGE_URL,
    STORAGE_FALLBACK_URL,
    S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY,
    AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: config.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI,
    AWS_CONTAINER_CREDENTIALS_FULL_URI: config.AWS_CONTAINER_CREDENTIALS_FULL_URI,
    AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: config.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE,
    APP_KEY,
    APP_PREVIOUS_KEYS: APP_PREVIOUS_KEYS.join(','),
    DATABASE_URL,
    DATABASE_MIGRATION_URL,
    DATABASE_DIRECT_URL,
    DATABASE_BACKUP_URL,
    BACKUP_URL,
    BACKUP_KEEP,
    BACKUP_RECIPIENT,
    BACKUP_PASSPHRASE,
    BACKUP_WAL: config.BACKUP_WAL ? 'on' : 'off',
    DISK_RESERVE_MB: String(config.DISK_RESERVE_MB),
  };
  return Object.fromEntries(Object.entries(settings).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

/**
 * Runs a command in its own process, because encryption blocks the processor for up to a tenth of a second at a time,
 * and requests would wait.
 * @throws {Refusal} with the command's message
 */
export async function runCommand(
  config: Config,
  command: 'backup' | 'restore',
  args: readonly string[] = [],
): Promise<Record<string, unknown>> {
  const child = spawn(process.execPath, [programOf(command), ...args, '--json'], {
    env: { ...runtimeEnvironment(), ...environmentOf(config) },
    // closing the channel ends the command together with this process
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const closed = once(child, 'close');
  const [out, err] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const [code, signal] = (await closed) as [number | null, string | null];
  if (code === 0) return JSON.parse(out) as Record<string, unknown>;
  throw new Refusal(err.trim().split('\n').at(-1) || `The ${command} ended with ${signal ?? `exit code ${code}`}.`);
}
