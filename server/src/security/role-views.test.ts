import type { Endpoint } from '@tenure/contract';
import { expect, test } from 'vitest';
import { allEndpoints } from '../access/matrix.ts';
import { startApp } from '../testing/app.ts';
import { plantCanaries } from '../testing/canaries.ts';
import type { Reader } from '../testing/canary-readers.ts';
import type { Client } from '../testing/client.ts';
import { pathsOf, readEndpoints } from './canary-sweep.ts';

/** Viewing as a role, for every endpoint: nothing is written, and the user sees what a person with the role sees. */

const app = await startApp({ RATE_LIMIT_PER_MINUTE: '1000000' });
const { clients, ids, people } = await plantCanaries(app);
const { as, owner, make } = app;

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const roleOf = async (user: number) =>
  (
    await owner.query<{ role_id: number; name: string; entity_ids: number[] | null }>(
      `select a.role_id, r.name, a.entity_ids from role_assignments a join roles r on r.id = a.role_id
       where a.user_id = $1 and r.name <> 'Admin'`,
      [user],
    )
  ).rows[0] as { role_id: number; name: string; entity_ids: number[] | null };

async function view(client: Client, { role_id, entity_ids }: { role_id: number; entity_ids: number[] | null }) {
  expect((await client.post(`/api/roles/${role_id}/view`, { entity_ids })).status).toBe(200);
  return client;
}

/** A hash of the rows of each table; of sessions without the time of their last use. */
async function contents(): Promise<Record<string, string>> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const row = name === 'session_register' ? `to_jsonb(t) - 'last_seen_at'` : 'to_jsonb(t)';
      const { rows } = await owner.query<{ hash: string }>(
        `select md5(coalesce(string_agg((${row})::text, ',' order by (${row})::text), '')) as hash from ${name} t`,
      );
      return [name, rows[0]?.hash as string] as const;
    }),
  );
  return Object.fromEntries(found);
}

const viewer = await view(await as((await make.admin()).user_id), await roleOf(people.hr.user_id));

const changing = allEndpoints.filter((endpoint) => endpoint.method !== 'GET');
/** Requests that are allowed in a view: those that end it, and those that need no session. */
const allowed = new Set([
  'DELETE /role-view',
  'POST /logout',
  ...changing.filter(({ permission }) => permission === 'public').map(nameOf),
]);

test('every endpoint that changes something is refused, by each of its addresses, and changes nothing', async () => {
  expect(changing.map(nameOf).filter((name) => allowed.has(name)).length).toBe(allowed.size);
  const before = await contents();
  const message = 'You’re viewing as HR. Changes are off. Stop viewing to make changes.';
  const refused: string[] = [];
  const wanted = changing.filter((endpoint) => !allowed.has(nameOf(endpoint)));
  for (const endpoint of wanted)
    for (const path of pathsOf(endpoint, ids).slice(0, 2)) {
      const url = `/api${path}`;
      const answers = [await viewer.send(endpoint.method, url, { body: {} })];
      if (endpoint.method !== 'POST') answers.push(await viewer.post(`${url}?_method=${endpoint.method}`, {}));
      if (endpoint.upload) answers.push(await viewer.upload(url, { name: 'a.png', content: 'x' }));
      if (answers.every(({ status, body }) => status === 403 && body.message === message))
        refused.push(nameOf(endpoint));
    }
  expect([...new Set(refused)]).toEqual(wanted.map(nameOf));
  expect(await contents()).toEqual(before);
});

/** Every URL of an endpoint, with a long page if it has pages. */
const urlsOf = (endpoint: Endpoint) =>
  pathsOf(endpoint, ids).map(
    (path) => `/api${path}${'per_page' in (endpoint.query?.shape ?? {}) ? '?per_page=100' : ''}`,
  );

test('reading writes nothing: no entry in the audit log, no mark, no count', { timeout: 60_000 }, async () => {
  const before = await contents();
  const statuses: Record<number, number> = {};
  const note = (status: number) => (statuses[status] = (statuses[status] ?? 0) + 1);
  for (const endpoint of readEndpoints) for (const url of urlsOf(endpoint)) note((await viewer.get(url)).status);
  const [person] = ids.employees ?? [];
  for (const reveal of ['private', 'bank'])
    note((await viewer.get(`/api/employees/${person}?reveal=${reveal}`)).status);
  expect(await contents()).toEqual(before);
  expect(
    Object.keys(statuses)
      .map(Number)
      .filter((status) => status >= 500 || status === 429),
  ).toEqual([]);
  expect(statuses[200]).toBeGreaterThan(80);
});

/** What differs for every account: the signed-in user, its sessions, who has which role, and the entry of the view. */
const ownAnswers = /^\/api\/(me|user|profile\/sessions|roles|permissions\/\d+\/holders|audit-log)\b(?!\/)/;
const isCompared = (endpoint: Endpoint) => endpoint.file === undefined;
const moments = new Set(['as_of', 'checked_at']);
/** A view as a role shows no staged private cells, even if the role shows them. */
const stagedPrivate = /^\/api\/(?:employees|attachments)\/imports\/\d+(\/rows|\/values)?(\?|$)/;

type Row = { id?: unknown; name?: unknown; employee_number?: unknown };

/**
 * Removes the time of a response, the role that makes the account an administrator, and the allowed actions on the
 * record of an administrator, which only differ for other administrators.
 */
const withoutAccount = (employeeId: number) => (key: string, value: unknown) => {
  if (moments.has(key)) return undefined;
  if (Array.isArray(value)) return value.filter((one: Row | null) => one?.name !== 'Admin');
  const isOwn = (value as Row | null)?.id === employeeId && (value as Row).employee_number !== undefined;
  return isOwn ? { ...(value as Row), allowed_actions: undefined } : value;
};

async function read(client: Client, employeeId: number) {
  const found = new Map<string, string>();
  for (const endpoint of readEndpoints.filter(isCompared))
    for (const url of urlsOf(endpoint).filter((one) => !ownAnswers.test(one))) {
      const { status, body } = await client.get(url);
      found.set(url, JSON.stringify([status, body], withoutAccount(employeeId)));
    }
  return found;
}

const readers: Reader[] = ['head', 'lead', 'northHr', 'hr', 'auditor', 'managedFinance', 'onlooker', 'self'];

test.each(readers)('a view shows what %s sees without being an administrator', { timeout: 60_000 }, async (reader) => {
  const { id, user_id } = people[reader];
  const role = await roleOf(user_id);
  const own = await read(clients[reader], id);
  await owner.query(`insert into role_assignments select $1, id from roles where name = 'Admin'`, [user_id]);
  const seen = await read(await view(await as(user_id), role), id);
  await owner.query(`delete from role_assignments a using roles r
    where r.id = a.role_id and r.name = 'Admin' and a.user_id = ${user_id}`);
  const differences = [...own].filter(([url, answer]) => answer !== seen.get(url) && !stagedPrivate.test(url));
  expect(differences.map(([url, answer]) => ({ url, answer, seen: seen.get(url) }))).toEqual([]);
  expect([...seen].filter(([url, answer]) => stagedPrivate.test(url) && answer.includes('Zqstaged'))).toEqual([]);
});
