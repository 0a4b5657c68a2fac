import { cpus, totalmem } from 'node:os';
import type { Rate, Turn } from './bench.ts';
import { median } from './percentile.ts';

export type Row = {
  what: string;
  measured: string;
  baseline: string;
  ratio: string;
  target: string;
  /** The processor time of a request in Node and in PostgreSQL. */
  cpu?: string;
  /** The same for the baseline. */
  baselineCpu?: string;
  /** A measured time with its bound, to be compared at the machine's speed. */
  time?: { measured: number; atMost: number; unit: string };
  pass: boolean;
};

const number = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1);

const cpuOf = ({ node, postgres }: Rate) => `${Math.round(node)} + ${Math.round(postgres)} µs`;

/** The median of the ratios of two sides measured in turn: a slow moment of the machine affects both of a pair. */
export const ratioOf = (measured: Rate, baseline: Rate, of: (turn: Turn) => number): number =>
  median(measured.turns.map((turn, time) => of(turn) / of(baseline.turns[time] as Turn)));

type Compared = { measured: number; baseline: number; ratio: number };

/** A row that compares requests per second. `atLeast`: the smallest ratio that passes. */
export const timesRow = (what: string, { measured, baseline, ratio }: Compared, atLeast: number): Row => ({
  what,
  measured: `${number(measured)} /s`,
  baseline: `${number(baseline)} /s`,
  ratio: ratio.toFixed(2),
  target: `≥ ${atLeast} ×`,
  pass: ratio >= atLeast,
});

/** A row that compares rates measured in turn, with the processor time of a request. */
export const rateRow = (what: string, measured: Rate, baseline: Rate, atLeast: number): Row => ({
  ...timesRow(
    what,
    {
      measured: measured.perSecond,
      baseline: baseline.perSecond,
      ratio: ratioOf(measured, baseline, (turn) => turn.perSecond),
    },
    atLeast,
  ),
  cpu: cpuOf(measured),
  baselineCpu: cpuOf(baseline),
});

/** Rows for the processor time of a request. */
export const cpuRows = (
  what: string,
  measured: Rate,
  { node, postgres }: { node: number; postgres?: number },
): Row[] => [
  boundRow(`${what}: processor time of Node`, measured.node, 'µs', node),
  ...(postgres === undefined
    ? []
    : [boundRow(`${what}: processor time of PostgreSQL`, measured.postgres, 'µs', postgres)]),
];

const times = new Set(['s', 'ms', 'µs']);

/** A row with an absolute bound. */
export const boundRow = (what: string, measured: number, unit: string, atMost: number): Row => ({
  what,
  measured: `${number(measured)} ${unit}`,
  baseline: '',
  ratio: '',
  target: `≤ ${number(atMost)} ${unit}`,
  ...(times.has(unit) && { time: { measured, atMost, unit } }),
  pass: measured <= atMost,
});

/**
 * Checks rows with times as if on the machine where the targets were measured.
 * @param speed this machine's speed during the measurement; 1 for that machine, 0.5 for one of half its speed
 */
export const atSpeed = (rows: readonly Row[], speed: number): Row[] =>
  rows.map(({ time, ...row }) => {
    if (!time) return row;
    const there = time.measured * speed;
    return { ...row, ratio: `${number(there)} ${time.unit}`, pass: there <= time.atMost };
  });

/** A row whose measure is a multiple of another one. `ratio`: that of the two, or the median of their pairs. */
export const multipleRow = (
  what: string,
  { measured, baseline, ratio = measured / baseline }: Omit<Compared, 'ratio'> & { ratio?: number },
  unit: string,
  atMost: number,
): Row => ({
  what,
  measured: `${number(measured)} ${unit}`,
  baseline: `${number(baseline)} ${unit}`,
  ratio: ratio.toFixed(2),
  target: `≤ ${atMost} ×`,
  pass: ratio <= atMost,
});

export const machine = () =>
  `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB`;

/** The table as Markdown. */
export function markdown(rows: readonly Row[]): string {
  const lines = rows.map(
    (row) =>
      `| ${row.what} | ${row.measured} | ${row.baseline} | ${row.ratio} | ${row.target} | ${row.cpu ?? ''} | ${row.baselineCpu ?? ''} | ${row.pass ? 'yes' : '**no**'} |`,
  );
  return [
    '| what | measured | baseline | ratio, or at full speed | target | Node + PostgreSQL | of the baseline | met |',
    '|---|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}
