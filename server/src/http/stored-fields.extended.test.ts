import { requiredFields } from '@tenure/contract';
import type { Endpoint } from '@tenure/contract';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { allEndpoints } from '../access/matrix.ts';
import { pathsOf } from '../security/canary-sweep.ts';
import { startApp } from '../testing/app.ts';
import { plantCanaries } from '../testing/canaries.ts';
import { plantLists } from '../testing/plant-lists.ts';

/** A field that a change accepts is stored: a later read returns the new value. */

const service = await startApp();
const { ids: planted, people } = await plantCanaries(service);
const ids = { ...planted, ...(await plantLists(service, { reader: people.hr, planted })) };
const client = await service.as(people.hr.user_id);

type Schema = {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
};

const alternativesOf = (schema: Schema): Schema[] => schema.anyOf?.flatMap(alternativesOf) ?? [schema];

/** Another value for a field, if its kind is simple enough to generate one. */
function otherThan(value: unknown, schema: Schema): unknown {
  for (const one of alternativesOf(schema)) {
    const choice = one.enum?.find((each) => each !== value && each !== null);
    if (choice !== undefined) return choice;
    if (one.enum) continue;
    const types = [one.type].flat();
    if (types.includes('boolean')) return value !== true;
    if (types.includes('integer') || types.includes('number')) {
      const next = typeof value === 'number' ? value + 1 : (one.minimum ?? 1);
      return next <= (one.maximum ?? next) ? next : Number(value) - 1;
    }
    if (!types.includes('string')) continue;
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value))
      return Temporal.PlainDate.from(value).add({ days: 1 }).toString();
    return typeof value === 'string' ? `${value.slice(0, (one.maxLength ?? 100) - 1)}x` : 'Words';
  }
  return undefined;
}

type Stored = Readonly<Record<string, unknown>>;

async function read(path: string): Promise<Stored | undefined> {
  const { status, body } = await client.get(`/api${path}`);
  return status === 200 && !Array.isArray(body.data) ? (body.data as Stored) : undefined;
}

const changes = allEndpoints.filter(
  ({ method, path, body }) =>
    method === 'PUT' && body && allEndpoints.some((other) => other.method === 'GET' && other.path === path),
);

/** Accepted with the whole record, but the stored value follows from the dates. */
const computed = new Set(['/employees/:id activity_status']);

/** Changes each field of a record separately. Returns the fields that were stored, and those that were not. */
async function changeEach(path: string, { path: declared, body }: Endpoint) {
  const { properties = {} } = z.toJSONSchema(body as z.ZodObject, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  });
  const stored: string[] = [];
  const lost: unknown[] = [];
  for (const [field, schema] of Object.entries(properties)) {
    const before = await read(path);
    if (!before || field === 'revision' || !(field in before) || computed.has(`${declared} ${field}`)) continue;
    const value = otherThan(before[field], schema as Schema);
    if (value === undefined) continue;
    const demanded = Object.fromEntries(requiredFields(body as z.ZodObject).map((name) => [name, before[name]]));
    const sent = { ...demanded, [field]: value, ...('revision' in properties && { revision: before['revision'] }) };
    const { status } = await client.put(`/api${path}`, sent);
    if (status !== 200) continue;
    const after = await read(path);
    if (JSON.stringify(after?.[field]) === JSON.stringify(value)) stored.push(field);
    else lost.push({ path, field, value, found: after?.[field] });
  }
  return { stored, lost };
}

/** The fields of all records that were changed separately and read back. */
const proved = new Set<string>();

const named = changes.map((endpoint) => [endpoint.path, endpoint] as const);
test.each(named)('%s stores what it accepts', { timeout: 120_000 }, async (_path, endpoint) => {
  const lost: unknown[] = [];
  for (const path of pathsOf(endpoint, ids).slice(0, 4)) {
    const found = await changeEach(path, endpoint);
    for (const field of found.stored) proved.add(`${endpoint.path} ${field}`);
    lost.push(...found.lost);
  }
  expect(lost).toEqual([]);
});

test('many fields can be changed alone', () => {
  expect(proved.size).toBeGreaterThan(60);
});
