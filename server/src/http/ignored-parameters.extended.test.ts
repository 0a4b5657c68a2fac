import type { Endpoint } from '@tenure/contract';
import { expect, test } from 'vitest';
import { pathsOf, readEndpoints } from '../security/canary-sweep.ts';
import { waysOf } from '../security/oracle-questions.ts';
import type { Parameters } from '../security/oracle-questions.ts';
import { startApp } from '../testing/app.ts';
import { plantCanaries } from '../testing/canaries.ts';
import type { Client } from '../testing/client.ts';
import { plantLists } from '../testing/plant-lists.ts';
import { recordStatements } from '../testing/statements.ts';

/**
 * No parameter of a list is ignored: with it, the service sends the database another query than without it, or returns
 * other rows. If a row has the field of a filter or an order, the response is compared with the rows of the whole list.
 */

const service = await startApp();
const recorded = recordStatements(service.deps.pool, { values: true });
const { ids: planted, people } = await plantCanaries(service);
const ids = { ...planted, ...(await plantLists(service, { reader: people.hr, planted })) };
const reader = await service.as(people.hr.user_id);
/** A file counts towards the daily limit of exports per user. */
const clientOf = async ({ file }: Endpoint) => (file ? service.as((await service.make.admin()).user_id) : reader);

type Row = Readonly<Record<string, unknown>>;
type Asked = { status: number; statements: string; rows: readonly Row[]; total: number; text: string };

async function ask(client: Client, path: string, way: Parameters): Promise<Asked> {
  recorded();
  const query = way.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const { status, body } = await client.get(`/api${path}${query && `?${query}`}`);
  const reads = recorded().filter((statement) => /^(select|with|declare)\b/.test(statement));
  const rows = Array.isArray(body?.data) ? (body.data as Row[]) : [];
  return {
    status,
    statements: reads.join('\n'),
    rows,
    total: body?.meta?.total ?? 0,
    text: JSON.stringify(body?.data),
  };
}

const isSame = (one: Asked, other: Asked) => one.statements === other.statements && one.text === other.text;

/** Requests a list, for an existing record. */
async function askerOf(endpoint: Endpoint, plain: Parameters) {
  const client = await clientOf(endpoint);
  for (const path of pathsOf(endpoint, ids))
    if ((await ask(client, path, plain)).status === 200) return (way: Parameters) => ask(client, path, way);
  throw new Error(`${endpoint.path} answers for none of the planted records`);
}

/** The value of a row for an order or a filter: its field, or the name of the record that the field refers to. */
function valueOf(row: Row, name: string): unknown {
  const [, of = name] = /^(.+)_name$/.exec(name) ?? [];
  const referred = row[of] as Row | null | undefined;
  return name in row ? row[name] : referred?.['name'];
}

const folded = (value: unknown) =>
  typeof value === 'string' ? value.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase() : Number(value);

const byValue = (a: number | string, b: number | string) => (a < b ? -1 : Number(a > b));

/** The values in order; equal neighbours once. */
const groupsOf = (values: readonly (number | string)[]) => values.filter((value, n) => value !== values[n - 1]);

/** Their parameters are about one record, and belong together. */
const aboutOne = new Set(['/employees/duplicates', '/employees/:id/access', '/probation-reviews/:id/letter']);

const asked = readEndpoints
  .filter(({ path, query }) => query !== undefined && !aboutOne.has(path))
  .map((endpoint) => {
    const size: Parameters = endpoint.query && 'per_page' in endpoint.query.shape ? [['per_page', '100']] : [];
    const ways = waysOf(endpoint, ids);
    const with100 = (way: Parameters): Parameters => [...size, ...way];
    return {
      endpoint,
      isList: size.length > 0,
      plain: with100(ways.plain[0] ?? []),
      orders: ways.orders.map(with100),
      filters: ways.filters.map(with100),
    };
  });
type List = (typeof asked)[number];
const named = (lists: readonly List[]) => lists.map((list) => [list.endpoint.path, list] as const);
const lists = asked.filter(({ isList }) => isList);

