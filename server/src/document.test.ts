import { expect, test } from 'vitest';
import { routes } from './app.ts';
import type { ApiDocument } from './http/openapi.ts';
import { startApp } from './testing/app.ts';
import type { Client } from './testing/client.ts';
import { checkBy } from './testing/document.ts';

/**
 * The clients of all tests check every response against the API document, so each success in a test is one that the
 * document declares. This test checks the served document, every endpoint, and refusals: as a guest, without rights,
 * without a row.
 */

const { as, make } = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
const guest = await as();
const served = (await guest.get('/docs/api.json')).body as ApiDocument;
const check = checkBy(served);

const company = await make.entity();
const department = await make.department({ entity_id: company.id });
const person = await make.employee({ department_id: department.id });
const admin = await as((await make.admin()).user_id);
const employee = await as((await make.employee()).user_id);
const rows: Record<string, number> = {
  entities: company.id,
  departments: department.id,
  employees: person.id,
  roles: 1,
};
const absent = 987_654_321;

/** The statuses of an endpoint for a client, with each response checked. */
async function statusesOf(client: Client, method: string, urls: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const url of urls) {
    const answer = await client.send(method, `/api${url}`, method === 'GET' ? {} : { body: { revision: 1 } });
    expect([url, check(method, `/api${url}`, answer)]).toEqual([url, undefined]);
    statuses.push(answer.status);
  }
  return statuses;
}

const notThere = new Set<string>(['/sso/:id/start', '/password-reset-requests']);
/** Endpoints that need no field. */
const open = new Set<string>(['/passkeys/sign-in/options']);

test.each(routes.map(({ endpoint }) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s answers as the document says',
  async (_name, { method, path, permission, file }) => {
    const known = path
      .replace(/:\w+/, String(rows[path.split('/')[1] ?? ''] ?? absent))
      .replaceAll(/:\w+/g, String(absent));
    const urls = [known, path.replaceAll(/:\w+/g, String(absent)), `${known}?per_page=0&sort_by=x`];
    const described = await statusesOf(guest, method, urls);
    // a public read has no input to refuse; no logo has been set
    if (permission === 'public' && method === 'GET') expect(new Set(described)).toEqual(new Set([file ? 404 : 200]));
    else if (open.has(path)) expect(described).toEqual([200, 200, 200]);
    // a public endpoint needs a field and refuses, unless it is switched off
    else expect(described).toContain(permission !== 'public' ? 401 : notThere.has(path) ? 404 : 422);
    // signing out here would make the client a guest for every following endpoint
    if (path === '/logout') return;
    await statusesOf(employee, method, urls);
    await statusesOf(admin, method, urls);
  },
);

test('every endpoint is in the document, and checked', () => {
  const nothing = { status: 418, headers: {}, body: undefined, bytes: Buffer.alloc(0) };
  for (const { endpoint } of routes) {
    const url = `/api${endpoint.path.replaceAll(/:\w+/g, '1')}`;
    expect([url, check(endpoint.method, url, nothing)]).toEqual([url, 'status 418 is not in the document']);
  }
});

test('an answer of another shape would be noticed', async () => {
  const answer = await admin.get('/api/me');
  const verdict = (changed: object) => check('GET', '/api/me', { ...answer, ...changed });
  expect(verdict({})).toBeUndefined();
  expect(verdict({ body: { data: {} } })).toEqual([expect.objectContaining({ keyword: 'required' })]);
  expect(verdict({ body: { ...answer.body, more: 1 } })).toEqual([
    expect.objectContaining({ keyword: 'additionalProperties' }),
  ]);
  expect(verdict({ status: 404 })).toBe('status 404 is not in the document');
  expect(verdict({ headers: { 'content-type': 'text/html' } })).toBe('type text/html');
  const deleted = { status: 204, headers: {}, body: {}, bytes: Buffer.from('{}') };
  expect(check('DELETE', `/api/entities/${company.id}`, deleted)).toBe('a body where the document tells none');
  expect(check('GET', `/api/employees/${person.id}`, { ...answer, status: 403, body: { error: 'no' } })).toBeDefined();
});
