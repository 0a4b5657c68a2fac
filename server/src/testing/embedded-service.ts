import { pino } from 'pino';
import { startEmbedded } from '../db/embedded.ts';

/** The smallest service with an embedded database, for tests that kill one: `node embedded-service.ts <data dir>`. */

const database = await startEmbedded({ dataDir: process.argv[2] ?? '', log: pino({ level: 'silent' }) });

const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
for (const name of signals) {
  process.on(name, () => {
    void database.stop().then(() => process.exit(0));
  });
}
process.stdout.write(
  `${JSON.stringify({ appUrl: database.appUrl, ownerUrl: database.ownerUrl, pid: database.pid() })}\n`,
);