test.each(named(asked))(
  '%s ignores no filter and no order',
  { timeout: 120_000 },
  async (_path, { endpoint, plain, orders, filters }) => {
    const asks = await askerOf(endpoint, plain);
    const whole = [await asks(plain), await asks(plain)];
    const ignored = new Set(filters.map((way) => way.at(-1)?.[0]));
    for (const [name] of plain) ignored.delete(name);
    for (const way of filters) {
      const [name = ''] = way.at(-1) ?? [];
      if (!ignored.has(name)) continue;
      const found = await asks(way);
      // a parameter that is only valid with others is refused
      expect([200, 422], way.join()).toContain(found.status);
      if (!whole.some((one) => isSame(one, found))) ignored.delete(name);
    }
    expect([...ignored]).toEqual([]);
    const found: Asked[] = [];
    for (const way of orders) {
      found.push(await asks(way));
      const twin = found.slice(0, -1).findIndex((one) => isSame(one, found.at(-1) as Asked));
      expect([way, orders[twin]]).toEqual([way, undefined]);
    }
  },
);

/** Filters that excluded some rows of a list. */
const narrowed = new Set<string>();

test.each(named(lists))('%s has the rows of each value of its filters', async (_path, { endpoint, plain, filters }) => {
  const asks = await askerOf(endpoint, plain);
  const whole = await asks(plain);
  if (whole.rows.length < whole.total) return;
  for (const name of new Set(filters.map((way) => way.at(-1)?.[0] ?? ''))) {
    const values = new Set(whole.rows.map((row) => row[name]));
    for (const value of [...values].filter((one) => ['string', 'number', 'boolean'].includes(typeof one)).slice(0, 4)) {
      const found = await asks([...plain, [name, String(value)]]);
      const expected = whole.rows.filter((row) => row[name] === value);
      if (expected.length < whole.total) narrowed.add(`${endpoint.path} ${name}`);
      expect([name, value, found.total, found.rows]).toEqual([name, value, expected.length, expected]);
    }
  }
});

test('the planted records let many filters leave rows out', () => {
  expect(narrowed.size).toBeGreaterThan(35);
});

test.each(named(lists))('%s is ordered both ways', async (_path, { endpoint, plain, orders }) => {
  const asks = await askerOf(endpoint, plain);
  const { rows: some, total } = await asks(plain);
  // for a longer list, both ends are requested
  const isWhole = some.length === total;
  for (const name of new Set(orders.map((way) => way.at(-2)?.[1] ?? ''))) {
    const inOrder = async (direction: string) => {
      const { rows } = await asks([...plain, ['sort_by', name], ['sort_direction', direction]]);
      const values = rows.map((row) => valueOf(row, name) ?? null);
      const known = values.filter((value) => value !== null);
      expect([name, direction, values.slice(known.length)]).toEqual([
        name,
        direction,
        values.slice(known.length).fill(null),
      ]);
      return groupsOf(known.map(folded));
    };
    const [up, down] = [await inOrder('asc'), await inOrder('desc')];
    if (isWhole) expect([name, down]).toEqual([name, up.toReversed()]);
    // states are sorted in workflow order, or by name
    if (!['status', 'state', 'kind', 'priority'].includes(name))
      expect([name, up]).toEqual([name, up.toSorted(byValue)]);
  }
});

test.each(named(lists))('%s is searched by the names of its rows', async (_path, { endpoint, plain }) => {
  const asks = await askerOf(endpoint, plain);
  const whole = await asks(plain);
  for (const name of ['name', 'title', 'file_name', 'first_name', 'employee_number', 'email', 'code']) {
    const [row] = whole.rows.filter((one) => typeof one[name] === 'string' && /^\w{3,}/.test(one[name]));
    if (!row) continue;
    const found = await asks([...plain, ['search', String(row[name])]]);
    expect([name, row[name], found.rows]).toEqual([name, row[name], expect.arrayContaining([row])]);
  }
});
