import { Refusal } from '@tenure/contract';
import type { Endpoint } from '@tenure/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allEndpoints } from './access/matrix.ts';
import { startApp } from './testing/app.ts';
import { multipart } from './testing/client.ts';
import type { Client } from './testing/client.ts';

/**
 * Random input to every endpoint: never a 5xx, and never a response that the contract does not declare. FUZZ_REQUESTS
 * sets how many; a failing run prints the seed that repeats it.
 */
const requests = Number(process.env.FUZZ_REQUESTS ?? 3_000);

const { as, make } = await startApp({ RATE_LIMIT_PER_MINUTE: '1000000' });
const company = await make.entity();
const department = await make.department({ entity_id: company.id });
const people = [];
for (let n = 0; n < 6; n += 1) people.push(await make.employee({ department_id: department.id }));
const hr = await make.employee({ department_id: department.id, roles: ['HR'] });
const admin = await make.admin();
const ids = [...people.map(({ id }) => id), company.id, department.id, 1, 2, 3];

const scalar = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 1, 2 ** 31, 2 ** 53, 1e308, '', ' ', '0', '1e3', '0x10', '-', "'-", '=1+1'),
  fc.constantFrom(
    '2026-02-30',
    '2026-01-31',
    '9999-12-31',
    'null',
    '__proto__',
    '\u0000',
    '\ud800',
    '%',
    '_',
    '\\',
    "'",
  ),
  fc.constantFrom(...ids),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer(),
  fc.double(),
  fc.emailAddress(),
);
const anything = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.string({ maxLength: 8 }), scalar, { maxKeys: 3 }) },
);
const fieldsOf = (schema: Endpoint['body']) =>
  schema
    ? fc.record(Object.fromEntries(Object.keys(schema.shape).map((key) => [key, anything])), { requiredKeys: [] })
    : fc.constant({});

const skipped = new Set(['POST /logout', 'PUT /profile/password', 'DELETE /profile/sessions']);
const tried = allEndpoints.filter(({ method, path }) => !skipped.has(`${method} ${path}`));

const request = fc.constantFrom(...tried).chain((endpoint) =>
  fc.record({
    endpoint: fc.constant(endpoint),
    params: fc.array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: scalar }), {
      minLength: 3,
      maxLength: 3,
    }),
    query: fieldsOf(endpoint.query),
    body: fieldsOf(endpoint.body),
    file: fc.string({ unit: 'binary', maxLength: 200 }),
  }),
);

const asText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

function urlOf(endpoint: Endpoint, params: readonly unknown[], query: Record<string, unknown>): string {
  let next = 0;
  const path = endpoint.path.replaceAll(/:\w+/g, () => encoded(asText(params[next++])) || '0');
  const search = Object.entries(query).map(([key, value]) => `${key}=${encoded(asText(value))}`);
  return `/api${path}${search.length > 0 ? `?${search.join('&')}` : ''}`;
}

/** The error of a response, if any. */
function complaint(endpoint: Endpoint, answer: Awaited<ReturnType<Client['get']>>): string | undefined {
  if (answer.status >= 500) return `status ${answer.status}`;
  if (answer.status >= 400) return Refusal.strict().safeParse(answer.body).error?.message;
  if (endpoint.file) return undefined;
  if (endpoint.status === 204) return answer.bytes.length === 0 ? undefined : 'a body with 204';
  if (answer.status !== endpoint.status) return `status ${answer.status}`;
  return endpoint.reply?.safeParse(answer.body).error?.message;
}

test(`${requests} random requests get declared answers`, { timeout: 600_000 }, async () => {
  const [asHr, asAdmin] = [await as(hr.user_id), await as(admin.user_id)];
  let turn = 0;
  await fc.assert(
    fc.asyncProperty(request, async ({ endpoint, params, query, body, file }) => {
      const client = (turn += 1) % 2 === 0 ? asHr : asAdmin;
      const fields = Object.fromEntries(
        Object.entries(body).map(([key, value]) => [key, asText(value).replaceAll(/[\r\n"]/g, ' ')]),
      );
      const options = endpoint.upload ? multipart({ name: 'x.csv', content: file }, fields) : { body };
      const url = urlOf(endpoint, params, query);
      const answer = await client.send(endpoint.method, url, endpoint.method === 'GET' ? {} : options);
      expect(complaint(endpoint, answer), `${endpoint.method} ${url} ${JSON.stringify(answer.body)}`).toBeUndefined();
    }),
    { numRuns: requests },
  );
});
