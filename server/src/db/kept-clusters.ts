import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';

const keptDays = 7;
const keptName = /^postgres-\d+\.kept$/;

/** The folder in DATA_DIR that keeps a cluster from before its upgrade. */
export const keptClusterOf = (major: number) => `postgres-${major}.kept`;

/** Removes clusters upgraded a week ago: their folders last changed when their server stopped for the upgrade. */
export async function removeKeptClusters(dataDir: string, log: Pick<Logger, 'info'>): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const path = join(dataDir, name);
    if (!keptName.test(name) || (await stat(path)).mtimeMs > Date.now() - keptDays * 86_400_000) continue;
    // this must not fail a start: the next one retries
    const isRemoved = await rm(path, { recursive: true }).then(
      () => true,
      () => false,
    );
    if (isRemoved)
      log.info(
        { event: 'kept_database_removed', folder: path },
        'the database from before an upgrade of PostgreSQL was removed',
      );
  }
}
