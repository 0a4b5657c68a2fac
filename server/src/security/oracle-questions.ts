import type { Endpoint } from '@tenure/contract';
import * as z from 'zod';
import type { PlantedIds } from '../testing/canaries.ts';
import { pathsOf, readEndpoints } from './canary-sweep.ts';

/**
 * Every question a reader can ask a list, derived from the contract: each order in both directions, each filter with
 * each of its values, each search. New parameters are included automatically.
 */

/** The first and second value of each hidden text, number and day; values of other rows lie in between. */
export const samples = {
  text: ['Zqfirst', 'Zqsecond'],
  middle: 'Zqmiddle',
  digits: ['1111111', '9999999'],
  days: ['2001-01-01', '2020-01-01'],
  between: '2010-01-01',
} as const;

type Parameter = { enum?: string[]; items?: { enum?: string[] }; anyOf?: Parameter[] };

/** The allowed words of a parameter, if it is an enum. */
const choicesOf = ({ enum: one, items, anyOf = [] }: Parameter): string[] | undefined =>
  one ?? items?.enum ?? anyOf.map(choicesOf).find((choices) => choices !== undefined);

/** Ids by parameter name; by default those of people. */
function idsFor(name: string, ids: PlantedIds): readonly number[] {
  const kinds = { entity: 'entities', department: 'departments', role: 'roles', import: 'imports' } as const;
  const kpi = { cycle: 'kpi-cycles', template: 'kpi-templates', item: 'items' } as const;
  const known: Readonly<Record<string, string>> = { ...kinds, ...kpi, user: 'users', actor: 'users' };
  const kind = known[name.replace(/_ids?$/, '')] ?? 'employees';
  return [0, ...(ids[kind] ?? []).slice(0, 1)];
}

const maxChoices = 20;

/** Parameters for the form of an answer, which select no rows. */
const shape = new Set([
  'page',
  'per_page',
  'sort_by',
  'sort_direction',
  'format',
  'columns',
  'headings',
  'reveal',
  'limit',
]);

function valuesOf(name: string, schema: z.ZodType, parameter: Parameter, ids: PlantedIds): readonly string[] {
  const choices = choicesOf(parameter);
  // a flag has two spellings; for long enums, a few values are enough
  if (choices) return choices.includes('true') && choices.includes('1') ? ['1', '0'] : choices.slice(0, maxChoices);
  const takes = (value: string) => schema.safeParse(value).success;
  // rows found by the first value are not found by the second
  if (takes('words')) return [samples.text[0], samples.digits[0], samples.days[0]];
  return takes(samples.between) ? [samples.between] : idsFor(name, ids).map(String).filter(takes);
}

export type Parameters = readonly (readonly [name: string, value: string])[];
type ParameterSets = Record<'plain' | 'orders' | 'filters', Parameters[]>;

/** Each variant of an endpoint's query; the parameters under test come last. */
export function waysOf({ query }: Endpoint, ids: PlantedIds): ParameterSets {
  if (!query) return { plain: [[]], orders: [], filters: [] };
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  const parameters = properties as Record<string, Parameter>;
  const asked = Object.entries(query.shape).filter(([name]) => !shape.has(name));
  const needed = asked.filter(([, schema]) => !z.safeParse(schema as z.ZodType, undefined).success);
  const filters = asked.flatMap(([name, schema]) =>
    valuesOf(name, schema as z.ZodType, parameters[name] ?? {}, ids).map((value) => [name, value] as const),
  );
  const orders = (choicesOf(parameters['sort_by'] ?? {}) ?? []).flatMap((name) =>
    ['asc', 'desc'].map((direction): Parameters => [
      ['sort_by', name],
      ['sort_direction', direction],
    ]),
  );
  // required parameters are part of every question
  const complete = (way: Parameters): Parameters => [
    ...needed.flatMap(([name]) => filters.filter(([known]) => known === name).slice(-1)),
    ...way,
  ];
  return { plain: [complete([])], orders: orders.map(complete), filters: filters.map((filter) => complete([filter])) };
}

export type Questions = {
  endpoint: Endpoint;
  /** The address without parameters. */
  plain: string;
  /** One address per order, for readers with more than one row. */
  orders: readonly string[];
  /** One address per filter and search, for readers with any row. */
  filters: readonly string[];
};

const textOf = (path: string, way: Parameters) =>
  `/api${path}${way.length > 0 ? `?${way.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}` : ''}`;

/** These requests add to the audit log, so the question is limited to earlier entries. */
function besides({ path, query }: Endpoint, now: string): Parameters {
  const size: Parameters = query && 'per_page' in query.shape ? [['per_page', '100']] : [];
  return path.startsWith('/audit-log') && query ? [...size, ['at_to', now]] : size;
}

const none = { orders: [], filters: [] };

/** All questions; nested lists are queried for the first record. */
export function questionsOf(ids: PlantedIds, now: string): Questions[] {
  return readEndpoints.flatMap((endpoint) => {
    const always = besides(endpoint, now);
    const { plain, orders, filters } = waysOf(endpoint, ids);
    return pathsOf(endpoint, ids).map((path, index) => {
      const texts = (ways: readonly Parameters[]) => ways.map((way) => textOf(path, [...always, ...way]));
      const [address = path] = texts(plain);
      return { endpoint, plain: address, ...(index === 0 ? { orders: texts(orders), filters: texts(filters) } : none) };
    });
  });
}
