import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startWorker } from '../jobs/worker.ts';
import { openMailer } from '../mail/mailer.ts';
import { startApp } from '../testing/app.ts';
import { deliverMail } from './deliver.ts';

const { as, make, deps, owner } = await startApp();
const admin = await as((await make.admin()).user_id);
const from = 'Tenure <no-reply@acme.example>';
const closing: (() => Promise<unknown>)[] = [];

beforeEach(() => owner.query('delete from notifications'));
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Delivered = { recipients: string[]; source: string };

/** A mail server that accepts everything except what the options say. */
async function mailServer(options: SMTPServerOptions = {}) {
  const delivered: Delivered[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope: { rcptTo } }, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        delivered.push({ recipients: rcptTo.map(({ address }) => address), source: Buffer.concat(parts).toString() });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { delivered, port: (server.server.address() as AddressInfo).port };
}

/** A server that accepts connections and never answers. */
async function silentServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { sockets, port: (server.address() as AddressInfo).port };
}

const sender = (port: number | undefined, timeoutMs = 5_000) => ({
  ...deps,
  mailer: openMailer({ smtpUrl: port === undefined ? undefined : `smtp://127.0.0.1:${port}`, from, timeoutMs }),
});
const later = (minutes: number) => Temporal.Now.instant().add({ minutes });
const deliver = (port: number | undefined, minutes = 0, timeoutMs?: number) =>
  deliverMail({ deps: sender(port, timeoutMs), now: later(minutes) });

/** A person whose roles have just changed, so that a mail is due. */
async function notifyPerson(fields: Parameters<typeof make.employee>[0] = {}, locale = 'en') {
  const person = await make.employee(fields);
  await owner.query('update users set locale = $1 where id = $2', [locale, person.user_id]);
  const { rows } = await owner.query<{ id: number }>("select id::int from roles where name = 'TeamLead'");
  const answer = await admin.put(`/api/employees/${person.id}/roles`, { assignments: [{ role_id: rows[0]?.id }] });
  expect(answer.status).toBe(200);
  return person;
}

type Delivery = { status: string; attempts: number; error: string | null; minutes: number; is_sent: boolean };
const deliveries = async () =>
  (
    await owner.query<Delivery>(
      `select status, attempts, error, sent_at is not null as is_sent,
              round(extract(epoch from next_attempt_at - now()) / 60)::int as minutes
       from notification_deliveries order by id`,
    )
  ).rows;
const decoded = (source: string) => {
  const bytes = source
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
};

describe('a mail', () => {
  test('contains the kind of event and the link, as text and HTML, and none of the content', async () => {
    const { email } = await notifyPerson({
      first_name: 'Zoë <b>',
      last_name: 'Müller',
      display_name: 'Zoë <b> Müller',
    });
    const { delivered, port } = await mailServer();
    await deliver(port);
    expect(delivered.map(({ recipients }) => recipients)).toEqual([[email]]);
    const source = decoded(delivered[0]?.source ?? '');
    expect(source).toContain('Subject: Your roles changed');
    expect(source).toContain('text/plain');
    expect(source).toContain('text/html');
    // a phone shows it at its own width, and in dark mode
    expect(source).toContain('<meta name="viewport" content="width=device-width">');
    expect(source).toContain('<meta name="color-scheme" content="light dark">');
    expect(source).toContain('http://localhost:8000/profile');
    expect(source).toContain('&lt;b&gt;');
    expect(source).not.toContain('TeamLead');
    expect(await deliveries()).toMatchObject([{ status: 'sent', attempts: 1, error: null, is_sent: true }]);
  });

  test('is in the language of its recipient', async () => {
    await notifyPerson({}, 'de-AT');
    await notifyPerson({}, 'tlh');
    const { delivered, port } = await mailServer();
    await deliver(port);
    const sources = delivered.map(({ source }) => decoded(source)).toSorted();
    expect(sources.filter((source) => source.includes('Ihre Rollen haben sich'))).toHaveLength(1);
    expect(sources.filter((source) => source.includes('<html lang="de">'))).toHaveLength(1);
    expect(sources.filter((source) => source.includes('Your roles changed'))).toHaveLength(1);
  });

  test('is sent once however many jobs ask for it, also at the same moment', async () => {
    for (let n = 0; n < 7; n += 1) await notifyPerson();
    const { delivered, port } = await mailServer();
    await Promise.all([deliver(port), deliver(port), deliver(port)]);
    await deliver(port);
    expect(delivered).toHaveLength(7);
    expect(new Set(delivered.flatMap(({ recipients }) => recipients)).size).toBe(7);
  });

  test('for a name with a line break is sent without the break', async () => {
    await notifyPerson({ display_name: 'Lena\r\nBcc: everybody@acme.example' });
    const { delivered, port } = await mailServer();
    await deliver(port);
    expect(delivered).toHaveLength(1);
    expect(delivered[0]?.source).not.toMatch(/^Bcc:/m);
  });

  test('to a person who has left is not sent', async () => {
    const { id } = await notifyPerson();
    await owner.query("update employees set activity_status = 'inactive' where id = $1", [id]);
    const { delivered, port } = await mailServer();
    await deliver(port);
    expect(delivered).toEqual([]);
    expect(await deliveries()).toMatchObject([{ status: 'failed', error: 'The person has left.' }]);
  });

  test('is sent by the worker soon after the commit', async () => {
    const { email } = await notifyPerson();
    const { delivered, port } = await mailServer();
    const worker = await startWorker(sender(port));
    await vi.waitFor(() => expect(delivered.map(({ recipients }) => recipients)).toEqual([[email]]), 15_000);
    await worker.stop();
  });
});

