import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';

/** What `tenure reload` knows about the supervisor of a DATA_DIR on this machine. */

/** The title of the process in system listings: a process id alone may belong to another process. */
export const supervisorTitle = 'tenure supervisor';

const state = z.object({
  pid: z.int().positive(),
  /** The number of completed reloads, and what went wrong in the last one. */
  reloads: z.int(),
  problem: z.string().nullable(),
});

export type State = z.output<typeof state>;

/** Named by host, because machines may share DATA_DIR. */
const fileOf = (dataDir: string) => join(dataDir, `supervisor.${hostname()}.json`);

/** The state of the supervisor that wrote last; undefined if there is none. */
export async function readState(dataDir: string): Promise<State | undefined> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : state.parse(JSON.parse(text));
}

/** Writes the state so that it is never seen half-written. */
export async function writeState(dataDir: string, written: State): Promise<void> {
  const draft = `${fileOf(dataDir)}.${written.pid}`;
  await writeFile(draft, `${JSON.stringify(written)}\n`, { mode: 0o600 });
  await rename(draft, fileOf(dataDir));
}

/** Removes the state, unless it belongs to another supervisor by now. */
export async function removeState(dataDir: string, pid: number): Promise<void> {
  if ((await readState(dataDir))?.pid === pid) await rm(fileOf(dataDir), { force: true });
}
