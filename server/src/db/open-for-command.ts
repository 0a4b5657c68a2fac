import type { Logger } from 'pino';
import { Refusal, noDatabaseIn } from '../backup/refusal.ts';
import { withConnection } from '../backup/snapshot.ts';
import type { Config } from '../config.ts';
import { externalAddresses } from './addresses.ts';
import { hasCluster } from './data-dir.ts';
import { addressesOfRunning, startEmbedded } from './embedded.ts';

type Opened = { appUrl: string; close: () => Promise<void> };

/** The configured database: external, that of a running service, or that of a stopped service, which is started. */
async function open(config: Config, log: Logger): Promise<Opened> {
  const close = async () => undefined;
  const external = externalAddresses(config);
  if (external) return { appUrl: external.directUrl, close };
  const running = await addressesOfRunning(config.DATA_DIR);
  if (running) return { ...running, close };
  if (!(await hasCluster(config.DATA_DIR))) throw noDatabaseIn(config.DATA_DIR);
  const own = await startEmbedded({ dataDir: config.DATA_DIR, log, archiveWal: config.BACKUP_WAL });
  return { appUrl: own.appUrl, close: () => own.stop() };
}

/** Refuses a database that does not answer, or that no service has ever prepared. */
export const requireTables = (work: string, url: string): Promise<void> =>
  withConnection(work, url, async (client) => {
    const { rows } = await client.query<{ found: boolean }>(`select to_regclass('installation') is not null as found`);
    if (!rows[0]?.found)
      throw new Refusal('The database has no tables of Tenure: start the service once, or correct the settings.');
  });

/**
 * For a command that works with or without a running service. Never creates a database.
 * @throws {Refusal} if there is none, or if it lacks the service's tables
 */
export async function openForCommand(work: string, config: Config, log: Logger): Promise<Opened> {
  const opened = await open(config, log);
  try {
    await requireTables(work, opened.appUrl);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}
