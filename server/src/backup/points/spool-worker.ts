import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Config } from '../../config.ts';
import { installationOf } from '../chunks.ts';
import { archiveOf, secretsOf } from '../command.ts';
import { cipherToWrite, identityFile } from '../encryption.ts';
import { lineOf, Refusal } from '../refusal.ts';
import { loadBackupKey } from '../runs.ts';
import { clearSpool, enforceLimit, limitsOf, sendSpool } from './spool.ts';
import type { Gap, Target } from './spool.ts';

/** The thread that sends WAL: encryption blocks the processor for a tenth of a second, and requests would wait. */

export type SpoolTask = { config: Config; ownerUrl: string };

export type SpoolReport =
  | ({ news: 'gap' } & Gap)
  | { news: 'away'; reason: string }
  | { news: 'back'; seconds: number };

const { config, ownerUrl } = workerData as SpoolTask;
const dataDir = config.DATA_DIR;
const limits = limitsOf(config);

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const report = (news: SpoolReport) => parentPort?.postMessage(news);
const spool = { dataDir, onGap: (gap: Gap) => report({ news: 'gap', ...gap }), histories: new Set<string>() };

const pauseMilliseconds = 1_000;
const longestPause = 30_000;

const stopping = new AbortController();
parentPort?.on('message', () => stopping.abort());
const isOver = () => stopping.signal.aborted;
const pause = (milliseconds: number) =>
  sleep(milliseconds, undefined, { signal: stopping.signal }).catch(() => undefined);

/**
 * The installation's archive, which its first base or backup creates: this thread could mistake the empty folder below
 * an unmounted disk for a new archive.
 */
async function openTarget(): Promise<Target> {
  const archive = archiveOf({ config, folder: undefined }, '--to');
  const installation = installationOf(await loadBackupKey(ownerUrl));
  const found = await archive.describe();
  if (!found)
    throw new Refusal(`${archive.root} contains no backups: mount its disk, or run the command backup --base.`);
  if (found.installation !== installation)
    throw new Refusal(`${archive.root} contains the backups of another installation: choose another BACKUP_URL.`);
  const secrets = await secretsOf({ config });
  if (secrets.passphrase && (await archive.size(identityFile)) === 0)
    throw new Refusal(`${archive.root} has no key for this passphrase yet: run the command backup once.`);
  return { archive, cipher: await cipherToWrite(archive, secrets) };
}

async function keepSending(): Promise<void> {
  let target: Target | undefined;
  let awaySince: number | undefined;
  for (let wait = pauseMilliseconds; !isOver(); await pause(wait)) {
    try {
      target ??= await openTarget();
      await sendSpool(spool, target, isOver);
      await clearSpool(dataDir);
      wait = pauseMilliseconds;
      if (awaySince !== undefined) report({ news: 'back', seconds: Math.round((Date.now() - awaySince) / 1_000) });
      awaySince = undefined;
    } catch (error) {
      target = undefined;
      wait = Math.min(wait * 2, longestPause);
      if (awaySince === undefined) report({ news: 'away', reason: lineOf(error) });
      awaySince ??= Date.now();
    }
  }
}

/** Runs while segments are sent, because sending may hang. */
async function keepLimit(): Promise<void> {
  for (; !isOver(); await pause(pauseMilliseconds)) await enforceLimit(spool, limits).catch(() => undefined);
}

await Promise.all([keepSending(), keepLimit()]);
process.exit(0);
