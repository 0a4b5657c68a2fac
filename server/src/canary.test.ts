import { expect, test, vi } from 'vitest';
import { addJob } from './jobs/queue.ts';
import { startWorker } from './jobs/worker.ts';
import { startApp } from './testing/app.ts';
import { multipart } from './testing/client.ts';
import type { Client } from './testing/client.ts';
import { fault, probeRoutes } from './testing/probes.ts';

/** Personal data in every part of a request: none of it is logged or returned in a refusal. */

const { app, as, deps, make, logged, owner } = await startApp({}, { bindings: probeRoutes });
const canary = 'C4nary!Zwq8';
const secrets = {
  iban: 'DE89370400440532013000',
  account_number: '7305512277',
  personal_email: 'quiet.canary@example.org',
  mobile: '+49 151 7305512',
  date_of_birth: '1987-03-19',
};

const refusals: string[] = [];

/** Collects the texts of refusals, which appear on screens and in the logs of proxies. */
function listening(client: Client): Client {
  const send: Client['send'] = async (...request) => {
    const answer = await client.send(...request);
    if (answer.status >= 400) refusals.push(answer.bytes.toString());
    return answer;
  };
  return {
    ...client,
    send,
    get: (url, headers = {}) => send('GET', url, { headers }),
    post: (url, body, headers = {}) => send('POST', url, { body, headers }),
    put: (url, body, headers = {}) => send('PUT', url, { body, headers }),
  };
}

const person = await make.employee({ password: canary, first_name: canary, email: 'c4nary.zwq8@example.com' });
const hr = listening(await as((await make.employee({ roles: ['HR'] })).user_id));
const colleague = listening(await as((await make.employee()).user_id));
const guest = listening(await as());
const path = `/api/employees/${person.id}`;
const json = { 'content-type': 'application/json' };

async function signInAndOut() {
  await guest.post('/login', { email: person.email, password: canary });
  await guest.put('/api/profile/password', { current_password: canary, password: canary, password_confirmation: 'x' });
  await guest.post('/logout');
  await guest.post('/login', { email: person.email, password: `${canary}x` });
  await guest.post('/login', { email: `${canary}@example.com`, password: canary });
  await guest.post('/login', { email: [canary], password: { canary } });
}

async function sendInBodies() {
  await hr.post('/api/entities', {
    name: canary,
    description: `${canary}\r\n{"level":60}\u001b[31m\u2028`,
    id: canary,
    password: canary,
  });
  await hr.post('/api/entities', { name: canary });
  const { iban, account_number, ...fields } = secrets;
  const kept = await hr.put(path, { ...fields, bank: { iban, account_number } });
  expect(kept.status).toBe(200);
  await hr.put(path, { last_name: canary, bank: { iban: canary.repeat(9) }, date_of_birth: canary, revision: 1 });
  await hr.put(path, { email: person.email, ...secrets, entity_id: canary });
  await colleague.put(path, secrets);
  await hr.send('POST', '/api/probes', { payload: `{"name":"${canary}`, headers: json });
  await hr.post('/api/probes', { _method: canary });
}

async function sendInFiles() {
  const picture = multipart({ name: `${canary}.png`, content: canary }, { [canary]: canary });
  await hr.send('POST', `${path}/profile-picture`, picture);
  await hr.send(
    'POST',
    `${path}/attachments`,
    multipart({ name: `${canary}.pdf`, content: canary }, { title: canary }),
  );
  const rows = `first_name,last_name,email,entity,department,${canary}
${canary},${canary},${secrets.personal_email},${canary},${canary},${secrets.iban}
`;
  const people = await hr.send('POST', '/api/employees/import', multipart({ name: `${canary}.csv`, content: rows }));
  expect(people.status).toBe(201);
  await hr.send('POST', '/api/employees/import', multipart({ name: `${canary}.csv`, content: `\u0000${canary}` }));
}

async function sendInAddressesAndHeaders() {
  await hr.get(`/api/employees?search=${canary}&${canary}=1&sort_by=${canary}`);
  await hr.get(`/api/${canary}%5c${canary}`);
  await hr.get(`/api/${canary}`);
  await hr.get(`${path}?reveal=bank`);
  await hr.get('/api/me', { 'user-agent': canary, 'x-request-id': canary, 'x-forwarded-for': canary });
  await hr.post('/api/probes/1/act', { _token: canary }, { 'x-xsrf-token': canary });
  await hr.post('/api/probes', { name: canary }, { 'idempotency-key': canary });
  await hr.post('/api/probes', { name: `${canary}x` }, { 'idempotency-key': canary });
  await guest.post('/login', {}, { referer: `https://evil.example/${canary}` });
  for (const cookie of [`tenure_session=${canary}; XSRF-TOKEN=${canary}`, `tenure_session=1.${canary}.${canary}`])
    await app.inject({ url: '/api/me', headers: { cookie, referer: `http://localhost:8000/${canary}` } });
}

