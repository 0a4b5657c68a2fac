import { announce } from './announce.ts';
import type { Config } from './config.ts';
import { openLog } from './logging.ts';
import type { StartOptions } from './prepare.ts';
import { sayRefused, startService } from './service.ts';
import type { Service } from './service.ts';

/** Longer than requests and jobs get to finish. */
const waitTimeout = 25_000;

/** Running work fails without its database; the log level hides those errors. */
function stopAtOnce({ database, deps: { log } }: Service) {
  log.warn({ event: 'stopped_at_once' }, 'a second signal stopped the service without waiting for requests and jobs');
  log.level = 'silent';
  void database.stop('immediate').finally(() => process.exit(1));
}

/** Lets requests and jobs finish, then ends the process. */
async function stopInOrder(service: Service, code: number) {
  const late = setTimeout(() => void service.database.stop('fast').finally(() => process.exit(code)), waitTimeout);
  try {
    await service.stop();
    clearTimeout(late);
    process.exit(code);
  } catch (error) {
    service.deps.log.error({ event: 'stop_failed', err: error }, 'the service could not shut down cleanly');
    process.exit(1);
  }
}

/**
 * The first signal stops in order, after the delay; a second one immediately. A crash, and a database that this release
 * may no longer use, stop without the delay.
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
    sayRefused(service.deps.log, error);
    process.stderr.write(`${error.message}\n`);
    return stop(1);
  });
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      service.deps.log.fatal({ event: 'crash', err: error }, event);
      stop(1);
    });
}

/** Runs the service in this process until a signal. */
export async function runService(config: Config, options: StartOptions): Promise<void> {
  const log = openLog(config);
  process.on('SIGUSR2', () =>
    log.warn(
      { event: 'reload_failed', reason: 'one process cannot replace itself' },
      'not reloaded: restart the service, or set WEB_CONCURRENCY to 2 or more',
    ),
  );
  const service = await startService(config, log, options);
  stopOnSignals(service);
  announce(log, service.address, service.firstAdmin);
}
