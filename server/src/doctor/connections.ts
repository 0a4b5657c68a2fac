import type { Config } from '../config.ts';

export type Role = Config['ROLE'];

type Settings = Pick<Config, 'DATABASE_POOL_SIZE' | 'DATABASE_POOLER' | 'METRICS_PORT'>;

/** The connections that a process opens past a pooler, or in total. */
export function neededConnections(settings: Settings, role: Role, web = 1): number {
  const { DATABASE_POOL_SIZE, DATABASE_POOLER, METRICS_PORT } = settings;
  const requests = DATABASE_POOLER ? 0 : DATABASE_POOL_SIZE + (METRICS_PORT > 0 ? 1 : 0);
  // for jobs, then for their queue
  return requests * web + (role === 'api' ? 0 : 5 + 6) + (role === 'worker' ? 0 : web);
}
