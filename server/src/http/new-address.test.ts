import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';

const { as, make, logged, owner } = await startApp({ TRUST_PROXY: '127.0.0.0/8' });
const person = await make.employee();

type Line = { event?: string; ip: string; actor_id: number };
const lines = () =>
  logged.map((line) => JSON.parse(line) as Line).filter(({ event }) => event === 'session_used_from_new_ip');

test('a session used from a new address is noted once for each address, and goes on', async () => {
  const client = await as(person.user_id);
  const from = async (ip: string) => {
    const answer = await client.get('/api/me', { 'x-forwarded-for': ip });
    expect(answer.status).toBe(200);
  };
  await from('127.0.0.1');
  expect(lines()).toEqual([]);
  await Promise.all([1, 2, 3].map(() => from('192.0.2.7')));
  await from('192.0.2.7');
  await from('127.0.0.1');
  await from('192.0.2.8');
  expect(lines().map(({ ip, actor_id }) => [ip, actor_id])).toEqual([
    ['192.0.2.7', person.user_id],
    ['192.0.2.8', person.user_id],
  ]);
  expect(logged.join('')).not.toContain(person.email);
});

test('of many addresses the latest fifty are remembered', async () => {
  const client = await as(person.user_id);
  for (let n = 1; n <= 60; n += 1) await client.get('/api/me', { 'x-forwarded-for': `198.51.100.${n}` });
  const { rows } = await owner.query('select other_ips from session_register order by id desc limit 1');
  expect(rows[0].other_ips).toHaveLength(50);
  expect(rows[0].other_ips.at(-1)).toBe('198.51.100.60');
});

test('the address of a guest is not noted', async () => {
  const before = lines().length;
  const guest = await as();
  expect((await guest.get('/api/me', { 'x-forwarded-for': '203.0.113.5' })).status).toBe(401);
  expect(lines()).toHaveLength(before);
});
