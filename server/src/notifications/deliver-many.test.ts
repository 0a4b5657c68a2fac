import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { notificationEvents } from '@tenure/contract';
import { afterEach, expect, test } from 'vitest';
import { openMailer } from '../mail/mailer.ts';
import { startApp } from '../testing/app.ts';
import { kpiMaker } from '../testing/make-kpi.ts';
import { deliverMail } from './deliver.ts';

const app = await startApp();
const { as, make, deps, owner } = app;
const kpi = kpiMaker(app);
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A mail server that counts mails and records how many it received at once. */
async function mailServer() {
  const seen = { mails: 0, together: 0, most: 0 };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      seen.mails += 1;
      seen.together += 1;
      seen.most = Math.max(seen.most, seen.together);
      const taken = () => {
        seen.together -= 1;
        done();
      };
      stream.on('end', taken).resume();
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { seen, port: (server.server.address() as AddressInfo).port };
}

/** A server that accepts connections and never answers. */
async function silentServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

const deliver = (port: number, timeoutMs = 5_000) =>
  deliverMail({
    deps: {
      ...deps,
      mailer: openMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'Tenure <no-reply@acme.example>', timeoutMs }),
    },
    now: Temporal.Now.instant(),
  });
const statuses = async () =>
  (
    await owner.query<{ status: string; n: number }>(
      'select status, count(*)::int as n from notification_deliveries group by 1 order by 1',
    )
  ).rows;

/** A draft cycle in which `count` people of one department take part. */
async function draftFor(count: number) {
  const head = await make.employee({ roles: ['Manager'] });
  const { id: department_id } = await make.department({ entity_id: head.entity_id, manager_id: head.id });
  for (let n = 0; n < count; n += 1) await make.employee({ department_id });
  const { id: template_id } = await kpi.template();
  return kpi.cycle({ status: 'draft', departments: [{ department_id, template_id }] });
}

test('every event has a setting from the start', async () => {
  const { rows } = await owner.query<{ event: string }>('select event from notification_settings order by event');
  expect(rows.map(({ event }) => event)).toEqual(notificationEvents.toSorted());
});

test('publishing a cycle succeeds while the mail server hangs, and the mails stay queued', async () => {
  const { id } = await draftFor(12);
  const port = await silentServer();
  const answer = await hr.post(`/api/kpi-cycles/${id}/publish`);
  expect([answer.status, answer.body.result.created]).toEqual([200, 12]);
  let isOver = false;
  const sending = deliver(port, 60_000).then(() => (isOver = true));
  expect((await hr.get(`/api/kpi-cycles/${id}`)).status).toBe(200);
  expect(isOver).toBe(false);
  await closing.pop()?.();
  await sending;
  expect(await statuses()).toEqual([{ status: 'pending', n: 12 }]);
  const jobs = await owner.query("select 1 from graphile_worker.jobs where task_identifier = 'deliver_mail'");
  expect(jobs.rowCount).toBeGreaterThan(0);
});

test('hundreds of mails are sent in small batches, each once, while requests are answered', async () => {
  await owner.query('delete from notifications');
  const { user_id } = await make.employee();
  const count = 150;
  await owner.query(
    `with people as (
       insert into users (email) select 'person' || n || '@acme.example' from generate_series(1, $1::int) n returning id
     ), notified as (
       insert into notifications (user_id, event, severity, subject_type, subject_id, url, params, dedupe_key)
       select id, 'kpi_evaluation_assigned', 'action', 'kpi_evaluation', id, '/kpi/evaluations/' || id,
              '{"cycle": "Q1", "date": "2026-04-10"}', 'kpi_evaluation_assigned:' || id || ':1'
       from people returning id)
     insert into notification_deliveries (notification_id, channel) select id, 'email' from notified`,
    [count],
  );
  const { seen, port } = await mailServer();
  const client = await as(user_id);
  const sending = [deliver(port), deliver(port)];
  for (let n = 0; n < 20; n += 1) expect((await client.get('/api/notifications')).status).toBe(200);
  await Promise.all(sending);
  expect(seen).toMatchObject({ mails: count, together: 0 });
  expect(seen.most).toBeLessThanOrEqual(5);
  expect(await statuses()).toEqual([{ status: 'sent', n: count }]);
});

test('of several senders that start together one sends, and no mail is sent twice', async () => {
  const { seen, port } = await mailServer();
  const rounds = 12;
  for (let round = 0; round < rounds; round += 1) {
    await owner.query(
      "update notification_deliveries set status = 'pending', next_attempt_at = now() where id in (select id from notification_deliveries order by id limit 10)",
    );
    await Promise.all(Array.from({ length: 8 }, () => deliver(port)));
  }
  expect(seen.mails).toBe(rounds * 10);
  expect(seen.most).toBeLessThanOrEqual(5);
});
