import { afterEach, describe, expect, test, vi } from 'vitest';
import { notify } from '../../notifications/notify.ts';
import { accounts } from '../../notifications/recipients.ts';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { openSource } from '../../testing/event-source.ts';
import type { Source } from '../../testing/event-source.ts';
import { listen } from '../../testing/socket.ts';

const oneProcess = await startApp();
const otherProcess = await startApp({}, { beside: oneProcess });
const { as, make, deps, owner } = oneProcess;
const ports = [await listen(oneProcess.app), await listen(otherProcess.app)] as const;
const admin = await as((await make.admin()).user_id);
const open: Source[] = [];

afterEach(() => {
  for (const source of open.splice(0)) source.close();
});

const openAt = async (port: number, client: Client, headers?: Record<string, string>) => {
  const source = await openSource(port, client, headers);
  open.push(source);
  await source.wait('ready');
  return source;
};

let round = 0;
const notifyUser = (userId: number, person = 'Lena Park') =>
  notify({ db: deps.db, actor: null }, 'employee_separated', {
    subject: { type: 'employee', id: 7 },
    round: (round += 1),
    url: '/employees/7',
    params: { person, date: '2099-12-31' },
    to: accounts([userId]),
  });
const data = (source: Source, event: string) =>
  source.heard.filter((one) => one.event === event).map((one) => one.data);
const isOver = (source: Source) => vi.waitFor(() => expect(source.isOver()).toBe(true), 10_000);

describe('an open page', () => {
  test("receives new notifications in its reader's language, on any process", async () => {
    const { user_id } = await make.employee();
    await owner.query("update users set locale = 'de' where id = $1", [user_id]);
    const client = await as(user_id);
    await notifyUser(user_id);
    const sources = [await openAt(ports[0], client), await openAt(ports[1], client)];
    await notifyUser(user_id, 'Zoë Müller');
    for (const source of sources) {
      const [news] = await source.wait('notification');
      expect(data(source, 'ready')).toEqual([{ unread: 1 }]);
      expect(news?.data).toEqual({
        id: Number(news?.id),
        event: 'employee_separated',
        title: 'Zoë Müller scheidet aus',
        severity: 'info',
        url: '/employees/7',
        unread: 2,
      });
      expect(source.heard).toHaveLength(2);
    }
  });

  test('gets headers that proxies respect', async () => {
    const source = await openAt(ports[0], admin, { 'accept-encoding': 'gzip, br' });
    expect(source.status).toBe(200);
    expect(Object.fromEntries(source.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    expect(source.headers.get('content-encoding')).toBeNull();
    expect(source.text()).toMatch(/^retry: [3-7]\d{3}\n\n/);
  });

  test('receives the new count when another page reads, and nothing of other people', async () => {
    const [me, other] = [await make.employee(), await make.employee()];
    const [client, stranger] = [await as(me.user_id), await as(other.user_id)];
    await notifyUser(me.user_id);
    const [mine, theirs] = [await openAt(ports[0], client), await openAt(ports[1], stranger)];
    expect((await client.post('/api/notifications/read-all')).status).toBe(200);
    await mine.wait('counts');
    expect(data(mine, 'counts')).toEqual([{ unread: 0 }]);
    await notifyUser(other.user_id);
    await theirs.wait('notification');
    expect(theirs.heard.map(({ event }) => event)).toEqual(['ready', 'notification']);
    expect(mine.heard).toHaveLength(2);
  });

  test('that reconnects receives missed notifications once', async () => {
    const { user_id } = await make.employee();
    const client = await as(user_id);
    const source = await openAt(ports[0], client);
    await notifyUser(user_id, 'First Person');
    const [{ id = '' } = {}] = await source.wait('notification');
    source.close();
    await notifyUser(user_id, 'Second Person');
    await notifyUser(user_id, 'Third Person');
    const back = await openAt(ports[1], client, { 'last-event-id': id });
    await back.wait('notification', 2);
    await notifyUser(user_id, 'Fourth Person');
    await back.wait('notification', 3);
    expect(data(back, 'notification').map(({ title }) => title)).toEqual([
      'Second Person is leaving',
      'Third Person is leaving',
      'Fourth Person is leaving',
    ]);
    const odd = await openAt(ports[0], client, { 'last-event-id': "1' or 1=1" });
    expect(odd.heard.map(({ event }) => event)).toEqual(['ready']);
  });

  test('receives the count when there are many at once', async () => {
    const { user_id } = await make.employee();
    const source = await openAt(ports[0], await as(user_id));
    await owner.query(
      `insert into notifications (user_id, event, severity, subject_type, subject_id, url, params, dedupe_key)
       select $1, 'role_changed', 'info', 'account', n, '/profile', '{"roles": "HR"}', 'role_changed:' || n
       from generate_series(1, 10000) n`,
      [user_id],
    );
    await source.wait('counts');
    expect(source.heard.map(({ event, data: sent }) => [event, sent])).toEqual([
      ['ready', { unread: 0 }],
      ['counts', { unread: 10_000 }],
    ]);
  });

  test('beyond ten per person closes the oldest', async () => {
    const { user_id } = await make.employee();
    const client = await as(user_id);
    const sources = [];
    for (let n = 0; n < 11; n += 1) sources.push(await openAt(ports[0], client));
    await isOver(sources[0] as Source);
    expect(data(sources[0] as Source, 'end')).toEqual([{ reason: 'replaced' }]);
    expect(sources.slice(1).every((source) => !source.isOver())).toBe(true);
    for (const source of sources) source.close();
    await vi.waitFor(() => expect(deps.live.size()).toBe(0));
  });
});

describe('a stream ends with its session', () => {
  test.each([
    ['signing out', async (client: Client) => client.post('/api/logout')],
    [
      'deactivation',
      async (_client: Client, id: number) =>
        admin.post(`/api/employees/${id}/deactivate`, { reason: 'Left without a word' }),
    ],
    ['a one-time password', async (_client: Client, id: number) => admin.post(`/api/employees/${id}/reset-password`)],
    ['the end of all sessions', async (_client: Client, id: number) => admin.delete(`/api/employees/${id}/sessions`)],
  ])('by %s, on every process and at once', async (_name, act) => {
    const { id, user_id } = await make.employee();
    const client = await as(user_id);
    const sources = [await openAt(ports[0], client), await openAt(ports[1], client)];
    const started = performance.now();
    const { status, body } = await act(client, id);
    expect([status < 300, body]).toEqual([true, body]);
    for (const source of sources) {
      await isOver(source);
      expect(data(source, 'end')).toEqual([{ reason: 'session' }]);
    }
    expect(performance.now() - started).toBeLessThan(5_000);
    expect((await openSource(ports[0], client)).status).toBe(401);
  });

  test('and another session of the same person continues', async () => {
    const { user_id } = await make.employee();
    const [one, two] = [await as(user_id), await as(user_id)];
    const [ending, staying] = [await openAt(ports[0], one), await openAt(ports[0], two)];
    await one.post('/api/logout');
    await isOver(ending);
    await notifyUser(user_id);
    await staying.wait('notification');
    expect(staying.isOver()).toBe(false);
  });

  test('also when all sessions of the installation end', async () => {
    const source = await openAt(ports[1], await as((await make.employee()).user_id));
    await owner.query('update installation set global_epoch = global_epoch + 1');
    await isOver(source);
    expect(data(source, 'end')).toEqual([{ reason: 'session' }]);
  });
});

test('guests get no stream', async () => {
  expect((await openSource(ports[0], await as())).status).toBe(401);
});
