import type { Archive } from '../archive.ts';
import { Refusal } from '../refusal.ts';
import { listBases } from './base.ts';
import type { BasePlace } from './base.ts';
import { isSegment, nextSegment, pathOfWal } from './wal.ts';

/** A base with the WAL that follows it without a gap. */
export type Chain = {
  base: BasePlace;
  /** From the first segment of the base on; empty if that one is missing. */
  segments: string[];
  /** The first missing segment that has later ones. */
  missing: string | undefined;
};

/** Times that can be restored, in milliseconds since 1970. */
export type Range = { from: number; to: number };

/** The chains of all bases, oldest first. */
export async function readChains(archive: Archive): Promise<Chain[]> {
  const bases = await listBases(archive);
  const lines = new Map<string, Set<string>>();
  for (const { line } of bases)
    if (!lines.has(line)) lines.set(line, new Set((await archive.list(`wal/${line}`)).filter(isSegment)));
  return bases.map((base) => chainOf(base, lines.get(base.line) ?? new Set()));
}

function chainOf(base: BasePlace, there: ReadonlySet<string>): Chain {
  const segments: string[] = [];
  let next = base.first;
  for (; there.has(next); next = nextSegment(next)) segments.push(next);
  const hasLater = [...there].some((name) => name > next);
  return { base, segments, missing: hasLater ? next : undefined };
}

const pathsOf = ({ base, segments }: Chain) => segments.map((name) => pathOfWal(base.line, name));

/** A base is useless without the WAL that was written while it was copied. */
const isUsable = ({ base, segments }: Chain) => (segments.at(-1) ?? '') >= base.last;

/** The latest time of a chain: its newest segment was sent as soon as it was full. */
async function endOf(archive: Archive, chain: Chain): Promise<number> {
  return archive.changedAt(pathsOf(chain).at(-1) ?? '');
}

/** All times that can be restored, oldest first; overlapping ranges are merged. */
export async function readRanges(archive: Archive, chains: readonly Chain[]): Promise<Range[]> {
  const ranges: Range[] = [];
  for (const chain of chains.filter(isUsable)) {
    const range = { from: Date.parse(chain.base.from), to: await endOf(archive, chain) };
    if (range.to < range.from) continue;
    const before = ranges.at(-1);
    if (before && range.from <= before.to) before.to = Math.max(before.to, range.to);
    else ranges.push(range);
  }
  return ranges;
}

const shown = (milliseconds: number) => `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** A range in words. */
export const rangeText = ({ from, to }: Range): string => `${shown(from)} to ${shown(to)}`;

/**
 * The newest base from which a time can be restored, with its WAL. `spool` is a folder with later WAL that has not been
 * sent.
 * @throws {Refusal} that names the times that can be restored, or the missing segment
 */
export async function chainTo(archive: Archive, time: number, spool?: string): Promise<Chain> {
  const chains = await readChains(archive);
  const before = chains.filter(({ base }) => Date.parse(base.from) <= time);
  for (const chain of before.toReversed()) if (isUsable(chain) && time <= (await endOf(archive, chain))) return chain;
  const ranges = await readRanges(archive, chains);
  const rangesText =
    ranges.length > 0 ? ranges.map(rangeText).join(', ') : 'none yet: a base and the WAL after it make one';
  const newest = before.at(-1);
  const missing = newest?.missing && (await hasLaterThan(archive, newest, time)) ? newest : undefined;
  if (missing)
    throw new Refusal(
      `The archive lacks ${pathOfWal(missing.base.line, missing.missing ?? '')}, which is needed for this time. ` +
        `Times that you can restore to: ${rangesText}.`,
    );
  const waits =
    spool !== undefined && time > (ranges.at(-1)?.to ?? 0)
      ? ` Later WAL waits in ${spool}: start the service, which sends it, until the command backup --list names this time.`
      : '';
  throw new Refusal(`You cannot restore to this time. Times that you can restore to: ${rangesText}.${waits}`);
}

/** Whether WAL after the gap is as recent as the time. */
async function hasLaterThan(archive: Archive, { base }: Chain, time: number): Promise<boolean> {
  const newest = (await archive.list(`wal/${base.line}`)).filter(isSegment).toSorted().at(-1);
  return newest !== undefined && (await archive.changedAt(pathOfWal(base.line, newest))) >= time;
}
