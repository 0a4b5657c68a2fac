import { seededGrants } from '@tenure/contract';
import { expect, test } from 'vitest';
import { newToken } from '../crypto/api-token.ts';
import { startApp } from '../testing/app.ts';
import { cookieHeader } from '../testing/client.ts';
import { untilMinuteHas } from '../testing/minute.ts';
import { bearing, programOf } from '../testing/programs.ts';

const service = await startApp({ FRONTEND_URL: 'https://hr.example.com' });
const { as, make, owner, logged } = service;
const [acme, other] = [await make.entity(), await make.entity()];
const hr = await make.employee({ entity_id: acme.id, roles: ['HR'] });
const someone = await make.employee({ entity_id: acme.id, email: 'lea@acme.example' });
const elsewhere = await make.employee({ entity_id: other.id });

const invalid = 'Bearer error="invalid_token"';
const seen = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id);

test('a token opens the service with the rights of its account that it holds', async () => {
  const program = await programOf(service, hr.user_id, ['employees.view', 'employees.view_all']);
  const list = await program.get('/api/employees?per_page=100');
  expect(list.status).toBe(200);
  expect(seen(list.body)).toEqual(expect.arrayContaining([someone.id, elsewhere.id]));
  const refused = await program.get('/api/departments');
  expect([refused.status, refused.body.message]).toEqual([403, 'This action is unauthorized.']);
  const me = await program.get('/api/me');
  expect(me.body.data.user.id).toBe(hr.user_id);
  expect(me.body.data.permissions).toEqual(['employees.view', 'employees.view_all']);
});

test('a token changes what it may change, without a CSRF token, and the log names it', async () => {
  const program = await programOf(service, hr.user_id, ['employees.view', 'employees.view_all', 'employees.update']);
  const changed = await program.send('PUT', `/api/employees/${someone.id}`, { grade: 'G7' });
  expect(changed.status).toBe(200);
  const { rows } = await owner.query(
    `select actor_id, token_id from audit_log where subject_id = $1 and action = 'employee.updated' order by id desc limit 1`,
    [someone.id],
  );
  expect(rows).toEqual([{ actor_id: String(hr.user_id), token_id: String(program.token_id) }]);
  expect(logged.some((line) => line.includes(`"token_id":${program.token_id},`))).toBe(true);
});

test('a sign-in address and bank details change in the browser only', async () => {
  const program = await programOf(service, hr.user_id, seededGrants('HR'));
  for (const change of [{ email: 'lea.other@acme.example' }, { bank: { account_number: 'DE1' } }]) {
    const refused = await program.send('PUT', `/api/employees/${someone.id}`, change);
    expect([refused.status, refused.body.message]).toEqual([403, 'This can be done in the browser only.']);
  }
  expect((await (await as(hr.user_id)).get(`/api/employees/${someone.id}`)).body.data.email).toBe('lea@acme.example');
});

test('companies of a token limit what its account reaches', async () => {
  const limited = { entity_ids: [other.id] };
  const program = await programOf(service, hr.user_id, ['employees.view', 'employees.view_all'], limited);
  expect(seen((await program.get('/api/employees?per_page=100')).body)).toEqual([elsewhere.id]);
  // nor its own record
  for (const person of [someone, hr]) expect((await program.get(`/api/employees/${person.id}`)).status).toBe(404);
});

test('a role that is taken away is gone at the next request', async () => {
  const person = await make.employee({ entity_id: acme.id, roles: ['HR'] });
  const program = await programOf(service, person.user_id, ['departments.view']);
  expect((await program.get('/api/departments')).status).toBe(200);
  await owner.query('delete from role_assignments where user_id = $1', [person.user_id]);
  expect((await program.get('/api/departments')).status).toBe(403);
});

test('401 for what is no token, says so, and sets no cookies', async () => {
  const revoked = await programOf(service, hr.user_id, ['employees.view']);
  await owner.query('update api_tokens set revoked_at = now() where id = $1', [revoked.token_id]);
  const expired = await programOf(service, hr.user_id, ['employees.view']);
  await owner.query(`update api_tokens set expires_at = now() - interval '1 second' where id = $1`, [expired.token_id]);
  const [leaver, inactive] = [await make.employee({ entity_id: acme.id }), await make.employee({ entity_id: acme.id })];
  const barred = await programOf(service, inactive.user_id, ['employees.view']);
  await owner.query(`update employees set activity_status = 'inactive' where id = $1`, [inactive.id]);
  const ended = await programOf(service, leaver.user_id, ['employees.view']);
  await owner.query('update users set is_enabled = false where id = $1', [leaver.user_id]);
  expect((await ended.get('/api/me')).status).toBe(401);
  // a revoked token does not return
  await owner.query('update users set is_enabled = true where id = $1', [leaver.user_id]);
  const provisioning = await programOf(service, hr.user_id, ['employees.view'], { kind: 'personal' });
  await owner.query(`update api_tokens set kind = 'service' where id = $1`, [provisioning.token_id]);
  const texts = ['', ' ', 'x', newToken('personal'), newToken('provisioning'), `${revoked.token}x`];
  for (const text of [...texts, revoked.token, expired.token, ended.token, barred.token, provisioning.token]) {
    const answer = await bearing(service, text).get('/api/me');
    expect([answer.status, answer.headers['www-authenticate'], answer.setCookies]).toEqual([401, invalid, []]);
    expect(answer.body).toEqual({ message: 'Unauthenticated.' });
  }
  const reasons = logged.filter((line) => line.includes('token_rejected')).join('\n');
  for (const reason of ['malformed', 'kind', 'unknown', 'revoked', 'expired', 'account', 'ended'])
    expect(reasons).toContain(`"reason":"${reason}"`);
});

