import { setTimeout as sleep } from 'node:timers/promises';
import { refusedAt } from '../backup/refusal.ts';
import { startSha256 } from '../crypto/crypto.ts';
import type { Incoming } from './incoming.ts';
import type { FileBackend } from './backend.ts';

export type Move = {
  from: FileBackend;
  to: FileBackend;
  /** The folder for a file on its way between the two. */
  incoming: Incoming;
  /** Bytes per second, so that the service keeps its share of disk and network. */
  rate: number;
  progress: (copied: Moved) => void;
};

export type Moved = { copied: number; bytes: number; there: number };

/** Why a move stops, in one line for the operator. */
export class MoveRefused extends Error {}

/**
 * Copies the files that the target store lacks. Each is reread and compared by SHA-256 before it counts; a file already
 * there with the same size was compared by an earlier run. Removes nothing.
 */
export async function moveFiles(move: Move): Promise<Moved> {
  const mark = await markToShare(move);
  if (mark !== undefined) await move.to.writeMark(mark);
  const moved: Moved = { copied: 0, bytes: 0, there: 0 };
  const started = performance.now();
  for await (const { key, size } of move.from.list()) {
    if ((await move.to.sizeOf(key)) === size) {
      moved.there += 1;
      continue;
    }
    if (!(await copyFile(move, key))) continue;
    moved.copied += 1;
    moved.bytes += size;
    move.progress(moved);
    const due = started + (moved.bytes / move.rate) * 1_000;
    if (due > performance.now()) await sleep(due - performance.now());
  }
  return moved;
}

/**
 * The mark that the target lacks; undefined if it has the same one. Writes nothing.
 * @throws {MoveRefused} for a target with the files of another installation, which must not get these too
 */
export async function markToShare({ from, to }: Pick<Move, 'from' | 'to'>): Promise<string | undefined> {
  const read = (place: FileBackend) => place.readMark().catch(refusedAt(place.name));
  const [mark, there] = [await read(from), await read(to)];
  // a store from before marks existed is the one configured for the service that marked the other store
  if (mark === null && there !== null) return undefined;
  if (mark === null) throw new MoveRefused(`${from.name} was never used by the service: start it once.`);
  if (there !== null && there !== mark)
    throw new MoveRefused(`${to.name} has the files of another installation: give another place.`);
  return there === null ? mark : undefined;
}

/** False for a file that was deleted in the meantime. */
async function copyFile({ from, to, incoming }: Move, key: string): Promise<boolean> {
  const found = await from.open(key);
  if (!found) return false;
  const received = await incoming.receive(found.stream, { maxBytes: found.size });
  try {
    if (received.size !== found.size) throw new MoveRefused(`${key} in ${from.name} ended early: try again.`);
    await to.put(received, key).catch(refusedAt(to.name));
  } finally {
    await incoming.discard(received);
  }
  if ((await sha256Of(to, key)) === received.sha256) return true;
  await to.remove(key);
  throw new MoveRefused(`${key} arrived damaged in ${to.name}: check it and try again.`);
}

async function sha256Of(kept: FileBackend, key: string): Promise<string | undefined> {
  const found = await kept.open(key);
  if (!found) return undefined;
  const hash = startSha256();
  for await (const piece of found.stream) hash.update(piece as Buffer);
  return hash.digest('hex');
}
