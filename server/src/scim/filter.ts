import { parse } from 'scim2-parse-filter';
import type { Filter } from 'scim2-parse-filter';
import { badFilter } from './problem.ts';

export type { Filter };

const maxLength = 1_000;
const maxDepth = 8;

const quoted = /"(?:[^"\\]|\\.)*"/g;

function textOf(literal: string): string {
  try {
    const text = (JSON.parse(literal) as string).toWellFormed();
    if (!text.includes('\0')) return text;
  } catch {
    // refused below
  }
  throw badFilter('The filter has a text that is no JSON string.');
}

/** How deep a filter nests; consecutive `and` or `or` count as one level. */
function depthOf(filter: Filter): number {
  switch (filter.op) {
    case 'and':
    case 'or':
      return 1 + Math.max(...(filter as { filters: Filter[] }).filters.map(depthOf));
    case 'not':
      return 1 + depthOf((filter as { filter: Filter }).filter);
    case '[]':
      return 1 + depthOf((filter as { valFilter: Filter }).valFilter);
    default:
      return 1;
  }
}

/** Replaces the placeholders with the texts. */
function withTexts(filter: Filter, texts: readonly string[]): Filter {
  if ('filters' in filter) return { ...filter, filters: filter.filters.map((one) => withTexts(one, texts)) };
  if ('filter' in filter) return { ...filter, filter: withTexts(filter.filter, texts) };
  if ('valFilter' in filter) return { ...filter, valFilter: withTexts(filter.valFilter, texts) };
  if (!('compValue' in filter) || typeof filter.compValue !== 'string') return filter;
  return { ...filter, compValue: texts[Number(filter.compValue)] ?? '' };
}

/**
 * Parses a filter of RFC 7644, 3.4.2.2. Throws 400 invalidFilter, also if it is longer than 1,000 characters or nests
 * deeper than eight levels. Texts are parsed here, because the parser's expression for them takes exponential time for
 * an unterminated text, and does not know all JSON escapes.
 */
export function readFilter(filter: string): Filter {
  if (filter.length > maxLength) throw badFilter(`A filter has at most ${maxLength} characters.`);
  const texts: string[] = [];
  const bare = filter.replaceAll(quoted, (literal) => ` "${texts.push(textOf(literal)) - 1}" `);
  if (bare.replaceAll(/ "\d+" /g, '').includes('"')) throw badFilter('The filter has a text without an end.');
  let read: Filter;
  try {
    read = parse(bare);
  } catch {
    throw badFilter('The filter cannot be read.');
  }
  if (depthOf(read) > maxDepth) throw badFilter(`A filter nests at most ${maxDepth} levels.`);
  return withTexts(read, texts);
}

type Comparison = { op: string; compValue: boolean | null | number | string };

const folded = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value);

/** Compares as RFC 7644 does for values whose case does not matter. */
function compares(actual: unknown, { op, compValue }: Comparison): boolean {
  const [left, right] = [folded(actual ?? null), folded(compValue)];
  if (op === 'eq') return left === right;
  if (op === 'ne') return left !== right;
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  switch (op) {
    case 'co':
      return left.includes(right);
    case 'sw':
      return left.startsWith(right);
    case 'ew':
      return left.endsWith(right);
    case 'gt':
      return left > right;
    case 'ge':
      return left >= right;
    case 'lt':
      return left < right;
    default:
      return left <= right;
  }
}

const valueOf = (element: Readonly<Record<string, unknown>>, name: string) => {
  const wanted = name.toLowerCase();
  return Object.entries(element).find(([key]) => key.toLowerCase() === wanted)?.[1];
};

/** Whether an element of a multi-valued attribute matches a filter. */
export function matches(filter: Filter, element: Readonly<Record<string, unknown>>): boolean {
  if ('filters' in filter)
    return filter.op === 'and'
      ? filter.filters.every((one) => matches(one, element))
      : filter.filters.some((one) => matches(one, element));
  if ('filter' in filter) return !matches(filter.filter, element);
  if ('valFilter' in filter) return false;
  const value = valueOf(element, filter.attrPath);
  if ('compValue' in filter) return compares(value, filter);
  return value !== undefined && value !== null && value !== '';
}

/** The element that a filter of equalities describes; undefined for any other filter. */
export function elementOf(filter: Filter): Record<string, unknown> | undefined {
  if ('filters' in filter) {
    if (filter.op !== 'and') return undefined;
    const parts = filter.filters.map(elementOf);
    return parts.includes(undefined) ? undefined : (Object.assign({}, ...parts) as Record<string, unknown>);
  }
  return 'compValue' in filter && filter.op === 'eq' && !filter.attrPath.includes('.')
    ? { [filter.attrPath]: filter.compValue }
    : undefined;
}
