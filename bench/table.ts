import { cpus, totalmem } from 'node:os';

export type Row = { what: string; measured: string; baseline: string; ratio: string; target: string; pass: boolean };

const number = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1);

/** A row that compares rates inside one run. `atLeast`: the smallest ratio that passes. */
export function rateRow(what: string, measured: number, baseline: number, atLeast: number): Row {
  const ratio = measured / baseline;
  return {
    what,
    measured: `${number(measured)} /s`,
    baseline: `${number(baseline)} /s`,
    ratio: ratio.toFixed(2),
    target: `≥ ${atLeast} ×`,
    pass: ratio >= atLeast,
  };
}

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
      `| ${row.what} | ${row.measured} | ${row.baseline} | ${row.ratio} | ${row.target} | ${row.pass ? 'yes' : '**no**'} |`,
  );
  return ['| what | measured | baseline | ratio | target | met |', '|---|---|---|---|---|---|', ...lines].join('\n');
}
