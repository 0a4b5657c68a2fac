import { feedKinds } from '@tenure/contract';
import { describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { plantCanaries } from '../testing/canaries.ts';
import type { Reader } from '../testing/canary-readers.ts';
import type { Client } from '../testing/client.ts';

/** Attacks on calendar addresses: how long they work, whose data they show, and that names are off by default. */

const service = await startApp({ APP_URL: 'https://hr.example.com' });
const { app, as, make, owner } = service;
const { clients } = await plantCanaries(service);
const admin = await as((await make.admin()).user_id);

const makeFeed = async (client: Client, with_names = false) => {
  const { status, body } = await client.post('/api/profile/calendar-feeds', { kinds: feedKinds, with_names });
  expect([status, body.errors]).toEqual([201, undefined]);
  return { id: body.data.id as number, path: new URL(body.url as string).pathname };
};
const fetchFeed = async (path: string) => {
  const { statusCode, body } = await app.inject({ url: path });
  return { status: statusCode, text: body.replaceAll('\r\n ', '') };
};
const statusOf = async (path: string) => (await fetchFeed(path)).status;

describe('N32: an address opens no longer than its person signs in', async () => {
  const ways: [how: string, end: (person: { id: number; user_id: number }) => Promise<unknown>][] = [
    ['is deactivated', ({ id }) => admin.post(`/api/employees/${id}/deactivate`, { reason: 'Left the company today' })],
    ['gets a new password from HR', ({ id }) => admin.post(`/api/employees/${id}/reset-password`, {})],
    ['is switched off', ({ user_id }) => owner.query('update users set is_enabled = false where id = $1', [user_id])],
    [
      'is switched off and on again',
      async ({ user_id }) => {
        await owner.query('update users set is_enabled = false where id = $1', [user_id]);
        await owner.query('update users set is_enabled = true where id = $1', [user_id]);
      },
    ],
    ['has left', ({ id }) => owner.query(`update employees set activity_status = 'inactive' where id = $1`, [id])],
  ];
  test.each(ways)('a person who %s', async (_how, end) => {
    const person = await make.employee({ password: 'right-Battery-9' });
    const client = await as(person.user_id);
    const { path } = await makeFeed(client);
    expect(await statusOf(path)).toBe(200);
    await end(person);
    expect(await statusOf(path)).toBe(404);
  });

  test('an address that is removed, on every process', async () => {
    const client = await as((await make.employee()).user_id);
    const { id, path } = await makeFeed(client);
    const beside = await startApp({}, { beside: service });
    expect((await beside.app.inject({ url: path })).statusCode).toBe(200);
    expect((await client.delete(`/api/profile/calendar-feeds/${id}`)).status).toBe(204);
    expect((await beside.app.inject({ url: path })).statusCode).toBe(404);
  });

  test('an address made by who was let in ends with the rights that the other lacks', async () => {
    const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
    const person = await make.employee();
    const issued = await hr.post(`/api/employees/${person.id}/reset-password`, { delivery: 'screen' });
    const current_password = issued.body.one_time_password as string;
    const stranger = await as();
    expect((await stranger.post('/login', { email: person.email, password: current_password })).status).toBe(200);
    const password = 'An0ther!Phrase';
    await stranger.put('/api/profile/password', { current_password, password, password_confirmation: password });
    const { path } = await makeFeed(stranger, true);
    await owner.query('update users set password_issued_by = null where id = $1', [person.user_id]);
    const own = await make.employee();
    const { path: kept } = await makeFeed(await as(own.user_id));
    expect([await statusOf(path), await statusOf(kept)]).toEqual([200, 200]);
    const { rows } = await owner.query(`select id from roles where name = 'Admin'`);
    for (const { id } of [person, own])
      await admin.put(`/api/employees/${id}/roles`, { assignments: [{ role_id: rows[0].id }] });
    expect([await statusOf(path), await statusOf(kept)]).toEqual([404, 200]);
  });
});

describe('N32: an address shows what its person may see now', () => {
  test('a narrower scope takes entries away, and another person has other ones', async () => {
    const { path } = await makeFeed(clients.hr, true);
    const before = await fetchFeed(path);
    expect(before.text).toContain('BEGIN:VEVENT');
    await owner.query(
      `update role_assignments a set entity_ids = array[(select id from entities where name = 'South')]
       from roles r where r.id = a.role_id and r.name = 'HR' and a.user_id = (
         select user_id from calendar_feeds order by id desc limit 1)`,
    );
    const { rows } = await owner.query<{ name: string }>(
      `select e.name from employees e join entities c on c.id = e.entity_id where c.name = 'North'`,
    );
    const names = rows.map(({ name }) => name);
    expect(names.filter((name) => before.text.includes(name)).length).toBeGreaterThan(0);
    const after = await fetchFeed(path);
    expect(after.status).toBe(200);
    expect(names.filter((name) => after.text.includes(name))).toEqual([]);
  });

  test('no name and no planted value is in a calendar whose person wants none', async () => {
    const { rows } = await owner.query<{ words: string[] }>(
      `select array[name, first_name, last_name] as words from employees
       union all select array[name] from kpi_cycles union all select array[name] from departments`,
    );
    const names = [...new Set(rows.flatMap(({ words }) => words))].filter((word) => word && word.length > 2);
    const shown = { unasked: 0, asked: 0 };
    for (const reader of Object.keys(clients) as Reader[]) {
      const { id, path } = await makeFeed(clients[reader]);
      const { text } = await fetchFeed(path);
      const said = text.split('\r\n').filter((line) => /^(SUMMARY|DESCRIPTION|LOCATION|UID|URL)/.test(line));
      shown.unasked += said.length;
      expect([reader, names.filter((name) => said.some((line) => line.includes(name)))]).toEqual([reader, []]);
      expect([reader, /zq/i.test(text.replaceAll(/^UID.*$/gm, ''))]).toEqual([reader, false]);
      await clients[reader].delete(`/api/profile/calendar-feeds/${id}`);
      const named = await fetchFeed((await makeFeed(clients[reader], true)).path);
      shown.asked += names.filter((name) => named.text.includes(name)).length;
    }
    expect(shown.unasked).toBeGreaterThan(10);
    expect(shown.asked).toBeGreaterThan(5);
  });
});

test('N32: no address is left after a restored backup, which ends everything', async () => {
  const { path } = await makeFeed(await as((await make.employee()).user_id));
  expect(await statusOf(path)).toBe(200);
  await owner.query('update installation set global_epoch = global_epoch + 1');
  expect(await statusOf(path)).toBe(404);
});
