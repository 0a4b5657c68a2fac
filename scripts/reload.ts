import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../server/src/config.ts';
import { readState, supervisorTitle } from '../server/src/supervisor/state-file.ts';
import type { State } from '../server/src/supervisor/state-file.ts';
import { takeNoOptions } from './command-line.ts';

/** `tenure reload`: replaces the processes of a running service by those of the current release, and waits for it. */

const pollMilliseconds = 200;

/** Whether the process is a supervisor, and not a later process with the same id. */
function isSupervisor(pid: number): boolean {
  try {
    const command =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return command.startsWith(supervisorTitle);
  } catch {
    return false;
  }
}

async function find(dataDir: string): Promise<State> {
  const state = await readState(dataDir);
  if (state && isSupervisor(state.pid)) return state;
  throw new Error(
    `No service with several processes is running on ${dataDir}. Start one with WEB_CONCURRENCY=2 or more, ` +
      'or restart the service instead',
  );
}

/** Resolves when the reload is over. */
async function reload(dataDir: string) {
  const { pid, reloads } = await find(dataDir);
  process.kill(pid, 'SIGUSR2');
  for (;;) {
    await sleep(pollMilliseconds);
    const state = await readState(dataDir);
    if (state?.pid !== pid || !isSupervisor(pid)) throw new Error('The service stopped during the reload');
    if (state.reloads === reloads) continue;
    if (state.problem !== null)
      throw new Error(
        `Not reloaded: ${state.problem}. Replaced processes run the new release, the others continue to serve with the former one`,
      );
    return;
  }
}

takeNoOptions('reload');
try {
  await reload(readConfig().DATA_DIR);
  console.log('Reloaded');
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