describe('without a mail server', () => {
  test('no mail is queued, and the notification exists', async () => {
    for (let n = 0; n < 6; n += 1) await notifyPerson();
    await deliver(undefined);
    expect((await deliveries()).every(({ status, error }) => status === 'failed' && error === 'Mail is off.')).toBe(
      true,
    );
    expect((await owner.query('select 1 from notifications where shown')).rowCount).toBe(6);
  });

  test('that was configured at the time of the request, the request succeeds and the mail follows later', async () => {
    const { port } = await mailServer();
    await closing.pop()?.();
    const { user_id } = await notifyPerson();
    await deliver(port);
    expect(await deliveries()).toMatchObject([{ status: 'pending', attempts: 1, minutes: 1, is_sent: false }]);
    await deliver(port);
    expect(await deliveries()).toMatchObject([{ attempts: 1 }]);
    expect((await (await as(user_id)).get('/api/notifications')).body.meta.total).toBe(1);
    const back = await mailServer();
    await deliver(back.port, 2);
    expect(back.delivered).toHaveLength(1);
    expect(await deliveries()).toMatchObject([{ status: 'sent', attempts: 2, error: null }]);
  });
});

describe('a mail server', () => {
  test('that hangs delays no request and only one round of sending', async () => {
    for (let n = 0; n < 8; n += 1) await notifyPerson();
    const { sockets, port } = await silentServer();
    let isOver = false;
    const sending = deliver(port, 0, 60_000).then(() => (isOver = true));
    await vi.waitFor(() => expect(sockets.size).toBeGreaterThan(0), 15_000);
    await notifyPerson();
    await deliver(port, 0, 60_000);
    expect(isOver).toBe(false);
    await closing.pop()?.();
    await sending;
    const rows = await deliveries();
    expect(rows.filter(({ attempts }) => attempts === 1)).toHaveLength(5);
    expect(rows.every(({ status }) => status === 'pending')).toBe(true);
  });

  test('that refuses temporarily is retried after growing pauses for a day', async () => {
    await notifyPerson();
    const { port } = await mailServer({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('Busy'), { responseCode: 451 })),
    });
    const pauses: number[] = [];
    for (let minutes = 0; minutes < 24 * 60 && pauses.length < 9; minutes += (pauses.at(-1) ?? 0) + 1) {
      await deliver(port, minutes);
      const [row] = await deliveries();
      pauses.push((row?.minutes ?? 0) - minutes);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    await deliver(port, 24 * 60 + 1);
    expect(await deliveries()).toMatchObject([{ status: 'failed', error: 'Mail not sent: EENVELOPE 451 (temporary)' }]);
  });

  test('that rejects a recipient is not retried, and other recipients get their mail', async () => {
    const { email } = await notifyPerson();
    await notifyPerson();
    const { delivered, port } = await mailServer({
      onRcptTo: ({ address }, _session, done) =>
        address === email ? done(Object.assign(new Error('No such person'), { responseCode: 550 })) : done(),
    });
    await deliver(port);
    expect(delivered).toHaveLength(1);
    expect((await deliveries()).map(({ status }) => status)).toEqual(['failed', 'sent']);
  });

  test('gets the mail from another sender one minute after its sender was killed', async () => {
    await notifyPerson();
    await owner.query("update notification_deliveries set leased_until = now() + interval '60 seconds'");
    const { delivered, port } = await mailServer();
    await deliver(port);
    expect(delivered).toEqual([]);
    await deliver(port, 2);
    expect(delivered).toHaveLength(1);
  });
});
