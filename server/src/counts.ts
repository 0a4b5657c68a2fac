import { text } from '@tenure/contract';
import type { MessageKey, Parameter } from '@tenure/contract';

type KindOf<K> = K extends `counts.${infer Kind}` ? Kind : never;
/** Counts of several kinds of things. */
export type Counts = Readonly<Partial<Record<KindOf<MessageKey>, number>>>;

/** `12 departments`. */
export const counted = (kind: KindOf<MessageKey>, count: number) => text(`counts.${kind}`, { count });

/** A list of counts: `2 files and 1 department`; undefined if all are zero. */
export function tally(counts: Counts): Parameter | undefined {
  const present = Object.entries(counts).filter(([, count]) => count > 0);
  return present.length > 0
    ? { list: present.map(([kind, count]) => counted(kind as keyof Counts, count)) }
    : undefined;
}

/** The same with the total, which the verb agrees with. */
export function stillThere(counts: Counts): { total: number; list: Parameter } | undefined {
  const list = tally(counts);
  if (!list) return undefined;
  return { total: Object.values(counts).reduce((sum, count) => sum + count, 0), list };
}
