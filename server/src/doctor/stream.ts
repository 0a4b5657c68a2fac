import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { keyRing, parseKey } from '../crypto/keys.ts';
import type { KeyRing } from '../crypto/keys.ts';
import { signProbe } from '../crypto/probe.ts';
import { probeEvent, probeHeader } from '../http/stream-probe.ts';
import { ok, warn } from './finding.ts';
import type { Finding } from './finding.ts';

const maxMilliseconds = 2_000;

/** The service's keys; undefined if none can be read, which other checks report. */
async function ringOf({ APP_KEY, DATA_DIR }: Config): Promise<KeyRing | undefined> {
  const text = APP_KEY ?? (await readFile(join(DATA_DIR, 'app.key'), 'utf8').catch(() => ''));
  try {
    return keyRing(parseKey(text.trim()));
  } catch {
    return undefined;
  }
}

/** Milliseconds until the first event; undefined if the response ends without one. */
async function untilEvent({ body }: Response, begun: number): Promise<number | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.includes(`event: ${probeEvent}\n`)) return Math.round(performance.now() - begun);
  }
  return undefined;
}

const late = warn(
  'stream',
  `An event does not reach an open page within ${maxMilliseconds / 1_000} s: the proxy buffers the response`,
  'Let the proxy forward /api/notifications/stream without buffering; "Open pages" in docs/operations.md has its settings.',
);

function unanswered(status: number): Finding {
  if (status === 401)
    return warn(
      'stream',
      'The service does not accept the key of these settings, so live updates could not be checked',
      'Run the doctor with the settings of the service; after an upgrade, restart the service first.',
    );
  return warn(
    'stream',
    `A request for live updates was answered with ${status}, but not by the service`,
    'Let the proxy forward every path to the service.',
  );
}

/** How long an event takes from the service to an open page, through every proxy in between. */
export async function checkStream(config: Config, now: number): Promise<Finding[]> {
  const ring = await ringOf(config);
  if (!ring) return [];
  const hangUp = new AbortController();
  const isLate = setTimeout(() => hangUp.abort(), maxMilliseconds);
  const begun = performance.now();
  try {
    const answer = await fetch(new URL('/api/notifications/stream', config.APP_URL), {
      redirect: 'manual',
      signal: hangUp.signal,
      headers: { accept: 'text/event-stream', [probeHeader]: signProbe(ring, now) },
    });
    const milliseconds = answer.status === 200 ? await untilEvent(answer, begun) : undefined;
    if (milliseconds === undefined) return [unanswered(answer.status)];
    return [ok('stream', `An event reaches an open page within ${milliseconds} ms`)];
  } catch (error) {
    if (hangUp.signal.aborted) return [late];
    throw error;
  } finally {
    clearTimeout(isLate);
    hangUp.abort();
  }
}
