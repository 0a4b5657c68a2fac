import { print } from './announce.ts';
import type { Logger } from 'pino';
import { misspelt, readConfig } from './config.ts';
import type { Config } from './config.ts';
import { refuseUnknownHosts } from './http/refuse-hosts.ts';
import { logTo, openLog, refuseStart } from './logging.ts';

/** A worker has no web processes, so there is nothing to supervise. */
const isSupervised = ({ processes, ROLE }: Config) => processes > 1 && ROLE !== 'worker';

/** A misspelt name does not stop the start, but may explain why it is refused. */
function warnOfMisspelt(log: Logger) {
  for (const { name, nearest } of misspelt())
    log.warn({ event: 'unknown_setting', name, nearest }, 'there is no setting of this name, so it has no effect');
}

function readSettings(): Config {
  try {
    const config = readConfig();
    warnOfMisspelt(openLog(config));
    return config;
  } catch (error) {
    warnOfMisspelt(logTo('info'));
    throw error;
  }
}

/** Starts the service from the environment and prints its address. Each mode loads only what it needs. */
async function main() {
  // oxlint-disable-next-line no-console -- the job queue prints a stack of every fault beside what it tells our log
  console.trace = () => undefined;
  try {
    const config = readSettings();
    const options = { hasTerminal: process.stdout.isTTY };
    if (config.MIGRATE === 'only') {
      const { migrateOnly } = await import('./prepare.ts');
      for (const line of await migrateOnly(config, openLog(config))) print(line);
      return;
    }
    await refuseUnknownHosts(config);
    if (isSupervised(config)) {
      const { superviseService } = await import('./supervisor/run.ts');
      return await superviseService(options);
    }
    const { runService } = await import('./run-service.ts');
    await runService(config, options);
  } catch (error) {
    refuseStart(error as Error);
  }
}

await main();
