import type { Endpoint } from '@tenure/contract';
import { describe, expect, test } from 'vitest';
import { allEndpoints } from '../access/matrix.ts';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';
import { codeOf, enrol, clearLastStep } from '../testing/factors.ts';

/** A session with an old proof of identity: the actions that the contract declares need a new one, and no others. */

const password = 'Str0ng!Passw0rd';
const settings = { STEP_UP_MINUTES: '10', RATE_LIMIT_PER_MINUTE: '100000' };
const { as, make, owner, deps, logged } = await startApp(settings);
const off = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });

const absent = 987_654_321;
const urlOf = ({ path }: Endpoint) => `/api${path.replaceAll(/:\w+/g, String(absent))}`;
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const guarded = allEndpoints.filter(({ permission, path }) => permission !== 'public' && path !== '/logout');
const always = guarded.filter(({ step_up }) => step_up === true);
const onQuery = guarded.filter(({ step_up }) => typeof step_up === 'object' && 'query' in step_up);
const onChange = guarded.filter(({ step_up }) => typeof step_up === 'object' && 'changes' in step_up);
const asking = { message: 'Please confirm that it is you.', explained: true, step_up: ['password'] };

async function adminWithPassword() {
  const hash = await deps.hashing.hash(password);
  const { user_id, email } = await make.admin();
  await owner.query('update users set password_hash = $2 where id = $1', [user_id, hash]);
  return { user_id, email };
}

const age = (userId: number, seconds: number, from = owner) =>
  from.query('update session_register set proved_at = now() - make_interval(secs => $2) where user_id = $1', [
    userId,
    seconds,
  ]);

async function asks(client: Client, endpoint: Endpoint, query = ''): Promise<boolean> {
  const { body, status } = await client.send(
    endpoint.method,
    `${urlOf(endpoint)}${query}`,
    endpoint.method === 'GET' ? {} : { body: {} },
  );
  return status === 403 && (body as { step_up?: unknown } | undefined)?.step_up !== undefined;
}

const askingEndpoints = async (client: Client, tried: readonly Endpoint[]) => {
  const found: string[] = [];
  for (const endpoint of tried) if (await asks(client, endpoint)) found.push(nameOf(endpoint));
  return found;
};

test('what the design names declares it', () => {
  expect(always.map(nameOf)).toEqual([
    'POST /profile/totp',
    'DELETE /profile/totp',
    'POST /profile/recovery-codes',
    'POST /profile/passkeys/options',
    'DELETE /profile/passkeys/:id',
    'PUT /profile/password-sign-in',
    'POST /profile/tokens',
    'POST /profile/calendar-feeds',
    'POST /service-accounts',
    'PUT /service-accounts/:id',
    'DELETE /service-accounts/:id',
    'PUT /service-accounts/:id/roles',
    'POST /service-accounts/:id/tokens',
    'POST /scim-connections',
    'PUT /scim-connections/:id',
    'DELETE /scim-connections/:id',
    'POST /scim-connections/:id/enable',
    'POST /scim-connections/:id/disable',
    'POST /scim-connections/:id/token',
    'DELETE /scim-connections/:id/token',
    'POST /scim-connections/:id/waiting/:waitingId/link',
    'POST /scim-connections/:id/waiting/:waitingId/create',
    'DELETE /employees/:id/sign-in-blocks/:blockId',
    'PUT /employees/:id/sign-in-block',
    'DELETE /employees/:id/sign-in-block',
    'POST /identity-providers',
    'PUT /identity-providers/:id',
    'DELETE /identity-providers/:id',
    'POST /identity-providers/:id/enable',
    'POST /identity-providers/:id/disable',
    'POST /identity-providers/:id/test',
    'POST /identity-providers/:id/unmatched/:unmatchedId/create',
    'POST /identity-providers/:id/unmatched/:unmatchedId/link',
    'PUT /identity-providers/:id/role-rules',
    'PUT /scim-connections/:id/role-rules',
    'POST /profile/identities/:id/start',
    'DELETE /profile/identities/:id',
    'PUT /sign-in-policies/:entity',
    'DELETE /sign-in-policies/:entity',
    'PUT /break-glass-accounts',
    'PUT /roles/:id/second-factor',
    'GET /employees/export',
    'POST /employees',
    'PUT /employees/:id/roles',
    'POST /employees/:id/reset-password',
    'POST /employees/reset-passwords',
    'POST /employees/:id/invite',
    'POST /employees/invite',
    'DELETE /employees/:id/second-factor',
    'POST /employees/imports/:id/commit',
    'POST /employees/imports/:id/undo',
    'POST /roles',
    'PUT /roles/:id',
    'PUT /roles/:id/permissions',
    'GET /audit-log/export',
    'POST /webhooks',
    'PUT /webhooks/:id',
    'POST /webhooks/:id/secret',
    'POST /chat-targets',
    'PUT /chat-targets/:id',
  ]);
  expect(onQuery.map(nameOf)).toEqual(['GET /employees/:id']);
  expect(onChange.map(nameOf)).toEqual(['PUT /employees/:id', 'POST /employees/:id/rehire']);
});

