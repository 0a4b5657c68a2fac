import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { loadOrCreateKey } from './data-dir.ts';

/** The key for sessions and CSRF tokens as text; created in DATA_DIR if none is set. */
export async function loadAppKey({ APP_KEY, DATA_DIR }: Config, log: Logger): Promise<string> {
  if (APP_KEY) return APP_KEY;
  const { key, replaced } = await loadOrCreateKey(DATA_DIR);
  if (replaced)
    log.warn({ event: 'key_replaced' }, 'the key file was missing and was created anew: all users must sign in again');
  return key;
}
