import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { mailServer } from '../../testing/mail-server.ts';

/** Invitations of many people, and what mail scanners, foreign host names and malformed tokens do to a link. */

const { deliver, received, port } = await mailServer();
const { as, make, deps, owner } = await startApp({ SMTP_URL: `smtp://127.0.0.1:${port}` });
const acme = await make.entity();
const department = await make.department({ entity_id: acme.id });
const hr = await as((await make.employee({ department_id: department.id, roles: ['HR'] })).user_id);
const password = 'An0ther#Phrase';

/** People without a password, inserted with two statements. */
async function newcomers(prefix: string, count: number): Promise<number[]> {
  const { rows } = await owner.query<{ id: number }>(
    `with accounts as (
       insert into users (email) select $1 || n || '@acme.example' from generate_series(1, $2::int) as n
       returning id, email)
     insert into employees (employee_number, first_name, last_name, employment_lifecycle, entity_id, department_id,
                            email, user_id)
     select upper($1) || '-' || id, 'First' || id, 'Last' || id, 'confirmed', $3, $4, email, id from accounts
     returning id`,
    [prefix, count, acme.id, department.id],
  );
  return rows.map(({ id }) => id);
}

const tokensTo = (address: string) =>
  received
    .filter(({ to }) => to.includes(address))
    .map(({ source }) => /\/welcome#([\w-]{43})/.exec(source)?.[1] ?? '');
const redeem = async (token: unknown) =>
  (await as()).post('/api/account-links/redeem', { token, password, password_confirmation: password });
const openLinks = async () =>
  Number(
    (
      await owner.query<{ n: string }>(
        'select count(*) as n from account_links where used_at is null and revoked_at is null',
      )
    ).rows[0]?.n,
  );

test('500 invitations are sent with one link each, in less than 30 seconds of work', { timeout: 300_000 }, async () => {
  const employee_ids = await newcomers('many', 500);
  const before = process.threadCpuUsage();
  const { status, body } = await hr.post('/api/employees/invite', { employee_ids });
  expect([status, body.data.sent.length, body.data.refused]).toEqual([200, 500, []]);
  for (let round = 0; round < 50 && received.length < 500; round += 1) await deliver(deps);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(30);
  const tokens = Array.from({ length: 500 }, (_, n) => tokensTo(`many${n + 1}@acme.example`));
  expect(tokens.filter((all) => all.length === 1)).toHaveLength(500);
  expect(new Set(tokens.flat()).size).toBe(500);
  expect(await openLinks()).toBe(500);
  // a reminder replaces the link: each person has one valid link per purpose
  await hr.post('/api/employees/invite', { employee_ids: employee_ids.slice(0, 20) });
  expect(await openLinks()).toBe(500);
  expect((await redeem(tokens[0]?.[0])).status).toBe(422);
  expect((await redeem(tokens[499]?.[0])).status).toBe(200);
  // only one of 20 simultaneous requests sets the password
  const together = await Promise.all(Array.from({ length: 20 }, () => redeem(tokens[498]?.[0])));
  expect(together.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a link that is only opened is not used up, and its address comes from the settings', async () => {
  const [id] = await newcomers('scanned', 1);
  const answer = await hr.post(
    `/api/employees/${id}/invite`,
    {},
    { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  );
  expect(answer.status).toBe(200);
  await deliver(deps);
  const mail = received.find(({ to }) => to.includes('scanned1@acme.example'))?.source ?? '';
  expect(mail).toContain('http://localhost:8000/welcome#');
  expect(mail).not.toContain('evil.example');
  const [token = ''] = tokensTo('scanned1@acme.example');
  const scanner = await as();
  for (const path of ['/welcome', `/welcome?token=${token}`, '/api/account-links/check', '/api/account-links/redeem'])
    for (const method of ['GET', 'HEAD']) await scanner.send(method, path);
  expect(
    (await scanner.post(`/api/account-links/redeem?token=${token}`, { password, password_confirmation: password }))
      .status,
  ).toBe(422);
  for (let n = 0; n < 3; n += 1) expect((await scanner.post('/api/account-links/check', { token })).status).toBe(200);
  expect((await redeem(token)).status).toBe(200);
});

test('a token is one text: lists, objects and other spellings open nothing', async () => {
  const [first, second] = await newcomers('odd', 2);
  for (const id of [first, second]) await hr.post(`/api/employees/${id}/invite`);
  await deliver(deps);
  const [token = '', other = ''] = [...tokensTo('odd1@acme.example'), ...tokensTo('odd2@acme.example')];
  const before = await openLinks();
  for (const odd of [
    [token],
    [token, other],
    { token },
    { 0: token },
    `${token}x`,
    token.slice(1),
    token.toLowerCase(),
    null,
    1,
  ])
    expect([odd, (await redeem(odd)).status]).toEqual([odd, 422]);
  expect(await openLinks()).toBe(before);
  expect((await redeem(token)).status).toBe(200);
});