describe('with STEP_UP_MINUTES=10', () => {
  test(
    'every declared endpoint is 403 after ten minutes and no other; before, none is',
    { timeout: 180_000 },
    async () => {
      const { user_id } = await adminWithPassword();
      const client = await as(user_id);
      expect(await askingEndpoints(client, always)).toEqual([]);
      await age(user_id, 540);
      expect(await askingEndpoints(client, always)).toEqual([]);
      await age(user_id, 601);
      expect(await askingEndpoints(client, guarded)).toEqual(always.map(nameOf));
    },
  );

  test('the answer says how to go on, and nothing happened', async () => {
    const { user_id } = await adminWithPassword();
    const client = await as(user_id);
    await age(user_id, 3_600);
    const role = { name: 'Auditors', scope: 'all', permissions: ['audit.view'] };
    const { status, body } = await client.post('/api/roles', role, { 'idempotency-key': 'role' });
    expect([status, body]).toEqual([403, asking]);
    expect((await owner.query("select from roles where name = 'Auditors'")).rowCount).toBe(0);
    expect((await client.post('/api/profile/step-up', { password })).status).toBe(200);
    const again = await client.post('/api/roles', role, { 'idempotency-key': 'role' });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined]);
    await age(user_id, 3_600);
    expect((await client.post('/api/roles', role, { 'idempotency-key': 'role' })).status).toBe(403);
  });

  test('bank details ask by any spelling of the parameter; other private details do not', async () => {
    const { user_id } = await adminWithPassword();
    const client = await as(user_id);
    await age(user_id, 3_600);
    const [endpoint] = onQuery as [Endpoint];
    for (const value of ['bank', 'bank%20', '%20bank', 'BANK', '%C2%A0bank', 'private&reveal=bank'])
      expect([value, await asks(client, endpoint, `?reveal=${value}`)]).toEqual([value, true]);
    expect(await asks(client, endpoint, '?reveal[]=bank')).toBe(true);
    for (const query of ['', '?reveal=', '?reveal=private', '?as_of=2026-01-01'])
      expect([query, await asks(client, endpoint, query)]).toEqual([query, false]);
  });

  test('another sign-in address and other bank details ask; a form that sends them unchanged does not', async () => {
    const { user_id } = await adminWithPassword();
    const person = await make.employee();
    const client = await as(user_id);
    const url = `/api/employees/${person.id}`;
    const bank = { bank_name: 'First Bank', iban: 'DE89370400440532013000' };
    const put = (body: object) => client.put(url, body, { 'idempotency-key': JSON.stringify(body) });
    expect((await put({ bank })).status).toBe(200);
    await age(user_id, 3_600);
    expect((await put({ email: person.email, bank, phone: '+49 30 1' })).status).toBe(200);
    for (const body of [
      { email: `moved.${person.id}@acme.example` },
      { email: `moved.${person.id}@acme.example`, address_takes_effect: 'now' },
      { email: null },
      { bank: { ...bank, iban: 'GB33BUKB20201555555555' } },
      { bank: null },
    ]) {
      const { status, body: answer } = await put(body);
      expect([body, status, answer]).toEqual([body, 403, asking]);
    }
    // rights are checked first, and a missing person requires no proof
    expect((await client.put(`/api/employees/${absent}`, { email: 'a@acme.example' })).status).toBe(404);
    await client.post('/api/profile/step-up', { password });
    const moved = await put({ email: `moved.${person.id}@acme.example` });
    expect([moved.status, moved.body.data.email]).toEqual([200, `moved.${person.id}@acme.example`]);
  });

  test('a method named by _method, in the query or the body, asks alike', async () => {
    const { user_id } = await adminWithPassword();
    const { id } = await make.employee();
    const client = await as(user_id);
    await age(user_id, 3_600);
    const answers = [
      await client.post(`/api/employees/${id}/roles?_method=PUT`, { assignments: [] }),
      await client.post(`/api/employees/${id}/roles`, { _method: 'put', assignments: [] }),
      await client.send('PATCH', `/api/employees/${id}/roles`, { body: { assignments: [] } }),
      await client.send('HEAD', '/api/employees/export'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(answers.slice(0, 3).map(({ body }) => body)).toEqual([asking, asking, asking]);
  });

  test('without the permission the answer is the usual one: the order is permission, then proof', async () => {
    const { user_id } = await make.employee({ password });
    const client = await as(user_id);
    await age(user_id, 3_600);
    const { status, body } = await client.post('/api/roles', {});
    expect([status, body]).toEqual([403, { message: 'This action is unauthorized.' }]);
  });

  test('a sign-in and a change of the own password are proofs', async () => {
    const { user_id, email } = await adminWithPassword();
    const client = await as();
    expect((await client.post('/login', { email, password })).status).toBe(200);
    expect((await client.post('/api/roles', {})).status).toBe(422);
    await age(user_id, 3_600);
    expect((await client.post('/api/roles', {})).status).toBe(403);
    const next = 'An0ther!Phrase';
    const body = { current_password: password, password: next, password_confirmation: next };
    expect((await client.put('/api/profile/password', body)).status).toBe(200);
    expect((await client.post('/api/roles', {})).status).toBe(422);
  });

  test('a change of the password is none for an account with a second factor', async () => {
    const { user_id } = await adminWithPassword();
    const client = await as(user_id);
    const { secret } = await enrol(client);
    await age(user_id, 3_600);
    const next = 'An0ther!Phrase';
    const body = { current_password: password, password: next, password_confirmation: next };
    expect((await client.put('/api/profile/password', body)).status).toBe(200);
    const asked = await client.delete('/api/profile/totp');
    expect([asked.status, asked.body]).toEqual([403, { ...asking, step_up: ['totp'] }]);
    await clearLastStep(owner);
    expect((await client.post('/api/profile/step-up', { code: codeOf(secret) })).status).toBe(200);
    expect((await client.delete('/api/profile/totp')).status).toBe(204);
  });

  test('a proof from the future is none: the clock of the database was set back', async () => {
    const { user_id } = await adminWithPassword();
    const client = await as(user_id);
    await age(user_id, -30);
    expect((await client.post('/api/roles', {})).status).toBe(422);
    await age(user_id, -3_600);
    expect((await client.post('/api/roles', {})).status).toBe(403);
  });

  test('a session that the release before began counts from its beginning', async () => {
    const { user_id } = await adminWithPassword();
    const client = await as(user_id);
    await owner.query('update session_register set proved_at = null where user_id = $1', [user_id]);
    expect((await client.post('/api/roles', {})).status).toBe(422);
    await owner.query("update session_register set created_at = now() - interval '11 minutes' where user_id = $1", [
      user_id,
    ]);
    expect((await client.post('/api/roles', {})).status).toBe(403);
  });
});

