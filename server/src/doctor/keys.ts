import { stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { isLoopback } from '../loopback.ts';
import type { Config } from '../config.ts';
import { readKey } from '../backup/source.ts';
import { hasCluster } from '../db/data-dir.ts';
import { fail, ok, warn } from './finding.ts';
import type { Finding } from './finding.ts';
import { unreachable } from './reach.ts';

/** Files of DATA_DIR that contain secrets. */
const secretFiles = ['app.key', 'database.json', 'first-admin'] as const;
const firstPasswordHours = 72;

type Files = Partial<Record<(typeof secretFiles)[number], Stats>>;

async function filesIn(dataDir: string): Promise<Files> {
  const found: Files = {};
  for (const name of secretFiles) {
    const stats = await stat(join(dataDir, name)).catch(() => undefined);
    if (stats) found[name] = stats;
  }
  return found;
}

function checkModes(files: Files): Finding {
  const open = Object.entries(files).filter(([, { mode }]) => (mode & 0o077) !== 0);
  const names = open.map(([name]) => name).join(' ');
  return names === ''
    ? ok('keys', 'Only the service can read the keys and passwords in DATA_DIR')
    : warn(
        'keys',
        `Other users can read ${names} in DATA_DIR`,
        `Run chmod 600 ${names}, and replace keys and passwords that others may have read.`,
      );
}

type KeySettings = Pick<Config, 'APP_KEY' | 'DATABASE_URL' | 'DATA_DIR'>;

/** A service with a damaged key does not start. */
async function checkKey(settings: KeySettings): Promise<Finding[]> {
  try {
    await readKey(settings);
    return [];
  } catch (error) {
    const { what, remedy } = unreachable(error, 'DATA_DIR');
    return [fail('keys', what, remedy)];
  }
}

/** Keys and passwords in DATA_DIR: whether they exist and are usable, and who can read them. */
export async function checkKeys({ APP_KEY, DATABASE_URL, DATA_DIR }: KeySettings, now: number): Promise<Finding[]> {
  const files = await filesIn(DATA_DIR);
  const findings = [checkModes(files), ...(await checkKey({ APP_KEY, DATABASE_URL, DATA_DIR }))];
  if (!APP_KEY && !DATABASE_URL && !files['app.key'] && (await hasCluster(DATA_DIR)))
    findings.push(
      warn(
        'keys',
        'app.key is missing in DATA_DIR',
        'Put a copy of it back before the next start; otherwise the start creates a new key, and all users must sign in again.',
      ),
    );
  const first = files['first-admin'];
  if (first && now - first.mtimeMs > firstPasswordHours * 3_600_000)
    findings.push(
      warn(
        'first-admin',
        'The one-time password of the first administrator was not used in time',
        'If there is no other administrator, start again with an empty database.',
      ),
    );
  return findings;
}

/** Settings that work but are unsafe. */
export function checkSafety({ production, ALLOW_INSECURE_HTTP, APP_URL }: Config): Finding {
  const { protocol, hostname } = new URL(APP_URL);
  const used = ok('settings', `All settings are valid${production ? ' for production' : ''}`);
  if (!production || !ALLOW_INSECURE_HTTP || protocol === 'https:' || isLoopback(hostname)) return used;
  return warn(
    'settings',
    'APP_URL is not https, so others on the network can read passwords and cookies',
    'Put a TLS proxy in front of the service, and remove ALLOW_INSECURE_HTTP.',
  );
}
