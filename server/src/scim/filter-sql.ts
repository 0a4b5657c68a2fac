import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Filter } from './filter.ts';
import { badFilter } from './problem.ts';

/** Filters as SQL over the rows of a resource: an allowlist of attributes, with every value as a parameter. */

type Sql = RawBuilder<unknown>;
type Comparison = Extract<Filter, { compValue: unknown }>;

/** An attribute that filters may use. */
export type Column =
  | { type: 'text'; of: Sql; caseExact?: boolean; equals?: (value: string) => Sql }
  | { type: 'boolean'; of: Sql }
  | { type: 'time'; of: Sql }
  | { type: 'id'; of: Sql };

export type Columns = ReadonlyMap<string, Column>;

/** Columns by lower-case name; a name prefixed with its schema is the same. */
export const columns = (schema: string, named: Record<string, Column>): Columns =>
  new Map(
    Object.entries(named).flatMap(([name, column]) => [
      [name.toLowerCase(), column],
      [`${schema}:${name}`.toLowerCase(), column],
    ]),
  );

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isUuid = (value: unknown): value is string => typeof value === 'string' && uuid.test(value);

const orders = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` } as const;
const isOrder = (op: string): op is keyof typeof orders => op in orders;

function onText(column: Extract<Column, { type: 'text' }>, op: Comparison['op'], value: string): Sql {
  if (op === 'eq' && column.equals) return column.equals(value);
  const side = (one: Sql) => (column.caseExact ? one : sql`lower(${one})`);
  const [of, given] = [side(column.of), side(sql`${value}::text`)];
  switch (op) {
    case 'eq':
      return sql`${of} = ${given}`;
    case 'ne':
      return sql`${of} is distinct from ${given}`;
    case 'co':
      return sql`strpos(${of}, ${given}) > 0`;
    case 'sw':
      return sql`starts_with(${of}, ${given})`;
    case 'ew':
      return sql`right(${of}, length(${given})) = ${given}`;
    default:
      return sql`${of} collate "C" ${orders[op]} ${given}`;
  }
}

function onBoolean(of: Sql, op: string, value: Comparison['compValue']): Sql {
  // Entra ID writes True and False, also as text
  const word = String(value).toLowerCase();
  if ((word !== 'true' && word !== 'false') || (op !== 'eq' && op !== 'ne'))
    throw badFilter('A boolean is compared with eq or ne, and with true or false.');
  return (op === 'eq') === (word === 'true') ? of : sql`not ${of}`;
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

function onTime(of: Sql, op: string, value: Comparison['compValue']): Sql {
  const time = typeof value === 'string' && instant.test(value) ? new Date(value) : new Date(Number.NaN);
  // only times that the database supports as well
  if (!(time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9_999))
    throw badFilter('A time is compared with an instant such as 2026-01-31T00:00:00Z.');
  const given = sql`${time.toISOString()}::timestamptz`;
  if (isOrder(op)) return sql`${of} ${orders[op]} ${given}`;
  if (op === 'eq') return sql`${of} = ${given}`;
  if (op === 'ne') return sql`${of} is distinct from ${given}`;
  throw badFilter('A time is compared with eq, ne, gt, ge, lt or le.');
}

function onId(of: Sql, op: string, value: string): Sql {
  if (op !== 'eq' && op !== 'ne') throw badFilter('An id is compared with eq or ne.');
  const equals = isUuid(value) ? sql`${of} = ${value}::uuid` : sql`false`;
  return op === 'eq' ? equals : sql`not ${equals}`;
}

function compared(column: Column, { op, compValue: value }: Comparison): Sql {
  if (value === null) {
    if (op === 'eq') return sql`${column.of} is null`;
    if (op === 'ne') return sql`${column.of} is not null`;
    throw badFilter('null is compared with eq or ne.');
  }
  if (column.type === 'boolean') return onBoolean(column.of, op, value);
  if (column.type === 'time') return onTime(column.of, op, value);
  if (typeof value !== 'string') throw badFilter('This attribute is compared with a text in quotes.');
  return column.type === 'id' ? onId(column.of, op, value) : onText(column, op, value);
}

function known(allowed: Columns, name: string): Column {
  const column = allowed.get(name.toLowerCase());
  if (!column) throw badFilter(`The filter cannot use ${name.slice(0, 100)}.`);
  return column;
}

/** A filter inside the brackets of a multi-valued attribute, whose names start with that attribute. */
const within = (attribute: string, filter: Filter): Filter => {
  if ('filters' in filter) return { ...filter, filters: filter.filters.map((one) => within(attribute, one)) };
  if ('filter' in filter) return { ...filter, filter: within(attribute, filter.filter) };
  if ('valFilter' in filter) throw badFilter('Brackets inside brackets mean nothing.');
  return { ...filter, attrPath: `${attribute}.${filter.attrPath}` };
};

/** A filter as a condition. Throws 400 invalidFilter for attributes that are not allowed and values of another type. */
export function toSql(filter: Filter, allowed: Columns): Sql {
  if ('filters' in filter) {
    const parts = filter.filters.map((one) => toSql(one, allowed));
    return sql`(${sql.join(parts, filter.op === 'and' ? sql` and ` : sql` or `)})`;
  }
  // a condition that is unknown for a row is not met
  if ('filter' in filter) return sql`not coalesce(${toSql(filter.filter, allowed)}, false)`;
  if ('valFilter' in filter) return toSql(within(filter.attrPath, filter.valFilter), allowed);
  const column = known(allowed, filter.attrPath);
  return 'compValue' in filter ? compared(column, filter) : sql`${column.of} is not null`;
}