describe('the proof', () => {
  test('is the password of this account, for this session alone', async () => {
    const { user_id } = await adminWithPassword();
    const [client, other] = [await as(user_id), await as(user_id)];
    await age(user_id, 3_600);
    const { body: how } = await client.post('/api/profile/step-up/options');
    expect(how.data).toEqual({ proofs: ['password'], options: null, url: null });
    const wrong = await client.post('/api/profile/step-up', { password: `${password}x` });
    expect([wrong.status, wrong.body.errors]).toEqual([422, { password: ['The password is incorrect.'] }]);
    expect((await client.post('/api/roles', {})).status).toBe(403);
    const right = await client.post('/api/profile/step-up', { password });
    expect([right.status, right.body]).toEqual([200, { message: 'Thank you. You can go on.' }]);
    expect((await client.post('/api/roles', {})).status).toBe(422);
    expect((await other.post('/api/roles', {})).status).toBe(403);
    const events = logged.map((line) => (JSON.parse(line) as { event?: string }).event);
    expect(events).toEqual(expect.arrayContaining(['step_up_ok', 'step_up_failed']));
  });

  test('is limited like a sign-in, and a limit refuses the right password too', async () => {
    const { user_id } = await adminWithPassword();
    const client = await as(user_id);
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1)
      statuses.push((await client.post('/api/profile/step-up', { password: `Wr0ng!Guess${count}` })).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
    const { status, body, headers } = await client.post('/api/profile/step-up', { password });
    expect([status, Object.keys(body.errors)]).toEqual([429, ['password']]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  test('leaves nothing of the password behind, whatever key it is sent with', async () => {
    const { user_id } = await adminWithPassword();
    const client = await as(user_id);
    const send = () => client.post('/api/profile/step-up', { password }, { 'idempotency-key': 'proof' });
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    expect((await owner.query('select from idempotency_keys where user_id = $1', [user_id])).rowCount).toBe(0);
  });

  test('an account without a password has none', async () => {
    const client = await as((await make.admin()).user_id);
    expect((await client.post('/api/profile/step-up', { password: '' })).status).toBe(422);
    expect((await client.post('/api/profile/step-up', { password: 'x' })).status).toBe(422);
  });
});

test('without the setting nothing asks: clients that know no proof work on', async () => {
  const { user_id } = await off.make.admin();
  const client = await off.as(user_id);
  await age(user_id, 86_400, off.owner);
  await off.owner.query("update session_register set created_at = now() - interval '11 hours'");
  expect(await askingEndpoints(client, [...always, ...onQuery])).toEqual([]);
});

/** The steps for adding each one. */
const enrolment = [
  'GET /profile/security',
  'POST /profile/totp',
  'POST /profile/totp/confirm',
  'POST /profile/passkeys/options',
  'POST /profile/passkeys',
  'POST /profile/step-up/options',
  'POST /profile/step-up',
];

test('a session that may only add a second factor may do nothing else', { timeout: 60_000 }, async () => {
  const { user_id } = await make.admin();
  const client = await as(user_id);
  await owner.query('update session_register set enrol_only = true where user_id = $1', [user_id]);
  for (const endpoint of guarded.filter((one) => !enrolment.includes(nameOf(one)))) {
    const { status, body } = await client.send(
      endpoint.method,
      urlOf(endpoint),
      endpoint.method === 'GET' ? {} : { body: {} },
    );
    const isOpen = endpoint.path === '/me' || endpoint.path === '/user';
    expect([nameOf(endpoint), status, body?.message]).toEqual(
      isOpen ? [nameOf(endpoint), 200, undefined] : [nameOf(endpoint), 403, 'Second factor required.'],
    );
  }
  expect((await client.get('/api/profile/security')).status).toBe(200);
  expect((await client.post('/api/profile/totp')).status).toBe(201);
  expect((await client.post('/api/profile/totp/confirm', {})).status).toBe(422);
  // the one-time password must be changed first, otherwise neither would be possible
  await owner.query('update users set must_change_password = true where id = $1', [user_id]);
  const changed = await client.put('/api/profile/password', {});
  expect([changed.status, changed.body.message]).not.toContain('Second factor required.');
  expect(changed.status).toBe(422);
  expect((await client.post('/logout')).status).toBe(200);
});