test('no sent value appears in the log or in a refusal', async () => {
  await signInAndOut();
  await sendInBodies();
  await sendInFiles();
  await sendInAddressesAndHeaders();
  fault.next = Object.assign(new Error('a fault'), { status: 418, body: { canary } });
  await hr.get(`/api/probes/fault?x=${canary}`);
  const issued = await hr.post(`${path}/reset-password`);
  const { one_time_password } = issued.body as { one_time_password: string };
  await guest.post('/login', { email: person.email, password: `${one_time_password}x` });
  await guest.post('/login', { email: person.email, password: one_time_password });
  const change = { current_password: one_time_password, password: one_time_password, password_confirmation: canary };
  await guest.put('/api/profile/password', change);

  expect((await owner.query('select from entities where name = $1', [canary])).rowCount).toBe(1);
  const carried = [hr, colleague, guest].flatMap(({ cookies }) => [...cookies.values()]);
  expect(carried).toHaveLength(7);
  const printed = [...logged, ...refusals].join('\n');
  for (const value of [...Object.values(secrets), ...carried, one_time_password, canary, person.email])
    expect(printed.toLowerCase()).not.toContain(value.toLowerCase());
  expect(refusals.length).toBeGreaterThan(15);
  const events = new Set(logged.map((line) => (JSON.parse(line) as { event: string }).event));
  for (const event of [
    'login_ok',
    'login_failed',
    'logout',
    'csrf_failed',
    'origin_rejected',
    'authz_denied',
    'bad_path',
    'server_error',
    'upload_rejected',
    'mass_assignment_attempt',
  ])
    expect(events).toContain(event);
});

/** The message of the database about a statement that it refuses. */
const refusalOf = (statement: string, values: unknown[]) =>
  owner.query(statement, values).catch((error: unknown) => error);

test.each([
  ['a row that breaks a rule', () => refusalOf('insert into entities (name) values ($1)', [secrets.iban])],
  ['a value of another type', () => refusalOf('select $1::text::int', [secrets.iban])],
  [
    'a fault inside another',
    async () => new Error('outer', { cause: await refusalOf('select $1::text::int', [secrets.iban]) }),
  ],
])('a fault of the database is logged without the values of its statement: %s', async (_what, plant) => {
  const from = logged.length;
  fault.next = await plant();
  expect(fault.next).toBeInstanceOf(Error);
  expect((await hr.get('/api/probes/fault')).status).toBe(500);
  const [line = ''] = logged.slice(from);
  const { event, err } = JSON.parse(line) as { event: string; err: { message: string; stack: string } };
  expect([event, err.stack]).toEqual(['server_error', expect.stringMatching(/^ +at /)]);
  expect(logged.slice(from).join('')).not.toContain(secrets.iban);
});

test('a job that fails is named in the log, without the values it worked on', async () => {
  const from = logged.length;
  const fail = () => deps.pool.query('select $1::text::int', [secrets.iban]);
  const worker = await startWorker(deps, { timed: [], tasks: { fail } });
  await addJob(deps.db, 'fail', { iban: secrets.iban }, { maxAttempts: 1 });
  await vi.waitFor(() => expect(logged.slice(from).join('')).toContain('a job failed'), { timeout: 15_000 });
  await worker.stop();
  const printed = logged.slice(from).join('');
  expect(printed).toContain('"job":"fail"');
  expect(printed).not.toContain(secrets.iban);
});

test('each answer has one line: who, where from, which address, how long', async () => {
  const reader = await make.employee();
  const client = await as(reader.user_id);
  const from = logged.length;
  await client.get('/api/employees?search=x&per_page=5&Nam%C3%A9=1');
  const [line, ...more] = logged.slice(from).map((text) => JSON.parse(text) as Record<string, unknown>);
  expect(more).toEqual([]);
  expect(line).toMatchObject({
    level: 30,
    event: 'request',
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    actor_id: reader.user_id,
    ip: '127.0.0.1',
    method: 'GET',
    route: '/api/employees',
    parameters: ['search', 'per_page'],
    status: 200,
    milliseconds: expect.any(Number),
  });
});
