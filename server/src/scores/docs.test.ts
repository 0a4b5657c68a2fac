import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { highestResult } from '@tenure/contract/highest-result';
import { resultOfParts } from '@tenure/contract/result-of-parts';
import { expect, test } from 'vitest';
import { achievementOf, scoreOfAchievement, scoreOfActual } from './achievement.ts';
import type { Measure } from './achievement.ts';
import { bandOf, distributionOf } from './bands.ts';
import type { Band } from './bands.ts';
import { explain } from './explain.ts';
import { flagOf, overallOf, sideScore } from './overall.ts';
import type { EvaluatedItem } from './overall.ts';
import { prorationOf, shareOf } from './proration.ts';
import { employedDays } from '../testing/employed-days.ts';
import { isExempt, serviceDays } from '../testing/service-days.ts';

type Row = Record<string, string>;
type Table = { heading: string; columns: string; rows: Row[] };

/** Every table of the page is compared with the program; a table without a check below fails. */
const page = readFileSync(new URL('../../../docs/scoring.md', import.meta.url), 'utf8');
const tables = tablesOf(page);

const none = '–';
const score = (value: number | null | undefined) => value?.toFixed(2) ?? none;
const pct = (value: number | null | undefined) => (typeof value === 'number' ? `${value.toFixed(2)} %` : none);
const yes = (value: boolean) => (value ? 'yes' : 'no');
const number = (cell = ''): number => {
  const value = Number(cell.replaceAll(/[,%\s]/g, ''));
  if (cell.trim() === '' || Number.isNaN(value)) throw new Error(`${cell} is not a number`);
  return value;
};
const numberOrNull = (cell = none) => (cell === none ? null : number(cell));
const list = (cell = '') => cell.split(' / ');
const points = (cell: string) => Math.round(number(cell) * 100);
/** A term for a calculator, such as 40 × 4 / 70. */
const reckoned = (cell: string): number =>
  runInNewContext(cell.replaceAll('×', '*').replaceAll('−', '-').replaceAll(',', ''), {}) as number;

const directions: Record<string, Measure['direction']> = {
  'higher is better': 'higher_better',
  'lower is better': 'lower_better',
  'on target': 'target',
  'yes or no': 'boolean',
};
const limits = { scale_max: 5, pip_below_pct: 60, hipo_from_pct: 90 };
const item = (weight: number, id: number, more: Partial<EvaluatedItem>) => ({
  id,
  name: `${id}`,
  weight,
  not_applicable: false,
  self_score: null,
  self_achievement_pct: null,
  manager_score: null,
  final_score: null,
  achievement_pct: null,
  ...more,
});
const shares = (cell = '') => {
  const [manager_weight_pct = 0, self_weight_pct = 0] = cell.split(' : ').map(number);
  return { manager_weight_pct, self_weight_pct };
};

function oneSide(row: Row) {
  const scores = list(row['Scores']);
  const items = list(row['Weights']).map((weight, id) => ({
    id,
    weight: points(weight),
    score: numberOrNull(scores[id]),
    not_applicable: scores[id] === none,
    achievement_pct: null,
  }));
  const side = sideScore(items, number(row['Highest score']));
  return { Score: score(side?.score), Percentage: pct(side?.percentage) };
}

function stepByStep(rows: Row[]) {
  const sum = rows.at(-1);
  const items = rows.slice(0, -1).map((row, id) =>
    item(points(row['Weight']!), id, {
      manager_score: numberOrNull(row['Score']),
      not_applicable: row['Score'] === none,
    }),
  );
  const shown = explain('manager', {
    ...limits,
    items,
    manager_weight_pct: 100,
    self_weight_pct: 0,
    self_skipped: false,
  });
  expect(rows.map((row) => row['Contribution'])).toEqual(
    [...shown.items.map(({ contribution }) => contribution), shown.sum].map(score),
  );
  expect(number(sum?.['Weight'])).toBe(shown.weight_counted);
  expect(reckoned(sum?.['Calculation'] ?? '').toFixed(2)).toBe(score(shown.score));
  for (const [id, { contribution }] of shown.items.entries())
    if (contribution !== null)
      expect(Math.abs(reckoned(rows[id]?.['Calculation'] ?? '') - contribution)).toBeLessThan(0.01);
}

function blendOfScores(row: Row) {
  const self_skipped = row['Self-assessment'] === 'skipped';
  const self_score = self_skipped ? null : number(row['Self-assessment']);
  const items = [item(10_000, 1, { manager_score: number(row["Manager's score"]), self_score })];
  const result = overallOf({ ...limits, ...shares(row['Shares']), items, self_skipped });
  return { Result: score(result.overall_score), Percentage: pct(result.overall_percentage) };
}

function blendOfItems(row: Row) {
  const [manager, self] = [list(row["Manager's scores"]), list(row['Self scores'])];
  const items = list(row['Weights']).map((weight, id) =>
    item(points(weight), id, { manager_score: number(manager[id]), self_score: number(self[id]) }),
  );
  const shown = explain('manager', { ...limits, ...shares(row['Shares']), items, self_skipped: false });
  return { Manager: score(shown.sum), Self: score(shown.blend?.self_score), Result: score(shown.score) };
}

