import { sentenceOf } from '../../testing/sentences.ts';
import { notificationCatalogue } from '@tenure/contract';
import { beforeEach, expect, test } from 'vitest';
import { notify } from '../../notifications/notify.ts';
import { accounts } from '../../notifications/recipients.ts';
import { startApp } from '../../testing/app.ts';
import { lockedMessage } from './settings.ts';

const { as, make, deps, owner } = await startApp();
const company = await make.entity({ timezone: 'Asia/Kolkata' });
const { id: department_id } = await make.department({ entity_id: company.id });
const me = await make.employee({ department_id });
const client = await as(me.user_id);
const url = '/api/profile/notification-preferences';
const urgent = 'Emails about your account’s security can’t be turned off.';

const kept = async () =>
  (
    await owner.query(
      `select (select jsonb_agg(to_jsonb(p) - 'updated_at') from notification_preferences p) as times,
              (select jsonb_agg(m order by event, channel) from notification_mutes m) as muted`,
    )
  ).rows[0];
const read = async () => (await client.get(url)).body.data;
const eventOf = async (event: string) =>
  (await read()).events.find((one: { event: string }) => one.event === event) as Record<string, unknown>;

beforeEach(async () => {
  await owner.query('delete from notification_preferences');
  await owner.query('delete from notification_mutes');
  await owner.query('delete from notifications');
});

test("by default a person gets all notifications at once, in the company's time zone", async () => {
  const { events, ...times } = await read();
  expect(times).toEqual({
    digest: 'immediate',
    quiet_from: null,
    quiet_to: null,
    time_zone: null,
    effective_time_zone: 'Asia/Kolkata',
    mail_is_on: false,
    revision: 1,
  });
  expect(events.map(({ event }: { event: string }) => event)).toEqual(notificationCatalogue.map(({ event }) => event));
  expect(events[0]).toEqual({
    event: 'kpi_evaluation_assigned',
    group: 'kpi',
    label: 'Your KPI evaluation has started',
    in_app: true,
    email: true,
    locked_channels: ['in_app'],
    available_channels: ['in_app', 'email'],
  });
  // like the rest of the page, whose language may come from the browser
  const german = await client.get(url, { 'accept-language': 'de' });
  expect(german.body.data.events[0].label).toBe('Ihre KPI-Beurteilung hat begonnen');
  expect(await eventOf('employee_created')).toMatchObject({ locked_channels: [], available_channels: ['in_app'] });
  expect(await eventOf('account_security_notice')).toMatchObject({ locked_channels: ['in_app', 'email'] });
});

test('sent fields change, others stay, and the audit log records it', async () => {
  const first = await client.put(url, { digest: 'daily', quiet_from: '22:00', quiet_to: '06:30' });
  expect([first.status, first.body.message]).toEqual([200, 'Notification preferences updated successfully.']);
  expect(first.body.data).toMatchObject({ digest: 'daily', quiet_from: '22:00', quiet_to: '06:30', revision: 2 });
  const events = [
    { event: 'kpi_evaluation_accepted', in_app: false },
    { event: 'kpi_hr_review_submitted', email: false },
  ];
  const second = await client.put(url, { time_zone: 'Europe/Lisbon', events });
  expect(second.body.data).toMatchObject({
    digest: 'daily',
    quiet_to: '06:30',
    effective_time_zone: 'Europe/Lisbon',
    revision: 3,
  });
  expect(await eventOf('kpi_evaluation_accepted')).toMatchObject({ in_app: false, email: true });
  expect(await eventOf('kpi_hr_review_submitted')).toMatchObject({ in_app: true, email: false });
  await client.put(url, { time_zone: null, events: [{ event: 'kpi_evaluation_accepted', in_app: true }] });
  expect(await read()).toMatchObject({ effective_time_zone: 'Asia/Kolkata', digest: 'daily' });
  expect(await eventOf('kpi_evaluation_accepted')).toMatchObject({ in_app: true });
  const { rows } = await owner.query<{ changes: object }>(
    "select changes from audit_log where action = 'account.updated' and subject_id = $1 order by id",
    [me.user_id],
  );
  expect(rows.map(({ changes }) => Object.keys(changes))).toEqual([
    ['digest', 'quiet_to', 'quiet_from'],
    ['time_zone', 'kpi_hr_review_submitted.email', 'kpi_evaluation_accepted.in_app'],
    ['time_zone', 'kpi_evaluation_accepted.in_app'],
  ]);
});

test.each([
  ['half of a pair of times', { quiet_from: '22:00' }, { quiet_to: ['The quiet to field is required.'] }],
  ['the other half', { quiet_to: '06:30' }, { quiet_from: ['The quiet from field is required.'] }],
  [
    'no time at all between them',
    { quiet_from: '22:00', quiet_to: '22:00' },
    { quiet_to: ['The selected quiet to is invalid.'] },
  ],
  [
    'what is no time of a day',
    { quiet_from: '24:00', quiet_to: '6:30' },
    { quiet_from: ['The quiet from field format is invalid.'], quiet_to: ['The quiet to field format is invalid.'] },
  ],
  ['a place that is none', { time_zone: 'Mars/Base' }, { time_zone: ['The selected time zone is invalid.'] }],
  ['another rhythm', { digest: 'hourly' }, { digest: ['The selected digest is invalid.'] }],
  [
    'a locked channel off',
    { digest: 'daily', events: [{ event: 'kpi_evaluation_disputed', in_app: false }] },
    { 'events.0.in_app': [sentenceOf(lockedMessage)] },
  ],
  [
    'mails about the account off',
    {
      events: [
        { event: 'import_finished', in_app: false },
        { event: 'account_security_notice', email: false },
      ],
    },
    { 'events.1.email': [urgent] },
  ],
  [
    'an event that is none',
    { events: [{ event: 'x' }] },
    { 'events.0.event': ['The selected notification 1 notification is invalid.'] },
  ],
])('%s is refused and changes nothing', async (_name, sent, errors) => {
  const before = await kept();
  const answer = await client.put(url, sent);
  expect([answer.status, answer.body.errors]).toEqual([422, errors]);
  expect(await kept()).toEqual(before);
});

test('a concurrent change is not overwritten', async () => {
  const { revision } = await read();
  expect((await client.put(url, { digest: 'daily', revision })).status).toBe(200);
  const late = await client.put(url, { digest: 'immediate', revision });
  expect([late.status, late.body.revision]).toEqual([422, revision + 1]);
  expect((await read()).digest).toBe('daily');
});

test('an event the person switched off is not in the list, and a locked one is', async () => {
  await client.put(url, { events: [{ event: 'kpi_evaluation_accepted', in_app: false, email: false }] });
  const context = { db: deps.db, actor: null };
  const notice = {
    subject: { type: 'kpi_evaluation', id: 1 },
    round: 1,
    url: '/kpi/evaluations/1',
    params: { person: 'Lena Park', cycle: 'Q1' },
    to: accounts([me.user_id]),
  } as const;
  expect(await notify(context, 'kpi_evaluation_accepted', notice)).toBe(0);
  // as if the user had muted it before it was locked
  await owner.query("insert into notification_mutes values ($1, 'kpi_evaluation_disputed', 'in_app')", [me.user_id]);
  expect(await notify(context, 'kpi_evaluation_disputed', notice)).toBe(1);
  expect((await client.get('/api/notifications')).body.meta.total).toBe(1);
});

test('an account without a person has preferences too', async () => {
  const admin = await as((await make.admin()).user_id);
  expect((await admin.put(url, { digest: 'daily' })).body.data.digest).toBe('daily');
  expect((await read()).digest).toBe('immediate');
});
