import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import type { TestApp } from './app.ts';

/** Lets the time run out for whoever works on an import. */
export const expireLease = ({ owner }: Pick<TestApp, 'owner'>, id: number) =>
  owner.query(`update imports set leased_until = now() - interval '1 second' where id = $1`, [id]);

/** Starts a process that works on an import and kills it as soon as `reached`. */
export async function killImportWhen(
  { deps, owner }: Pick<TestApp, 'deps' | 'owner'>,
  id: number,
  reached: () => Promise<boolean>,
): Promise<void> {
  const program = fileURLToPath(new URL('import-worker.ts', import.meta.url));
  const url = deps.pool.options.connectionString as string;
  const child = spawn(process.execPath, [program, url, String(id)], { stdio: 'ignore' });
  const gone = once(child, 'exit');
  await vi.waitUntil(reached, { timeout: 30_000, interval: 5 });
  child.kill('SIGKILL');
  await gone;
  // what the dead process had not committed is rolled back when its connections are noticed to be gone
  await vi.waitUntil(async () => {
    const { rows } = await owner.query(
      `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
    );
    return rows.length === 0;
  });
  await expireLease({ owner }, id);
}
