import { lineOf, noDatabaseIn } from '../server/src/backup/refusal.ts';
import { readConfig } from '../server/src/config.ts';
import type { Config } from '../server/src/config.ts';
import { externalAddresses } from '../server/src/db/addresses.ts';
import { afterRestoreUnused } from '../server/src/db/after-restore.ts';
import { connect } from '../server/src/db/connect.ts';
import { hasCluster } from '../server/src/db/data-dir.ts';
import { startEmbedded } from '../server/src/db/embedded.ts';
import { requireTables } from '../server/src/db/open-for-command.ts';
import { openLog } from '../server/src/logging.ts';
import { takeNoOptions } from './command-line.ts';

/** `npm run after-restore`: prepares a database that another tool restored; the service must not be running. */

/** Starts the embedded database for this, which refuses a DATA_DIR in use. */
async function openDatabase(config: Config) {
  const { DATA_DIR } = config;
  const external = externalAddresses(config);
  if (external) return external;
  if (!(await hasCluster(DATA_DIR))) throw noDatabaseIn(DATA_DIR);
  return startEmbedded({ dataDir: DATA_DIR, log: openLog(config), archiveWal: config.BACKUP_WAL });
}

const roleOf = (url: string) => decodeURIComponent(new URL(url).username);

async function run() {
  const database = await openDatabase(readConfig(process.env, { LOG_LEVEL: 'warn' }));
  const { db } = connect({ url: database.ownerUrl, max: 1, queryTimeout: 3_600_000 });
  try {
    await requireTables('after-restore', database.ownerUrl);
    const roles = [...new Set([database.appUrl, database.ownerUrl].map(roleOf))];
    const { sessions, workers, tries } = await afterRestoreUnused(db, roles);
    console.log(`Sessions ended: ${sessions}. Everyone must sign in again.`);
    console.log('Audit log: the service will chain every entry without a link.');
    console.log(`Jobs, imports and mails of former workers were released; workers removed: ${workers}.`);
    console.log(`Counters of failed sign-ins deleted: ${tries}.`);
  } finally {
    await db.destroy();
    if ('stop' in database) await database.stop();
  }
}

takeNoOptions('after-restore');
await run().catch((error: unknown) => {
  console.error(lineOf(error));
  process.exitCode = 1;
});
