import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { mailServer } from '../testing/mail-server.ts';
import { deliverMail } from './deliver.ts';
import { maxPerHour } from './due.ts';
import { notify } from './notify.ts';
import { accounts } from './recipients.ts';
import { notifyPasswordsShown } from './account.ts';

const { as, make, deps, owner } = await startApp();
const { received, deliver } = await mailServer();
const context = { db: deps.db, actor: null };
const issuing = { db: deps.db, actor: { user_id: 0, name: 'Hana Ito' }, request: { id: 'reset-1' } };

beforeEach(async () => {
  received.splice(0);
  await owner.query('delete from notifications');
});

let subject = 0;
const notifyCancelled = (userId: number) =>
  notify(context, 'kpi_evaluation_cancelled', {
    subject: { type: 'kpi_evaluation', id: (subject += 1) },
    round: 1,
    url: `/kpi/evaluations/${subject}`,
    params: { person: 'Lena Park', cycle: 'Q1' },
    to: accounts([userId]),
  });
const minutesFromNow = (minutes: number) => Temporal.Now.instant().add({ minutes });
const subjects = () => received.map((mail) => mail.subject);
const states = async () =>
  (
    await owner.query<{ status: string; n: number }>(
      'select status, count(*)::int as n from notification_deliveries group by 1 order by 1',
    )
  ).rows;

/** A person with preferences for mail times. */
async function someone(preferences: Record<string, unknown> = {}) {
  const person = await make.employee();
  const client = await as(person.user_id);
  const answer = await client.put('/api/profile/notification-preferences', preferences);
  expect([answer.status, answer.body]).toEqual([200, answer.body]);
  return { ...person, client };
}

const timeIn = async (
  toldAt: string,
  moment: string,
  preferences: { digest?: string; from?: string; to?: string; zone?: string },
) => {
  const { digest = null, from = null, to = null, zone = 'Europe/Berlin' } = preferences;
  const { rows } = await sql<{ at: string }>`
    select mail_time(${toldAt}::timestamptz, ${moment}::timestamptz, ${digest}::text, ${from}::time, ${to}::time,
                     ${zone}::text) as at`.execute(deps.db);
  return rows[0]?.at;
};

describe('when a mail may go', () => {
  const night = { from: '22:00', to: '07:00' };
  const daily = { digest: 'daily' };
  test.each([
    ['at once, when nothing is said', '2026-03-10T12:00Z', '2026-03-10T12:00Z', {}, '2026-03-10T12:00:00.000Z'],
    [
      'after quiet hours, late in the evening',
      '2026-03-10T22:00Z',
      '2026-03-10T22:00Z',
      night,
      '2026-03-11T06:00:00.000Z',
    ],
    [
      'after quiet hours, early in the morning',
      '2026-03-11T03:00Z',
      '2026-03-11T03:00Z',
      night,
      '2026-03-11T06:00:00.000Z',
    ],
    ['at the minute they end', '2026-03-11T06:00Z', '2026-03-11T06:00Z', night, '2026-03-11T06:00:00.000Z'],
    [
      'after a rest at noon',
      '2026-03-10T11:30Z',
      '2026-03-10T11:30Z',
      { from: '12:00', to: '13:30' },
      '2026-03-10T12:30:00.000Z',
    ],
    [
      'after the night in which the clock is put forward',
      '2026-03-28T23:00Z',
      '2026-03-28T23:00Z',
      night,
      '2026-03-29T05:00:00.000Z',
    ],
    [
      'after the night in which it is put back',
      '2026-10-24T23:00Z',
      '2026-10-24T23:00Z',
      night,
      '2026-10-25T06:00:00.000Z',
    ],
    ['next morning with a daily digest', '2026-03-10T12:00Z', '2026-03-10T12:00Z', daily, '2026-03-11T07:00:00.000Z'],
    [
      'this morning, for a notification before eight',
      '2026-03-10T05:00Z',
      '2026-03-10T05:00Z',
      daily,
      '2026-03-10T07:00:00.000Z',
    ],
    ['now, when that morning has passed', '2026-03-10T12:00Z', '2026-03-12T09:00Z', daily, '2026-03-12T09:00:00.000Z'],
    ['on the last day of a month', '2026-01-31T12:00Z', '2026-01-31T12:00Z', daily, '2026-02-01T07:00:00.000Z'],
    [
      'where the day began long ago',
      '2026-03-10T12:00Z',
      '2026-03-10T12:00Z',
      { ...daily, zone: 'Pacific/Auckland' },
      '2026-03-10T19:00:00.000Z',
    ],
    [
      'after quiet hours that last longer than the digest',
      '2026-03-10T12:00Z',
      '2026-03-11T07:00Z',
      { ...daily, from: '22:00', to: '09:00' },
      '2026-03-11T08:00:00.000Z',
    ],
  ])('%s', async (_name, toldAt, moment, preferences, at) => {
    expect(await timeIn(toldAt, moment, preferences)).toBe(at);
  });
});