function measured(row: Row) {
  const measure: Measure = {
    direction: directions[row['Direction']!]!,
    target_value: numberOrNull(row['Target']),
    baseline_value: numberOrNull(row['Baseline']),
    tolerance_pct: numberOrNull(row['Tolerance']),
    cap_pct: numberOrNull(row['Cap']),
  };
  const actual = number(row['Actual']);
  const achievement = achievementOf(measure, actual);
  if (/^\d/.test(row['Calculation'] ?? ''))
    expect(Math.abs(reckoned(row['Calculation']!) - achievement)).toBeLessThan(0.0051);
  const bound = /^at (?:least|most) (\d+)$/.exec(row['Calculation'] ?? '')?.[1];
  if (bound !== undefined) expect(achievement).toBe(Number(bound));
  const of = scoreOfActual(measure, actual, { met_is_top: true });
  return { Achievement: pct(achievement), ...('Score' in row && { Score: `${of}` }) };
}

function prorated(row: Row) {
  const measure: Measure = {
    direction: directions[row['Direction']!]!,
    target_value: number(row['Target']),
    baseline_value: numberOrNull(row['Baseline']),
    tolerance_pct: null,
    cap_pct: null,
  };
  const days = { employed_days: number(row['Employed days']), cycle_days: number(row['Days of the cycle']) };
  const item = { ...measure, prorate: true };
  const achievement = achievementOf(measure, number(row['Actual']), shareOf(item, days));
  if (/^\d/.test(row['Calculation'] ?? ''))
    expect(Math.abs(reckoned(row['Calculation']!) - achievement)).toBeLessThan(0.0051);
  expect(prorationOf(item, days)?.target_value ?? measure.target_value).toBe(number(row['Prorated target']));
  return { 'Prorated achievement': pct(achievement) };
}

/** "2026-01-01 to – / 2026-05-01 to 2026-06-30": employments from their first to their last day. */
function counted(row: Row) {
  const employments = list(row['Employed']).map((employment) => {
    const [from = none, until = none] = employment.split(' to ').map((day) => day.trim());
    return [from === none ? null : from, until === none ? null : until] as const;
  });
  return { 'Counted days': `${employedDays(employments, row['First day']!, row['Last day']!)}` };
}

/** "below 60 %", "60 % to below 80 %", "from 110 %": the first and the last included value with two decimals. */
function rangeOf(cell = ''): number[] {
  const from = /^(?:from )?([\d.]+) %/.exec(cell)?.[1];
  const below = /below ([\d.]+) %$/.exec(cell)?.[1];
  if (from === undefined && below === undefined) throw new Error(`${cell} is not a range`);
  return [from === undefined ? 0 : Number(from), below === undefined ? 1000 : (Number(below) * 100 - 1) / 100];
}

function bounds(column: string, name: string, of: (percentage: number) => string | number) {
  return (row: Row) => {
    const [first, last] = rangeOf(row[column]).map((percentage) => `${of(percentage)}`);
    expect(first).toBe(last);
    return { [name]: first };
  };
}

/** "cap 105 %", "yes or no", "rated": an item of a template. */
function highest(row: Row) {
  const kinds = list(row['Items']);
  const items = list(row['Weights']).map((weight, id) => {
    const cap_pct = kinds[id]?.startsWith('cap ') ? number(kinds[id].slice(4)) : null;
    const direction = directions[kinds[id] ?? ''] ?? (cap_pct === null ? null : 'higher_better');
    const item_type = direction === null ? 'rating' : 'measured';
    return { weight: number(weight), item_type, direction, target_value: 10, baseline_value: null, cap_pct };
  });
  return { 'Highest result': pct(highestResult(items, 5)) };
}

function wholeAchievement(row: Row) {
  const achievements = list(row['Achievements']);
  const items = list(row['Weights']).map((weight, id) =>
    item(points(weight), id, {
      manager_score: 3,
      achievement_pct: achievements[id] === 'rated' ? null : number(achievements[id]),
    }),
  );
  const result = overallOf({ ...limits, items, manager_weight_pct: 100, self_weight_pct: 0, self_skipped: false });
  return { Overall: pct(result.overall_achievement_pct) };
}

function flag(row: Row) {
  const pip_below_pct = number(row['Improvement plan below']);
  const hipo_from_pct = number(row['High potential from']);
  return { Suggested: flagOf(number(row['Percentage']), { pip_below_pct, hipo_from_pct }) };
}

function distribution(rows: Row[]) {
  const of = (column: string) => Object.fromEntries(rows.map((row) => [row['Band']!, number(row[column])]));
  const caps = of('At most');
  const shown = distributionOf(of('People') as Record<Band, number>, {
    a: caps['A']!,
    b: caps['B']!,
    c: caps['C']!,
    d: caps['D']!,
  });
  expect(rows.map((row) => [row['Band'], row['Share'], row['Over the limit']])).toEqual(
    shown.map(({ band, share_pct, over_limit }) => [band, pct(share_pct), yes(over_limit)]),
  );
}

