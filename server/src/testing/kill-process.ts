import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import type { TestApp } from './app.ts';

/** The application name of the connections of the process to be killed. */
const name = 'tenure-to-be-killed';

/** Starts a program of this folder on the database, kills it once `reached`, and waits for its connections to go. */
export async function killWhen(
  { database, owner }: Pick<TestApp, 'database' | 'owner'>,
  [program, ...args]: readonly [program: string, ...args: string[]],
  reached: () => Promise<boolean>,
): Promise<void> {
  const url = new URL(database.appUrl);
  url.searchParams.set('application_name', name);
  const at = (file: string) => fileURLToPath(new URL(file, import.meta.url));
  const command = ['--import', at('../../../scripts/compile-cache.mjs'), at(program), url.href, ...args];
  const child = spawn(process.execPath, command, { stdio: 'ignore' });
  const gone = once(child, 'exit');
  await vi.waitUntil(reached, { timeout: 90_000, interval: 5 });
  child.kill('SIGKILL');
  await gone;
  // what the dead process had not committed is rolled back once the server notices that its connections are gone
  await vi.waitUntil(
    async () =>
      (await owner.query('select from pg_stat_activity where application_name = $1', [name])).rows.length === 0,
    { timeout: 30_000 },
  );
}
