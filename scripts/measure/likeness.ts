import { basename } from 'node:path';
import type { Source } from '../sources.ts';

const nouns = /kpi[-_ ]?evaluation|probation[-_ ]?review|evaluation|review(?!er)|kpi|probation/gi;

/** The significant lines, without indentation and with the same noun for both features. */
const comparable = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim().replace(nouns, 'noun'))
    .filter((line) => /\w/.test(line));

/** The length of the longest common subsequence of lines. */
export function orderedInCommon(one: readonly string[], other: readonly string[]): number {
  let before = Array.from({ length: other.length + 1 }, () => 0);
  for (const line of one) {
    const row = [0];
    for (const [column, candidate] of other.entries())
      row.push(candidate === line ? (before[column] ?? 0) + 1 : Math.max(before[column + 1] ?? 0, row[column] ?? 0));
    before = row;
  }
  return before.at(-1) ?? 0;
}

/** Files with the same name in two folders, after replacing the noun, and the lines they share. */
export function likeness(sources: readonly Source[], [first, second]: readonly [string, string]) {
  const filesOf = (folder: string) =>
    new Map(
      sources
        .filter(({ path }) => path.startsWith(folder))
        .map(({ path, text }) => [basename(path).replace(nouns, 'noun'), comparable(text)]),
    );
  const others = filesOf(second);
  return [...filesOf(first)].flatMap(([name, lines]) => {
    const other = others.get(name);
    return other ? [{ name, common: orderedInCommon(lines, other), lines: Math.min(lines.length, other.length) }] : [];
  });
}
