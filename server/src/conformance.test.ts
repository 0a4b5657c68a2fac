import { say } from './http/errors.ts';
import { sentenceOf } from './testing/sentences.ts';
import { messages, requiredFields, seededRoles } from '@tenure/contract';
import type { Endpoint } from '@tenure/contract';
import { expect, test } from 'vitest';
import { allEndpoints, mayCall, permissionsOf } from './access/matrix.ts';
import { matrixRules } from './access/matrix-rules.ts';
import { routes } from './app.ts';
import { startApp } from './testing/app.ts';

/** Walks through the contract: the common rules hold for every endpoint. */

const { as, make, deps } = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const absent = 987_654_321;
const urlOf = ({ path }: Endpoint) => `/api${path.replaceAll(/:\w+/g, String(absent))}`;
const guarded = allEndpoints.filter(({ permission }) => permission !== 'public');
const named = (endpoints: readonly Endpoint[]) => endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const);

const admin = await make.admin();
const root = await as(admin.user_id);
const powerless = await deps.db
  .insertInto('roles')
  .values({ name: 'Powerless', scope: 'all' })
  .returning('id')
  .executeTakeFirstOrThrow();
const powerlessPerson = await make.employee({ roles: [] });
await deps.db
  .insertInto('role_assignments')
  .values({ user_id: powerlessPerson.user_id, role_id: powerless.id })
  .execute();
const without = await as(powerlessPerson.user_id);
const guest = await as();

test('every declared endpoint is bound, and nothing else is', () => {
  const bound = routes.map(({ endpoint }) => nameOf(endpoint)).sort();
  expect(bound).toEqual(allEndpoints.map(nameOf).sort());
});

test.each(named(guarded))('%s is 401 for a guest', async (_name, endpoint) => {
  const answer = await guest.send(endpoint.method, urlOf(endpoint));
  expect([answer.status, answer.body]).toEqual([401, { message: 'Unauthenticated.' }]);
});

test.each(named(guarded.filter((endpoint) => permissionsOf(endpoint))))(
  '%s is 403 without its permission, before any row is looked for',
  async (_name, endpoint) => {
    const answer = await without.send(endpoint.method, urlOf(endpoint));
    expect([answer.status, answer.body]).toEqual([403, { message: 'This action is unauthorized.' }]);
  },
);

test.each(named(guarded.filter(({ path }) => path.includes(':'))))(
  '%s is 404 for an absent row, whatever the body',
  async (_name, endpoint) => {
    const sent = endpoint.method === 'GET' ? {} : { body: { name: 5, email: 'x', cells: 5, revision: 'x' } };
    const answer = await root.send(endpoint.method, urlOf(endpoint), sent);
    expect([answer.status, answer.body]).toEqual([404, { message: 'Not found.' }]);
  },
);

test.each([...new Set(allEndpoints.map(({ path }) => path))])('%s is 405 for a verb it does not have', async (path) => {
  const has = new Set(allEndpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method));
  const wrong = (['DELETE', 'PUT', 'GET', 'POST'] as const).find(
    (method) => !has.has(method) && !(method === 'POST' && (has.has('PUT') || has.has('DELETE'))),
  );
  if (!wrong) return;
  const answer = await root.send(wrong, `/api${path.replaceAll(/:\w+/g, String(absent))}`);
  expect([answer.status, answer.body]).toEqual([405, { message: 'Method not allowed.' }]);
  expect(answer.headers.allow).toBeTypeOf('string');
});

const plain = guarded.filter(({ path, upload }) => !path.includes(':') && !upload);
const demanding = plain.filter(({ body }) => body && requiredFields(body).length > 0);
test.each(named(demanding))('%s is 422 for an empty body and names each missing field', async (_name, endpoint) => {
  const answer = await root.send(endpoint.method, urlOf(endpoint), { body: {} });
  expect(answer.status).toBe(422);
  for (const field of requiredFields(endpoint.body as NonNullable<Endpoint['body']>))
    expect(answer.body.errors[field]).toEqual([sentenceOf(say(field, messages.required))]);
});

const lists = plain.filter(({ method, query }) => method === 'GET' && query && 'per_page' in query.shape);
test.each(named(lists))('%s pages as every list does', async (_name, endpoint) => {
  const { body } = await root.get(`${urlOf(endpoint)}?per_page=1&page=2`);
  expect(Object.keys(body)).toEqual(['data', 'links', 'meta']);
  expect(Object.keys(body.meta)).toEqual(['current_page', 'from', 'last_page', 'per_page', 'to', 'total']);
  expect(body.meta).toMatchObject({ current_page: 2, per_page: 1 });
  expect((await root.get(`${urlOf(endpoint)}?per_page=101`)).status).toBe(422);
  expect((await root.get(`${urlOf(endpoint)}?sort_by=nonsense`)).status).toBe(422);
  expect((await root.get(`${urlOf(endpoint)}?page=nonsense`)).body.meta.current_page).toBe(1);
});

test.each(seededRoles)('%s may call exactly what the table of access says', async (role) => {
  const person = await make.employee({ roles: [role] });
  for (const endpoint of guarded) {
    if (endpoint.path === '/logout') continue;
    const client = await as(person.user_id);
    const answer = await client.send(endpoint.method, urlOf(endpoint), endpoint.method === 'GET' ? {} : { body: {} });
    expect([nameOf(endpoint), answer.status === 403], JSON.stringify(answer.body)).toEqual([
      nameOf(endpoint),
      !mayCall(role, endpoint),
    ]);
  }
});

test('every endpoint that a rule of the table of access names is declared', () => {
  const declared = new Set(allEndpoints.map(({ method, path }) => `${method} ${path}`));
  const named = matrixRules.flatMap(({ endpoints }) => endpoints);
  expect(named.filter((endpoint) => !declared.has(endpoint))).toEqual([]);
});