describe('what is due for one person', () => {
  test('together is sent as one mail, which counts the kinds and contains no name', async () => {
    const { user_id, email } = await make.employee();
    await notifyCancelled(user_id);
    await notifyCancelled(user_id);
    await notify(context, 'kpi_acceptance_lapsed', {
      subject: { type: 'kpi_evaluation', id: 1 },
      round: 1,
      url: '/kpi/evaluations/1',
      params: { person: 'Lena Park', cycle: 'Q1' },
      to: accounts([user_id]),
    });
    await deliver(deps);
    expect(received.map(({ to, subject: line }) => [to, line])).toEqual([[[email], '3 new notifications']]);
    const source = received[0]?.source ?? '';
    expect(source).toContain(
      'KPI evaluation cancelled (2): http://localhost:8000/notifications?event=kpi_evaluation_cancelled',
    );
    expect(source).toContain('KPI result accepted automatically: http://localhost:8000/kpi/evaluations/1');
    expect(source).not.toContain('Lena Park');
    expect(await states()).toEqual([{ status: 'sent', n: 3 }]);
  });

  test('is at most ten mails within an hour; the rest is sent as one when the hour is over', async () => {
    const { user_id } = await make.employee();
    for (let n = 0; n < maxPerHour + 3; n += 1) {
      await notifyCancelled(user_id);
      await deliver(deps);
    }
    expect(received).toHaveLength(maxPerHour);
    await deliver(deps, minutesFromNow(30));
    expect(received).toHaveLength(maxPerHour);
    await notifyPasswordsShown(issuing, [user_id]);
    await deliver(deps);
    expect(subjects().at(-1)).toBe('One-time password created for your account');
    await deliver(deps, minutesFromNow(61));
    expect(subjects().at(-1)).toBe('3 new notifications');
    expect(await states()).toEqual([{ status: 'sent', n: maxPerHour + 4 }]);
  });

  test('is one mail for ten thousand notifications', async () => {
    const { user_id } = await make.employee();
    const client = await as(user_id);
    await owner.query(
      `with notified as (
         insert into notifications (user_id, event, severity, subject_type, subject_id, url, params, dedupe_key)
         select $1, 'kpi_evaluation_cancelled', 'warning', 'kpi_evaluation', n, '/kpi/evaluations/' || n,
                '{"person": "Lena Park", "cycle": "Q1"}', 'x:' || n
         from generate_series(1, 10000) n returning id)
       insert into notification_deliveries (notification_id, channel) select id, 'email' from notified`,
      [user_id],
    );
    await deliver(deps);
    expect(subjects()).toEqual(['10000 new notifications']);
    expect(received[0]?.source.length).toBeLessThan(5_000);
    expect(await states()).toEqual([{ status: 'sent', n: 10_000 }]);
    expect((await client.get('/api/notifications/unread-count')).body.data).toEqual({ count: 10_000 });
    const { body } = await client.get('/api/notifications?per_page=100&page=100');
    expect([body.data.length, body.meta.total]).toEqual([100, 10_000]);
    expect((await client.post('/api/notifications/read-all')).body.data).toEqual({ count: 10_000 });
  });
});

describe('a person with', () => {
  test('a daily digest gets one mail in the morning, and security notices at once', async () => {
    const { user_id } = await someone({ digest: 'daily', time_zone: 'Europe/Berlin' });
    await notifyCancelled(user_id);
    await notifyCancelled(user_id);
    await notifyPasswordsShown(issuing, [user_id]);
    await deliver(deps);
    expect(subjects()).toEqual(['One-time password created for your account']);
    await deliver(deps, minutesFromNow(24 * 60));
    expect(subjects().slice(1)).toEqual(['2 new notifications']);
    await deliver(deps, minutesFromNow(48 * 60));
    expect(received).toHaveLength(2);
  });

  test('quiet hours gets no mail during them, until they are removed', async () => {
    const hour = Temporal.Now.zonedDateTimeISO('Asia/Tokyo');
    const clock = (hours: number) => hour.add({ hours }).toPlainTime().toString({ smallestUnit: 'minute' });
    const { user_id, client } = await someone({
      quiet_from: clock(-2),
      quiet_to: clock(2),
      time_zone: 'Asia/Tokyo',
    });
    await notifyCancelled(user_id);
    await deliver(deps);
    expect(received).toEqual([]);
    await deliver(deps, minutesFromNow(60));
    expect(received).toEqual([]);
    await client.put('/api/profile/notification-preferences', { quiet_from: null, quiet_to: null });
    await deliver(deps);
    expect(subjects()).toEqual(['KPI evaluation cancelled']);
  });

  test('mails of an event switched off sees it in the application only', async () => {
    const { user_id, client } = await someone({ events: [{ event: 'kpi_evaluation_cancelled', email: false }] });
    await notifyCancelled(user_id);
    await deliver(deps);
    expect(received).toEqual([]);
    expect((await client.get('/api/notifications')).body.meta.total).toBe(1);
    await client.put('/api/profile/notification-preferences', {
      events: [{ event: 'kpi_evaluation_cancelled', email: true, in_app: false }],
    });
    await notifyCancelled(user_id);
    await deliver(deps);
    expect(received).toHaveLength(1);
    expect((await client.get('/api/notifications')).body.meta.total).toBe(1);
    await client.put('/api/profile/notification-preferences', {
      events: [{ event: 'kpi_evaluation_cancelled', email: false }],
    });
    expect(await notifyCancelled(user_id)).toBe(0);
  });
});

test('a digest postponed for nearly a day is still retried for a day', async () => {
  const { user_id } = await make.employee();
  await notifyCancelled(user_id);
  await owner.query("update notification_deliveries set created_at = now() - interval '2 days'");
  const broken = { ...deps, mailer: { isOn: true, send: () => Promise.reject(new Error('Mail not sent')) } };
  await deliverMail({ deps: broken, now: minutesFromNow(0) });
  expect(await states()).toEqual([{ status: 'pending', n: 1 }]);
  await deliverMail({ deps: broken, now: minutesFromNow(24 * 60 + 1) });
  expect(await states()).toEqual([{ status: 'failed', n: 1 }]);
});

test('without a mail server no digest is postponed', async () => {
  const { user_id } = await someone({ digest: 'daily' });
  await notifyCancelled(user_id);
  await deliverMail({ deps, now: minutesFromNow(0) });
  expect(await states()).toEqual([{ status: 'failed', n: 1 }]);
});