test('N24: token and cookies are never mixed: the token alone decides, and cookies are neither read nor set', async () => {
  const [admin, employee] = [await as((await make.employee({ entity_id: acme.id, roles: ['Admin'] })).user_id), hr];
  const headers = {
    cookie: cookieHeader(admin.cookies),
    'x-xsrf-token': admin.cookies.get('XSRF-TOKEN') ?? '',
    referer: 'http://localhost:8000/',
    origin: 'https://evil.example',
  };
  const program = await programOf(service, employee.user_id, ['employees.view']);
  const mine = await program.get('/api/me', headers);
  expect([mine.status, mine.body.data.user.id, mine.setCookies]).toEqual([200, employee.user_id, []]);
  expect((await program.get('/api/roles', headers)).status).toBe(403);
  const bad = await bearing(service, 'tnrp_bad').get('/api/me', headers);
  expect([bad.status, bad.setCookies]).toEqual([401, []]);
  // a wrong token is refused at public endpoints too, and none of them sets a cookie
  expect((await bearing(service, 'tnrp_bad').get('/api/brand', headers)).status).toBe(401);
  for (const url of ['/api/brand', '/sanctum/csrf-cookie', '/api/nowhere', '/'])
    expect((await program.get(url, headers)).setCookies).toEqual([]);
  const signIn = await program.send('POST', '/login', { email: 'a@b.example', password: 'x' }, headers);
  expect([signIn.status, signIn.setCookies]).toEqual([403, []]);
});

test('another scheme of a proxy in front changes nothing', async () => {
  const client = await as(hr.user_id);
  const answer = await client.get('/api/me', { authorization: 'Basic dXNlcjpwYXNz' });
  expect(answer.status).toBe(200);
  expect(answer.setCookies.length).toBe(2);
});

test('a page of another origin reads no answer to a token', async () => {
  const program = await programOf(service, hr.user_id, ['employees.view']);
  const answer = await program.get('/api/me', { origin: 'https://hr.example.com' });
  expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, undefined]);
  const asked = { origin: 'https://hr.example.com', 'access-control-request-method': 'GET' };
  const preflight = await service.app.inject({
    method: 'OPTIONS',
    url: '/api/me',
    headers: { ...asked, 'access-control-request-headers': 'authorization, accept' },
  });
  expect(preflight.headers['access-control-allow-headers']).toBe('accept');
});

test('each use is noted at most once a minute, and a new address once', async () => {
  const program = await programOf(service, hr.user_id, ['employees.view']);
  const use = async () => {
    await program.get('/api/me');
    const { rows } = await owner.query<{ last_used_at: Date; ips: string[] }>(
      'select last_used_at, ips from api_tokens where id = $1',
      [program.token_id],
    );
    return rows[0];
  };
  const first = await use();
  expect(first?.ips).toEqual(['127.0.0.1']);
  expect((await use())?.last_used_at).toEqual(first?.last_used_at);
  await owner.query(`update api_tokens set ips = '{192.0.2.1}' where id = $1`, [program.token_id]);
  const before = logged.length;
  expect((await use())?.ips).toEqual(['192.0.2.1', '127.0.0.1']);
  await use();
  const noted = logged.slice(before).filter((line) => line.includes('token_used_from_new_ip'));
  expect(noted.map((line) => (JSON.parse(line) as { token_id: number }).token_id)).toEqual([program.token_id]);
});

test('an address that goes on with wrong tokens gets 429, and right ones still work', async () => {
  const own = await startApp();
  const person = await own.make.employee({ entity_id: (await own.make.entity()).id });
  const program = await programOf(own, person.user_id, ['employees.view']);
  const statuses: number[] = [];
  await untilMinuteHas(10);
  for (let tries = 0; tries < 102; tries += 1)
    statuses.push((await bearing(own, newToken('personal')).get('/api/me')).status);
  expect([statuses[0], statuses[99], statuses[101]]).toEqual([401, 401, 429]);
  expect((await program.get('/api/me')).status).toBe(200);
});

test(
  'an address that goes on for long is no longer looked up, and what is no token at all does not count',
  { timeout: 90_000 },
  async () => {
    const own = await startApp();
    const person = await own.make.employee({ entity_id: (await own.make.entity()).id });
    const program = await programOf(own, person.user_id, ['employees.view']);
    const send = (text: string) => bearing(own, text).get('/api/me');
    await untilMinuteHas(30);
    for (let tries = 0; tries < 1_001; tries += 1) await send('tnrp_bad');
    for (let tries = 0; tries < 999; tries += 1) await send(newToken('personal'));
    expect((await program.get('/api/me')).status).toBe(200);
    await send(newToken('personal'));
    const refused = await program.get('/api/me');
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
  },
);

test('a token has the limit of a person, and all tokens of an account twice that', async () => {
  const own = await startApp({ RATE_LIMIT_PER_MINUTE: '10' });
  const person = await own.make.employee({ entity_id: (await own.make.entity()).id });
  const programs = [];
  for (let made = 0; made < 3; made += 1) programs.push(await programOf(own, person.user_id, ['employees.view']));
  await untilMinuteHas(10);
  const passed: number[] = [];
  for (const program of programs) {
    const answers = [];
    for (let sent = 0; sent < 12; sent += 1) answers.push((await program.get('/api/me')).status);
    passed.push(answers.filter((status) => status === 200).length);
  }
  expect(passed[0]).toBe(10);
  expect((passed[1] ?? 0) + (passed[2] ?? 0)).toBeLessThanOrEqual(10);
  // programs do not slow down the person
  expect((await (await own.as(person.user_id)).get('/api/me')).status).toBe(200);
});
