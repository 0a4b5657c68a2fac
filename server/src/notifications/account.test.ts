import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';

const { as, make, owner } = await startApp({ TRUST_PROXY: '127.0.0.0/8' });
const password = 'Str0ng!Passw0rd';
const next = 'An0ther#Phrase';
const acme = await make.entity();
const hr = await as((await make.employee({ entity_id: acme.id, roles: ['HR'] })).user_id);
const inAcme = (more: Parameters<typeof make.employee>[0] = {}) => make.employee({ entity_id: acme.id, ...more });

type Notification = { user_id: number; event: string; variant: string; actor_id: number | null; params: object };
const notices = async (userId: number): Promise<Notification[]> =>
  (
    await owner.query<Notification>(
      'select user_id::int, event, variant, actor_id::int, params from notifications where subject_id = $1 order by id',
      [userId],
    )
  ).rows;
const mails = async (userId: number) =>
  (
    await owner.query<{ address: string | null; status: string }>(
      `select d.address, d.status from notification_deliveries d join notifications n on n.id = d.notification_id
       where n.user_id = $1 order by d.id`,
      [userId],
    )
  ).rows;

const firefox = (version: number) =>
  `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
async function signIn(email: string, secret: string, { agent = firefox(140), ip = '192.0.2.1' } = {}) {
  const guest = await as();
  const headers = { 'user-agent': agent, 'x-forwarded-for': ip };
  return (await guest.send('POST', '/login', { body: { email, password: secret }, headers })).status;
}

beforeEach(() => owner.query('delete from login_attempts'));

describe('a sign-in', () => {
  test('from a new device is notified; the first device and an updated browser are not', async () => {
    const { email, user_id } = await inAcme({ password });
    expect(await signIn(email, password)).toBe(200);
    expect(await signIn(email, password)).toBe(200);
    expect(await signIn(email, password, { agent: firefox(141), ip: '192.0.2.9' })).toBe(200);
    expect(await notices(user_id)).toEqual([]);
    expect(await signIn(email, password, { agent: 'curl/8.5.0', ip: '198.51.100.7' })).toBe(200);
    expect(await notices(user_id)).toEqual([
      {
        user_id,
        event: 'account_security_notice',
        variant: 'plain',
        actor_id: user_id,
        params: { ip: '198.51.100.7', device: 'curl/8.5.0' },
      },
    ]);
    expect(await signIn(email, password, { agent: 'curl/8.6.0' })).toBe(200);
    expect(await notices(user_id)).toHaveLength(1);
    expect(await mails(user_id)).toEqual([{ address: null, status: 'pending' }]);
  });

  test('is notified after five failed attempts and not after four', async () => {
    const { email, user_id } = await inAcme({ password });
    for (let n = 0; n < 4; n += 1) expect(await signIn(email, 'wrong', { ip: `192.0.2.${n}` })).toBe(422);
    expect(await signIn(email, password)).toBe(200);
    expect(await notices(user_id)).toEqual([]);
    expect(await signIn(email, 'wrong')).toBe(422);
    expect(await signIn(email, password, { ip: '192.0.2.77' })).toBe(200);
    expect(await notices(user_id)).toMatchObject([{ variant: 'failures', params: { count: 5, ip: '192.0.2.77' } }]);
  });

  test('that fails notifies no one', async () => {
    const { email, user_id } = await inAcme({ password });
    for (let n = 0; n < 7; n += 1) await signIn(email, 'wrong', { ip: `192.0.2.${n}` });
    expect(await notices(user_id)).toEqual([]);
  });
});

test('a change of the own password notifies the person who made it', async () => {
  const { user_id } = await inAcme({ password });
  const client = await as(user_id);
  const change = { current_password: password, password: next, password_confirmation: next };
  expect((await client.put('/api/profile/password', { ...change, current_password: 'wrong' })).status).toBe(422);
  expect(await notices(user_id)).toEqual([]);
  expect((await client.put('/api/profile/password', change)).status).toBe(200);
  expect(await notices(user_id)).toMatchObject([{ user_id, variant: 'password', actor_id: user_id }]);
});

test('a change of the email address notifies the new and the old address', async () => {
  const person = await inAcme({ email: 'before@example.com' });
  expect((await hr.put(`/api/employees/${person.id}`, { email: 'after@example.com' })).status).toBe(200);
  expect(await notices(person.user_id)).toMatchObject([{ variant: 'email', params: { address: 'after@example.com' } }]);
  expect((await mails(person.user_id)).map(({ address }) => address)).toEqual([null, 'before@example.com']);
  expect((await hr.put(`/api/employees/${person.id}`, { phone: '+44 113 496 0101' })).status).toBe(200);
  expect(await notices(person.user_id)).toHaveLength(1);
});

describe('a one-time password', () => {
  test('notifies the person each time and is not part of the notification', async () => {
    const person = await inAcme();
    const first = await hr.post(`/api/employees/${person.id}/reset-password`);
    const second = await hr.post(`/api/employees/${person.id}/reset-password`);
    expect([first.status, second.status]).toEqual([200, 200]);
    const rows = await notices(person.user_id);
    expect(rows.map(({ event, user_id }) => [event, user_id])).toEqual([
      ['password_reset_by_admin', person.user_id],
      ['password_reset_by_admin', person.user_id],
    ]);
    expect(JSON.stringify(rows)).not.toContain(first.body.one_time_password);
  });

  test('for many notifies those who got one', async () => {
    const people = [await inAcme(), await inAcme()];
    const inactive = await inAcme({ activity_status: 'inactive' });
    const ids = [...people, inactive].map(({ id }) => id);
    expect((await hr.post('/api/employees/reset-passwords', { employee_ids: ids })).status).toBe(200);
    for (const { user_id } of people) expect(await notices(user_id)).toHaveLength(1);
    expect(await notices(inactive.user_id)).toEqual([]);
  });
});
