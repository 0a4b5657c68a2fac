import { readConfig } from '../config.ts';
import type { FirstAdmin } from '../features/sessions/first-admin.ts';
import { readiness } from '../http/health.ts';
import type { Sampled } from '../http/metrics.ts';
import { openLog } from '../logging.ts';
import { prepareDatabase } from '../prepare.ts';
import { ownRelease } from '../releases/release.ts';
import { sayRefused, serve } from '../service.ts';
import type { Questions, Start } from './messages.ts';

/** Longer than requests and jobs get to finish. */
const waitTimeout = 25_000;

export type Work = {
  release: string;
  firstAdmin: FirstAdmin | undefined;
  ask: <What extends keyof Questions>(what: What) => Promise<Questions[What]>;
  /** Becomes unready and keeps serving. */
  leave: () => void;
  /** False if it did not stop in order. May be called again. */
  stop: (idleMilliseconds: number) => Promise<boolean>;
  /** Resolves when this release may no longer run on the database; it must stop then. */
  refused: Promise<unknown>;
  supervisorLost: () => void;
  crashed: (event: string, error: unknown) => void;
};

const nothing: Omit<Work, 'release' | 'firstAdmin'> = {
  ask: async () => [] as never,
  leave: () => undefined,
  stop: async () => true,
  refused: Promise.race([]),
  supervisorLost: () => undefined,
  crashed: () => undefined,
};

const late = (milliseconds: number) =>
  new Promise<boolean>((resolve) => void setTimeout(() => resolve(false), milliseconds).unref());

/**
 * Does what a process of the service was started for, until it is stopped; preparing the database is done immediately.
 * @throws {BadSetting} or an Error with one line for the operator
 */
export async function startWork(
  { name, role, settings, addresses, hasTerminal, isAlone, lostWorkers }: Start,
  onWorker: (name: string) => void,
): Promise<Work> {
  const config = readConfig(settings);
  const release = (await ownRelease()).name;
  if (role === 'prepare')
    return { ...nothing, release, firstAdmin: await prepareDatabase(config, addresses, { hasTerminal, isAlone }) };
  const log = openLog(config).child({ process: name });
  const served = await serve(config, log, addresses, { lostWorkers, onWorker });
  const { metrics } = served.deps;
  const answers: { [What in keyof Questions]: () => Promise<Questions[What]> } = {
    health: readiness(served.deps),
    metrics: (): Promise<Sampled[]> => metrics.ofProcess(),
    figures: (): Promise<Sampled[]> => metrics.ofDatabase(),
  };
  let stopping: Promise<boolean> | undefined;
  const stop = (idleMilliseconds: number) =>
    served.stop(idleMilliseconds).then(
      () => true,
      (error: unknown) => {
        log.error({ event: 'stop_failed', err: error }, 'the process could not shut down cleanly');
        return false;
      },
    );
  return {
    release,
    firstAdmin: undefined,
    ask: (what) => answers[what](),
    leave: () => void served.leave(),
    stop: (idleMilliseconds) => (stopping ??= Promise.race([stop(idleMilliseconds), late(waitTimeout)])),
    refused: served.refused.then((error) => sayRefused(log, error)),
    supervisorLost: () => log.error({ event: 'supervisor_lost' }, 'the supervisor was killed: this process stops'),
    crashed: (event, error) => log.fatal({ event: 'crash', err: error }, event),
  };
}
