import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { parsed } from '../archive.ts';

/** The state of bases, in a file in DATA_DIR, which all processes of the embedded database can read. */
const state = z.object({
  /** When the last one was made; null before the first. */
  made_at: z.iso.datetime().nullable(),
  /** How many failed since, when the last of these did, and why. */
  failures: z.int(),
  failed_at: z.iso.datetime().nullable(),
  error: z.string().nullable(),
});

export type BaseState = z.output<typeof state>;

const nothing: BaseState = { made_at: null, failures: 0, failed_at: null, error: null };
const fileOf = (dataDir: string) => join(dataDir, 'base-state.json');

export async function readBaseState(dataDir: string): Promise<BaseState> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => '');
  return state.safeParse(parsed(text)).data ?? nothing;
}

async function write(dataDir: string, written: BaseState): Promise<void> {
  const draft = `${fileOf(dataDir)}.new`;
  await writeFile(draft, JSON.stringify(written), { mode: 0o600 });
  await rename(draft, fileOf(dataDir));
}

/** Records that a base was made, at a time in milliseconds. */
export const recordBase = (dataDir: string, now: number): Promise<void> =>
  write(dataDir, { ...nothing, made_at: new Date(now).toISOString() });

/** Clears failures once no base is due any more. */
export async function recordNoneDue(dataDir: string, state: BaseState): Promise<void> {
  if (state.failures > 0) await write(dataDir, { ...nothing, made_at: state.made_at });
}

/** Records that a base failed. A full disk may prevent it; the log has the error. */
export async function recordBaseFailure(dataDir: string, now: number, error: string): Promise<void> {
  const { made_at, failures } = await readBaseState(dataDir);
  const failed_at = new Date(now).toISOString();
  await write(dataDir, { made_at, failures: failures + 1, failed_at, error }).catch(() => undefined);
}

const minute = 60_000;
const longestPause = 360 * minute;

/** Milliseconds before the next try after this many: 10, 20, 40 … minutes, at most six hours. */
export const pauseAfter = (tries: number): number => Math.min(10 * minute * 2 ** (tries - 1), longestPause);

/** When a failed base is tried again, in milliseconds; undefined if none failed. */
export const nextTry = ({ failures, failed_at }: BaseState): number | undefined =>
  failed_at === null ? undefined : Date.parse(failed_at) + pauseAfter(failures);
