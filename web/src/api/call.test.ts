import { employeeImports, employees, profile, session } from '@tenure/contract';
import { expect, test } from 'vitest';
import { serve } from '../testing/service.ts';
import { ApiError } from './api-error.ts';
import { address, call } from './call.ts';

const refused = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};

test('fills in path parameters and omits empty query values', () => {
  expect(address(employees.get, { params: { id: 57 } })).toBe('/api/employees/57');
  expect(address(employeeImports.fixRow, { params: { id: 4, row: 80 } })).toBe('/api/employees/imports/4/rows/80');
  const query = { page: 2, search: 'a b&c', entity_id: undefined, sort_by: '' };
  expect(address(employees.list, { query })).toBe('/api/employees?page=2&search=a+b%26c');
});

test('a read request sends no CSRF token and the language of the page', async () => {
  const service = serve({ 'GET /api/employees/57': { body: { data: { id: 57 }, message: '' } } });
  const reply = await call(employees.get, { params: { id: 57 } });
  expect(reply.data.id).toBe(57);
  const [request] = service.asked;
  expect(request?.headers.get('Accept')).toBe('application/json');
  expect(request?.headers.has('X-XSRF-TOKEN')).toBe(false);
  expect(service.asked).toHaveLength(1);
});

test('a change carries the CSRF token of the cookie and JSON', async () => {
  document.cookie = 'XSRF-TOKEN=s%2Btoken';
  const service = serve({ 'POST /api/login': { body: { message: 'Logged in successfully.' } } });
  await call(session.login, { body: { email: 'a@b.example', password: ' x ' } });
  const [request] = service.asked;
  expect(request?.headers.get('X-XSRF-TOKEN')).toBe('s+token');
  expect(request?.headers.get('Content-Type')).toBe('application/json');
  expect(request?.body).toEqual({ email: 'a@b.example', password: ' x ' });
});

test('fetches a missing CSRF cookie once for concurrent calls', async () => {
  document.cookie = 'XSRF-TOKEN=; Max-Age=0';
  const service = serve({
    'GET /sanctum/csrf-cookie': () => {
      document.cookie = 'XSRF-TOKEN=fresh';
      return { status: 204 };
    },
    'POST /api/logout': { body: { message: 'Logged out successfully.' } },
  });
  await Promise.all([call(session.logout, {}), call(session.logout, {})]);
  expect(service.to('GET /sanctum/csrf-cookie')).toHaveLength(1);
  expect(service.to('POST /api/logout').map(({ headers }) => headers.get('X-XSRF-TOKEN'))).toEqual(['fresh', 'fresh']);
});

test('a call that begins a session runs alone: its cookies come last', async () => {
  const begun: string[] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  serve({
    'GET /api/employees/57': async () => {
      begun.push('before');
      await held;
      return { body: { data: { id: 57 }, message: '' } };
    },
    'POST /api/login': () => {
      begun.push('sign-in');
      return { body: { message: 'Logged in successfully.' } };
    },
    'GET /api/me': () => {
      begun.push('after');
      return { body: { data: {}, message: '' } };
    },
  });
  const before = call(employees.get, { params: { id: 57 } });
  const signIn = call(session.login, { body: { email: 'a@b.example', password: 'x' } }, { alone: true });
  const after = call(session.me, {});
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(begun).toEqual(['before']);
  release();
  await Promise.all([before, signIn, after]);
  expect(begun).toEqual(['before', 'sign-in', 'after']);
});

test('renews a refused CSRF token and repeats the call once', async () => {
  const service = serve({
    'GET /sanctum/csrf-cookie': () => {
      document.cookie = 'XSRF-TOKEN=fresh';
      return { status: 204 };
    },
    'POST /api/logout': () =>
      document.cookie.includes('fresh')
        ? { body: { message: 'Logged out successfully.' } }
        : { status: 419, body: { message: 'CSRF token mismatch.' } },
  });
  await call(session.logout, {});
  expect(service.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/logout',
    'GET /sanctum/csrf-cookie',
    'POST /api/logout',
  ]);
});

test('a CSRF token refused twice is an error, not a loop', async () => {
  const service = serve({
    'GET /sanctum/csrf-cookie': { status: 204 },
    'POST /api/logout': { status: 419, body: { message: 'CSRF token mismatch.' } },
  });
  expect((await refused(call(session.logout, {}))).status).toBe(419);
  expect(service.to('POST /api/logout')).toHaveLength(2);
});

test('maps the messages of a refusal to their fields', async () => {
  const errors = { password: ['Too short.', 'No symbol.'], current_password: ['The password is incorrect.'] };
  serve({ 'PUT /api/profile/password': { status: 422, body: { message: 'Too short.', errors } } });
  const body = { current_password: 'a', password: 'b', password_confirmation: 'b' };
  const error = await refused(call(profile.changePassword, { body }));
  expect(error.status).toBe(422);
  expect(error.fieldErrors).toEqual({
    password: 'Too short. No symbol.',
    current_password: 'The password is incorrect.',
  });
});

test('Retry-After sets the time of the retry', async () => {
  const before = Date.now();
  serve({
    'GET /api/me': { status: 429, body: { message: 'Too Many Attempts.' }, headers: { 'Retry-After': '17' } },
  });
  const error = await refused(call(session.me, {}));
  expect(error.retryAt - before).toBeGreaterThanOrEqual(17_000);
  expect(error.retryAt - before).toBeLessThan(18_000);
});

test('no answer is status 0; an answer that is not JSON keeps its status', async () => {
  serve({});
  expect((await refused(call(session.me, {}))).status).toBe(0);
  serve({ 'GET /api/me': { status: 502 } });
  expect((await refused(call(session.me, {}))).status).toBe(502);
});

test('a 204 has no body', async () => {
  serve({ 'DELETE /api/employees/imports/4': { status: 204 } });
  await expect(call(employeeImports.delete, { params: { id: 4 } })).resolves.toBeUndefined();
});

test('uploads a file as a form, with settings beside it', async () => {
  const service = serve({ 'POST /api/employees/import': { status: 201, body: { data: { id: 1 }, message: '' } } });
  const file = new File(['a,b'], 'staff.csv', { type: 'text/csv' });
  const body = { dry_run: true, on_conflict: 'fail', defaults: { entity_id: 3 }, mapping: null } as const;
  await call(employeeImports.create, { file, body });
  const [request] = service.asked;
  expect(request?.headers.has('Content-Type')).toBe(false);
  expect(request?.body).toEqual({ dry_run: 'true', on_conflict: 'fail', defaults: '{"entity_id":3}', file });
});
