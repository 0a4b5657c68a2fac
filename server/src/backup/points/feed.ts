import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../../db/embedded/account.ts';
import type { Archive } from '../archive.ts';
import type { Cipher } from '../encryption.ts';
import { Refusal } from '../refusal.ts';
import { unpack } from './seal.ts';
import type { Chain } from './times.ts';
import { isHistory, isLine, isSegment, pathOfWal, systemOf } from './wal.ts';

/** Segments unpacked before the server asks for them; a week of WAL would not fit on the disk. */
const ahead = 8;
/** Segments kept behind the requested one: the server looks back to the last checkpoint. */
const behind = 4;
const pollMilliseconds = 25;

/**
 * The server runs this for each file it wants. It writes the file name, then waits until the file is there or known to
 * be absent, or until the server has ended. Paths are relative to the cluster, because the server's account may have no
 * access to a parent folder.
 */
export const restoreCommand = [
  'PATH=/usr/bin:/bin; d=../wal',
  'case %f in *.history) cp $d/%f %p 2>/dev/null; exit;; esac',
  'echo %f > $d/wanted.new && mv $d/wanted.new $d/wanted || exit 1',
  'while [ ! -e $d/%f ]; do if [ -e $d/%f.absent ] || [ -e $d/stop ]; then exit 1; fi',
  'kill -0 $PPID 2>/dev/null || exit 1',
  'sleep 0.05',
  'done',
  'cp $d/%f %p',
].join('; ');

type Source = { archive: Archive; open: Cipher['open']; chain: Chain };

export type Feed = {
  /** Resolves when stopped; rejects when the archive is damaged, and then the server no longer waits. */
  done: Promise<void>;
  stop: () => void;
};

/** Puts WAL into a folder beside the cluster as the server requests it, a few segments ahead. */
export async function startFeed(folder: string, source: Source, account: Account | undefined): Promise<Feed> {
  await mkdir(folder, { mode: 0o700 });
  if (account) await chown(folder, account.uid, account.gid);
  await putHistories(folder, source);
  const stopping = new AbortController();
  const work = async () => {
    const feeder = makeFeeder(folder, source);
    while (!stopping.signal.aborted) {
      await feeder();
      await sleep(pollMilliseconds);
    }
  };
  const done = work().catch(async (error) => {
    await put(folder, 'stop', Buffer.alloc(0));
    throw error;
  });
  // awaited after the server has ended
  done.catch(() => undefined);
  return { done, stop: () => stopping.abort() };
}

/** Provides the existing timelines, so that this restore begins a new one. */
async function putHistories(folder: string, { archive, open, chain }: Source): Promise<void> {
  const system = chain.base.line.split('-')[0];
  for (const line of (await archive.list('wal')).filter(isLine)) {
    if (line.split('-')[0] !== system) continue;
    for (const name of (await archive.list(`wal/${line}`)).filter(isHistory))
      await put(folder, name, await unpack(archive, pathOfWal(line, name), open));
  }
}

async function put(folder: string, name: string, content: Buffer): Promise<void> {
  // readable for the server's account; no other account can enter the folder
  await writeFile(join(folder, `${name}.draft`), content, { mode: 0o644 });
  await rename(join(folder, `${name}.draft`), join(folder, name));
}

/** One round: unpacks the next segments and removes those that the server has passed. */
function makeFeeder(folder: string, { archive, open, chain }: Source): () => Promise<void> {
  const { segments, base } = chain;
  const system = base.line.split('-')[0];
  const there = new Set<number>();
  const unpackSegment = async (index: number) => {
    const name = segments[index] ?? '';
    const path = pathOfWal(base.line, name);
    const content = await unpack(archive, path, open);
    if (systemOf(name, content) !== system)
      throw new Refusal(`${path} comes from another database: use another copy of the archive.`);
    await put(folder, name, content);
    there.add(index);
  };
  return async () => {
    const wanted = (await readFile(join(folder, 'wanted'), 'utf8').catch(() => segments[0] ?? '')).trim();
    const at = segments.indexOf(wanted);
    if (at < 0) {
      if (isSegment(wanted)) await put(folder, `${wanted}.absent`, Buffer.alloc(0));
      return;
    }
    const next = [...segments.keys()].slice(at, at + ahead).find((index) => !there.has(index));
    for (const index of there)
      if (index < at - behind) {
        await rm(join(folder, segments[index] ?? ''), { force: true });
        there.delete(index);
      }
    if (next !== undefined) await unpackSegment(next);
  };
}
