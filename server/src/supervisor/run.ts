import { announce } from '../announce.ts';
import { openLog } from '../logging.ts';
import { supervisorTitle } from './state-file.ts';
import { startSupervisor } from './supervisor.ts';
import type { Supervisor, SupervisorOptions } from './supervisor.ts';

/** The first signal stops in order, after the delay; a second one immediately. A crash stops without the delay. */
function stopOnSignals(supervisor: Supervisor) {
  const log = openLog(supervisor.config);
  let state: 'serving' | 'leaving' | 'stopping' = 'serving';
  let isAtOnce = false;
  async function stop(code: number) {
    if (state === 'stopping') return;
    state = 'stopping';
    try {
      await supervisor.stop();
      // a second signal exits with its own code
      if (!isAtOnce) process.exit(code);
    } catch (error) {
      log.error({ event: 'stop_failed', err: error }, 'the service could not shut down cleanly');
      process.exit(1);
    }
  }
  function stopAtOnce() {
    isAtOnce = true;
    log.warn({ event: 'stopped_at_once' }, 'a second signal stopped the service without waiting for requests and jobs');
    void supervisor.stop('immediate').finally(() => process.exit(1));
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (state !== 'serving') return stopAtOnce();
      state = 'leaving';
      void supervisor.leave().then(() => stop(0));
    });
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      log.fatal({ event: 'crash', err: error }, event);
      void stop(1);
    });
}

/** Runs the service in several processes until a signal. */
export async function superviseService(options: SupervisorOptions): Promise<void> {
  process.title = supervisorTitle;
  let supervisor: Supervisor | undefined;
  // one that arrives during the start would end the process
  process.on('SIGUSR2', () => supervisor?.reload());
  supervisor = await startSupervisor(options);
  stopOnSignals(supervisor);
  const { config, firstAdmin } = supervisor;
  announce(openLog(config), config.APP_URL, firstAdmin);
}
