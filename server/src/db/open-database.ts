import type { Logger } from 'pino';
import { spooledBytes } from '../backup/points/spool.ts';
import { guardSpool, removeSpool } from '../backup/points/spooling.ts';
import { BadSetting } from '../config.ts';
import type { Config } from '../config.ts';
import { maxConnections } from '../process-sizes.ts';
import { externalAddresses } from './addresses.ts';
import { createDataDir } from './data-dir.ts';
import { startEmbedded } from './embedded.ts';
import { removeKeptClusters } from './kept-clusters.ts';

export type Addresses = {
  appUrl: string;
  ownerUrl: string;
  /** Bypasses a pooler, for what needs its own connection; `appUrl` if there is no pooler. */
  directUrl: string;
};

export type Database = Addresses & {
  stop: (mode?: 'fast' | 'immediate') => Promise<void>;
};

/** Drops the WAL that a service with BACKUP_WAL did not send, once one starts without it. */
export async function dropSpool({ BACKUP_WAL, DATA_DIR }: Config, log: Logger): Promise<void> {
  const bytes = BACKUP_WAL ? 0 : await spooledBytes(DATA_DIR);
  if (bytes === 0) return;
  await removeSpool(DATA_DIR).then(
    () => log.warn({ event: 'wal_spool_removed', bytes }, 'BACKUP_WAL is off: unsent WAL was removed'),
    (error: unknown) =>
      log.error(
        { event: 'wal_spool_left', err: error },
        'unsent WAL could not be removed: delete wal-spool in DATA_DIR',
      ),
  );
}

/** The external database, or the embedded one, which is started and locks DATA_DIR for this process. */
export async function openDatabase(config: Config, log: Logger): Promise<Database> {
  const external = externalAddresses(config);
  if (external) {
    // the file with the first password may be written before anything else
    await createDataDir(config.DATA_DIR);
    // kept from before a move; another process may be removing them too
    await removeKeptClusters(config.DATA_DIR, log).catch(() => undefined);
    return { ...external, stop: async () => undefined };
  }
  if (config.BACKUP_WAL && config.ROLE === 'api')
    throw new BadSetting('BACKUP_WAL: needs a process that runs jobs: set ROLE=all, or BACKUP_WAL=off');
  const settings = { max_connections: maxConnections(config.processes, config.DATABASE_POOL_SIZE) };
  const embedded = await startEmbedded({ dataDir: config.DATA_DIR, log, settings, archiveWal: config.BACKUP_WAL });
  await removeKeptClusters(config.DATA_DIR, log);
  const guard = config.BACKUP_WAL ? guardSpool(config, log) : undefined;
  const stop: Database['stop'] = async (mode) => {
    await guard?.stop();
    await embedded.stop(mode);
  };
  return { ...embedded, directUrl: embedded.appUrl, stop };
}
