import type { Config } from '../config.ts';
import type { Run } from './runs.ts';

export type BackupSettings = Pick<Config, 'BACKUP_URL' | 'BACKUP_VERIFY' | 'BACKUP_DRILL'>;

/** The scheduled work on backups. */
export function scheduledWork({ BACKUP_URL, BACKUP_VERIFY, BACKUP_DRILL }: BackupSettings): Run['kind'][] {
  if (!BACKUP_URL) return [];
  return [
    'backup',
    ...(BACKUP_VERIFY === 'off' ? [] : (['verification'] as const)),
    ...(BACKUP_DRILL === 'off' ? [] : (['drill'] as const)),
  ];
}
