import { readConfig } from './config.ts';
import { migrateOnly } from './prepare.ts';
import { openLog, refuseStart, startService } from './service.ts';
import type { Service } from './service.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);
/** More than requests and jobs are given to end. */
const waitTimeout = 25_000;

function announce({ address, firstAdmin, deps: { log } }: Service) {
  print(`\n  Tenure is ready at ${address}\n`);
  if (!firstAdmin) return;
  const { email, password, file, warnings } = firstAdmin;
  if (file) log.info({ event: 'first_admin', file }, 'the file has the one-time password of the first administrator');
  print(`  Sign in as   ${email}`);
  if (password ?? file) {
    print(`  with         ${password ?? `the one-time password in ${file}`}`);
    print('  The password works once and for 72 hours; you choose your own after signing in.');
  }
  for (const warning of warnings) print(`  ADMIN_PASSWORD: ${warning}`);
  print('');
}

/** Running work fails without its database; the log level hides those errors. */
function stopAtOnce({ database, deps: { log } }: Service) {
  log.warn({ event: 'stopped_at_once' }, 'stopped without waiting for requests and jobs');
  log.level = 'silent';
  void database.stop('immediate').finally(() => process.exit(1));
}

/** Ends requests and jobs, then the process. */
async function stopInOrder(service: Service, code: number) {
  const late = setTimeout(() => void service.database.stop('fast').finally(() => process.exit(code)), waitTimeout);
  try {
    await service.stop();
    clearTimeout(late);
    process.exit(code);
  } catch (error) {
    service.deps.log.error({ event: 'stop_failed', err: error }, 'the service did not stop in order');
    process.exit(1);
  }
}

/** Logs the reason for operators and prints it in one line, as a refused start does. */
function tellRefused({ deps: { log } }: Service, { message }: Error) {
  log.fatal({ event: 'schema_refused', reason: message }, 'this release may not run on the database any more');
  process.stderr.write(`${message}\n`);
}

/**
 * The first signal stops in order, after the delay; a second one at once. A crash, and a database that this release may
 * not use any more, stop without delay.
 */
function stopOnSignals(service: Service) {
  let state: 'serving' | 'leaving' | 'stopping' = 'serving';
  const stop = (code: number) => {
    if (state === 'stopping') return;
    state = 'stopping';
    void stopInOrder(service, code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (state !== 'serving') return stopAtOnce(service);
      state = 'leaving';
      void service.leave().then(() => stop(0));
    });
  void service.refused.then((error) => {
    tellRefused(service, error);
    return stop(1);
  });
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      service.deps.log.fatal({ event: 'crash', err: error }, event);
      stop(1);
    });
}

/** Starts the service from the environment and prints where it is. */
async function main() {
  // oxlint-disable-next-line no-console -- the job queue prints a stack of every fault beside what it tells our log
  console.trace = () => undefined;
  try {
    const config = readConfig();
    if (config.MIGRATE === 'only') {
      for (const line of await migrateOnly(config, openLog(config))) print(line);
      return;
    }
    const service = await startService(config, openLog(config), { hasTerminal: process.stdout.isTTY });
    stopOnSignals(service);
    announce(service);
  } catch (error) {
    refuseStart(error as Error);
  }
}

await main();
