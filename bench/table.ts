import { cpus, totalmem } from 'node:os';
import type { Rate } from './bench.ts';

export type Row = {
  what: string;
  measured: string;
  baseline: string;
  ratio: string;
  target: string;
  /** Processor time of a request: of Node and of PostgreSQL. */
  cpu?: string;
  pass: boolean;
};

const number = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1);

/** A row that compares rates measured in turn. `atLeast`: the smallest ratio that passes. */
export function rateRow(what: string, measured: Rate, baseline: Rate, atLeast: number): Row {
  const ratio = measured.perSecond / baseline.perSecond;
  return {
    what,
    measured: `${number(measured.perSecond)} /s`,
    baseline: `${number(baseline.perSecond)} /s`,
    ratio: ratio.toFixed(2),
    target: `≥ ${atLeast} ×`,
    cpu: `${Math.round(measured.node)} + ${Math.round(measured.postgres)} µs`,
    pass: ratio >= atLeast,
  };
}

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

/** A row with an absolute bound. */
export const boundRow = (what: string, measured: number, unit: string, atMost: number): Row => ({
  what,
  measured: `${number(measured)} ${unit}`,
  baseline: '',
  ratio: '',
  target: `≤ ${number(atMost)} ${unit}`,
  pass: measured <= atMost,
});

/** A row whose measure is a multiple of another measure. */
export const multipleRow = (what: string, measured: number, baseline: number, unit: string, atMost: number): Row => ({
  what,
  measured: `${number(measured)} ${unit}`,
  baseline: `${number(baseline)} ${unit}`,
  ratio: (measured / baseline).toFixed(2),
  target: `≤ ${atMost} ×`,
  pass: measured <= baseline * atMost,
});

export const machine = () =>
  `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB`;

/** The table as Markdown. */
export function markdown(rows: readonly Row[]): string {
  const lines = rows.map(
    (row) =>
      `| ${row.what} | ${row.measured} | ${row.baseline} | ${row.ratio} | ${row.target} | ${row.cpu ?? ''} | ${row.pass ? 'yes' : '**no**'} |`,
  );
  return [
    '| what | measured | baseline | ratio | target | Node + PostgreSQL | met |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}
