import { mkdir } from 'node:fs/promises';
import type { Logger } from 'pino';
import { removeSpool } from '../backup/points/spooling.ts';
import { BadSetting } from '../config.ts';
import type { Config } from '../config.ts';
import { maxConnections } from '../process-sizes.ts';
import { externalAddresses } from './addresses.ts';
import { startEmbedded } from './embedded.ts';
import { removeKeptClusters } from './kept-clusters.ts';

export type Addresses = {
  appUrl: string;
  ownerUrl: string;
  /** Past a pooler, for what needs a connection of its own; `appUrl` where there is none. */
  directUrl: string;
};

export type Database = Addresses & {
  stop: (mode?: 'fast' | 'immediate') => Promise<void>;
};

/** The external database, or the embedded one, which is started and keeps DATA_DIR for this process. */
export async function openDatabase(config: Config, log: Logger): Promise<Database> {
  const external = externalAddresses(config);
  if (external) {
    // the file of the first password may be the first one there
    await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 });
    return { ...external, stop: async () => undefined };
  }
  if (config.BACKUP_WAL && config.ROLE === 'api')
    throw new BadSetting('BACKUP_WAL: needs a process for jobs, which ROLE=api has not');
  const settings = { max_connections: maxConnections(config.processes, config.DATABASE_POOL_SIZE) };
  const embedded = await startEmbedded({ dataDir: config.DATA_DIR, log, settings, archiveWal: config.BACKUP_WAL });
  // what was left of an earlier one
  if (!config.BACKUP_WAL) await removeSpool(config.DATA_DIR);
  await removeKeptClusters(config.DATA_DIR, log);
  return { ...embedded, directUrl: embedded.appUrl };
}
