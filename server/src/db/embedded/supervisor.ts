import { setTimeout as sleep } from 'node:timers/promises';
import { endOrphans } from './processes.ts';
import { type Server, type ServerPlan, startServer, type StopMode } from './server.ts';

const FIRST_DELAY_MS = 200;
const LAST_DELAY_MS = 5000;
const STEADY_MS = 10_000;

export interface Events {
  onDown: (reason: string) => void;
  onUp: () => void;
  onFailedStart: (error: Error) => void;
}

export interface Supervisor {
  pid(): number;
  stop(mode?: StopMode): Promise<void>;
}

/** Starts the server and restarts it whenever it ends, until `stop`. Throws if the first start fails. */
export async function supervise(plan: ServerPlan, events: Events): Promise<Supervisor> {
  const ending = new AbortController();
  const { signal } = ending;
  let server: Server = await startServer({ ...plan, signal });

  const keptRunning = (async () => {
    let delay = FIRST_DELAY_MS;
    for (;;) {
      const since = performance.now();
      const reason = await server.exited;
      if (signal.aborted) return;
      events.onDown(reason);
      if (performance.now() - since > STEADY_MS) delay = FIRST_DELAY_MS;
      let next: Server | undefined;
      while (!next) {
        await sleep(delay, undefined, { signal }).catch(() => {});
        if (signal.aborted) return;
        next = await restart({ ...plan, signal }, events);
        delay = Math.min(delay * 2, LAST_DELAY_MS);
      }
      server = next;
      if (!signal.aborted) events.onUp();
    }
  })();

  const stop = async (mode: StopMode = 'fast'): Promise<void> => {
    ending.abort();
    if (mode === 'immediate') await server.stop(mode);
    await keptRunning;
  };
  return { pid: () => server.pid, stop };
}

async function restart(plan: ServerPlan, events: Events): Promise<Server | undefined> {
  try {
    await endOrphans(plan.cluster);
    return await startServer(plan);
  } catch (error) {
    if (!plan.signal?.aborted) events.onFailedStart(error as Error);
    return undefined;
  }
}
