import { afterEach, expect, test, vi } from 'vitest';
import { startApp } from '../testing/app.ts';
import { openSource } from '../testing/event-source.ts';
import type { Source } from '../testing/event-source.ts';
import { listen } from '../testing/socket.ts';
import { notify } from './notify.ts';
import { accounts } from './recipients.ts';

const app = await startApp({}, { live: { beatMs: 400, pollMs: 100 } });
const { as, make, deps, owner } = app;
const port = await listen(app.app);
const open: Source[] = [];

afterEach(() => {
  for (const source of open.splice(0)) source.close();
});

const person = await make.employee();
const client = await as(person.user_id);

async function openAt(at: number) {
  const source = await openSource(at, client);
  open.push(source);
  await source.wait('ready');
  return source;
}

let round = 0;
const notifyReader = () =>
  notify({ db: deps.db, actor: null }, 'role_changed', {
    subject: { type: 'account', id: person.user_id },
    round: (round += 1),
    url: '/profile',
    params: { roles: 'HR' },
    to: accounts([person.user_id]),
  });
const listeners = async () =>
  (
    await owner.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'tenure listener' and datname = current_database()",
    )
  ).rows;

test('an idle stream sends heartbeats', async () => {
  const source = await openAt(port);
  await vi.waitFor(() => expect(source.text().match(/\n\n:\n\n/g)?.length).toBeGreaterThan(0), 5_000);
  expect(source.heard).toHaveLength(1);
});

test('all pages of a process share one connection, opened with the first', async () => {
  await Promise.all([openAt(port), openAt(port), openAt(port)]);
  expect(await listeners()).toHaveLength(1);
  await vi.waitFor(() => expect(deps.live.isListening()).toBe(true));
});

test('notifications made while the listening connection is broken reach the page', async () => {
  const source = await openAt(port);
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(1));
  for (const { pid } of await listeners()) await deps.pool.query('select pg_terminate_backend($1)', [pid]);
  await notifyReader();
  await source.wait('notification');
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(1), 10_000);
  await notifyReader();
  await source.wait('notification', 2);
  expect(app.logged.some((line) => line.includes('listener_lost'))).toBe(true);
});

test('where the listener cannot connect, polling updates and ends open pages', async () => {
  const deaf = await startApp(
    {},
    { beside: app, live: { url: 'postgres://nobody@127.0.0.1:1/none', beatMs: 400, pollMs: 100 } },
  );
  expect(deaf.deps.live.isListening()).toBeUndefined();
  const source = await openAt(await listen(deaf.app));
  expect(deaf.deps.live.isListening()).toBe(false);
  await notifyReader();
  await source.wait('notification');
  await owner.query('update session_register set revoked_at = now() where user_id = $1', [person.user_id]);
  expect((await source.wait('end'))[0]?.data).toEqual({ reason: 'session' });
  await owner.query('update session_register set revoked_at = null where user_id = $1', [person.user_id]);
});

test('a session that is idle for too long ends its stream', async () => {
  const source = await openAt(port);
  await owner.query("update session_register set last_seen_at = now() - interval '1 day' where user_id = $1", [
    person.user_id,
  ]);
  expect((await source.wait('end'))[0]?.data).toEqual({ reason: 'session' });
  await owner.query('update session_register set last_seen_at = now()');
});

test('a change of the own password ends the stream, and the new session opens another', async () => {
  const source = await openAt(port);
  const hash = await deps.hashing.hash('0ld!Harbour-Lantern');
  await owner.query('update users set password_hash = $1 where id = $2', [hash, person.user_id]);
  const answer = await client.put('/api/profile/password', {
    current_password: '0ld!Harbour-Lantern',
    password: 'N3w!Harbour-Lantern',
    password_confirmation: 'N3w!Harbour-Lantern',
  });
  expect([answer.status, answer.body.message]).toEqual([200, 'Password changed successfully.']);
  expect((await source.wait('end'))[0]?.data).toEqual({ reason: 'session' });
  const next = await openAt(port);
  await notifyReader();
  await next.wait('notification');
});

test('a stopping process announces it at once and does not await the pages', async () => {
  const stopping = await startApp({}, { beside: app });
  const source = await openAt(await listen(stopping.app));
  const started = performance.now();
  await stopping.app.close();
  expect(performance.now() - started).toBeLessThan(5_000);
  expect((await source.wait('end'))[0]?.data).toEqual({ reason: 'restart' });
});

/** How many notifications open pages received, and how many of them within five seconds. */
async function delays() {
  const text = await deps.metrics.text();
  const value = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(name))
        ?.split(' ')
        .at(-1),
    );
  return {
    all: value('tenure_notification_delay_seconds_count'),
    soon: value('tenure_notification_delay_seconds_bucket{le="5"}'),
  };
}

test('how old notifications are when open pages get them is counted, without those of before', async () => {
  await notifyReader();
  const source = await openAt(port);
  const { all, soon } = await delays();
  await notifyReader();
  await source.wait('notification');
  expect(await delays()).toEqual({ all: all + 1, soon: soon + 1 });
  await owner.query(
    `insert into notifications (user_id, event, severity, subject_type, url, dedupe_key, created_at)
     values ($1, 'account_created', 'info', 'user', '/', 'late', now() - interval '10 seconds')`,
    [person.user_id],
  );
  await source.wait('notification', 2);
  expect(await delays()).toEqual({ all: all + 2, soon: soon + 1 });
});