function service(row: Row) {
  const joined = row['Joined'] === none ? null : row['Joined']!;
  const days = serviceDays(joined, row['First day']!, row['Last day']!);
  return { Days: `${days}`, Evaluated: yes(!isExempt(days, numberOrNull(row['At least']))) };
}

const eachRow = (expected: (row: Row) => Row | Record<string, string | undefined>) => (rows: Row[]) =>
  rows.forEach((row) => expect(row).toMatchObject(expected(row)));

const checks: Record<string, (rows: Row[]) => void> = {
  'Percentages of the parts, Days of the parts, Result of the person': (rows) => {
    for (const row of rows) {
      const days = list(row['Days of the parts']).map(number);
      const parts = list(row['Percentages of the parts']).map((cell, index) => ({
        percentage: numberOrNull(cell),
        days: days[index] as number,
      }));
      expect(pct(resultOfParts(parts))).toBe(row['Result of the person']);
    }
  },
  'Weights, Scores, Highest score, Score, Percentage': eachRow(oneSide),
  'Item, Weight, Score, Calculation, Contribution': stepByStep,
  "Manager's score, Self-assessment, Shares, Result, Percentage": eachRow(blendOfScores),
  "Weights, Manager's scores, Self scores, Manager, Self, Shares, Result": eachRow(blendOfItems),
  'Direction, Target, Baseline, Tolerance, Cap, Actual, Calculation, Achievement, Score': eachRow(measured),
  'Direction, Target, Actual, Achievement': eachRow(measured),
  'Achievement, Score': eachRow(bounds('Achievement', 'Score', scoreOfAchievement)),
  'Weights, Items, Highest result': eachRow(highest),
  'Weights, Achievements, Overall': eachRow(wholeAchievement),
  'Percentage, Improvement plan below, High potential from, Suggested': eachRow(flag),
  'Band, Percentage': eachRow(bounds('Percentage', 'Band', bandOf)),
  'Band, People, Share, At most, Over the limit': distribution,
  'First day, Last day, Joined, Days, At least, Evaluated': eachRow(service),
  'Direction, Target, Baseline, Employed days, Days of the cycle, Prorated target, Actual, Calculation, Prorated achievement':
    eachRow(prorated),
  'First day, Last day, Employed, Counted days': eachRow(counted),
};

test.each(tables)('the page is right: $heading ($columns)', ({ columns, rows }) => {
  expect(rows.length).toBeGreaterThan(0);
  expect(Object.keys(checks)).toContain(columns);
  checks[columns]?.(rows);
});

test.each([...page.matchAll(/`([^`]+) = ([^`]+)`/g)].map(([, left = '', right = '']) => ({ left, right })))(
  'the calculation holds: $left = $right',
  ({ left, right }) => {
    const exact = reckoned(left).toFixed(9);
    if (right.endsWith('…')) expect(exact.startsWith(right.slice(0, -1))).toBe(true);
    else expect(Number(exact)).toBe(Number(right));
  },
);

test('every figure with decimals in the text stands in a table or in a calculation too', () => {
  const [checked, text] = [/^\|.*$|`[^`]+`/gm, /\d[\d,]*\.\d+/g];
  const known = new Set((page.match(checked) ?? []).flatMap((part) => part.match(text) ?? []));
  expect(known.size).toBeGreaterThan(30);
  expect((page.replaceAll(checked, '').match(text) ?? []).filter((figure) => !known.has(figure))).toEqual([]);
});

test('no kind of example has left the page', () => {
  expect(new Set(tables.map(({ columns }) => columns))).toEqual(new Set(Object.keys(checks)));
});

test.each([
  ['Achievement, Score', 'Achievement'],
  ['Band, Percentage', 'Percentage'],
])('the ranges of %s leave no gap and do not overlap', (columns, column) => {
  const rows = tables.find((table) => table.columns === columns)?.rows ?? [];
  const ranges = rows.map((row) => rangeOf(row[column])).toSorted(([a = 0], [b = 0]) => a - b);
  expect(ranges[0]?.[0]).toBe(0);
  for (const [position, [first = 0]] of ranges.slice(1).entries())
    expect(ranges[position]?.[1]).toBeCloseTo(first - 0.01, 9);
  expect(ranges.at(-1)?.[1]).toBe(1000);
});

function tablesOf(markdown: string): Table[] {
  const found: Table[] = [];
  let heading = '';
  let columns: string[] | undefined;
  for (const line of markdown.split('\n')) {
    heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
    if (!line.startsWith('|')) columns = undefined;
    else if (columns === undefined) {
      columns = cellsOf(line);
      found.push({ heading, columns: columns.join(', '), rows: [] });
    } else if (!/^[|-]+$/.test(line)) {
      const cells = cellsOf(line);
      expect(cells).toHaveLength(columns.length);
      found.at(-1)?.rows.push(Object.fromEntries(columns.map((column, position) => [column, cells[position]!])));
    }
  }
  return found;
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}
