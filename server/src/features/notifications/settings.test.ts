import { sentenceOf } from '../../testing/sentences.ts';
import { notificationCatalogue } from '@tenure/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { mailServer } from '../../testing/mail-server.ts';
import { lockedMessage } from './settings.ts';

const { deliver, received, port } = await mailServer();
const { as, make, deps, owner } = await startApp({ SMTP_URL: `smtp://127.0.0.1:${port}` });
const person = await make.employee({ roles: ['HR'] });
const hr = await as(person.user_id);
const company = await make.entity();
const representative = await make.employee({ roles: [] });
await owner.query(
  `insert into role_assignments (user_id, role_id, entity_ids)
   select $1, id, array[$2::bigint] from roles where name = 'HR'`,
  [representative.user_id, company.id],
);

const snapshot = async () =>
  (await owner.query('select event, in_app, email, lead_days, revision from notification_settings order by event'))
    .rows;
const audited = async () =>
  (
    await owner.query<{ subject_label: string; changes: unknown }>(
      "select subject_label, changes from audit_log where action = 'notification_setting.updated' order by id",
    )
  ).rows;

beforeEach(async () => {
  received.splice(0);
  await owner.query('delete from notifications');
  await owner.query("update users set locale = 'en'");
});

describe('the list of settings', () => {
  test('has every event in catalogue order, with its recipients and locks', async () => {
    const { status, body } = await hr.get('/api/notification-settings?per_page=100');
    expect(status).toBe(200);
    expect(body.meta.total).toBe(notificationCatalogue.length);
    expect(body.data.map(({ event }: { event: string }) => event)).toEqual(
      notificationCatalogue.map(({ event }) => event),
    );
    expect(body.data[0]).toEqual({
      id: 1,
      event: 'kpi_evaluation_assigned',
      group: 'kpi',
      severity: 'action',
      label: 'Your KPI evaluation has started',
      in_app: true,
      email: true,
      recipients: ['subject'],
      lead_days: null,
      locked_channels: ['in_app'],
      mail_is_on: true,
      revision: 1,
      updated_at: body.data[0].updated_at,
    });
  });

  test("is filtered by group, searched in the reader's language, sorted and paged", async () => {
    const events = async (query: string, language = 'en') =>
      (await hr.get(`/api/notification-settings?${query}`, { 'accept-language': language })).body.data.map(
        ({ event }: { event: string }) => event,
      );
    expect(await events('group=system&per_page=50')).toEqual([
      'password_reset_by_admin',
      'role_changed',
      'account_security_notice',
      'import_finished',
      'password_link',
      'password_shown',
      'backup_failed',
      'break_glass_used',
      'sso_provider_changed',
      'password_request',
      'address_change',
      'token_ending',
      'webhook_failing',
      'chat_target_stopped',
      'certificate_ending',
      'provider_failing',
    ]);
    expect(await events('search=reminder&sort_by=event&sort_direction=desc')).toEqual([
      'probation_ending_reminder',
      'kpi_deadline_reminder',
    ]);
    expect(await events('per_page=2&page=2')).toEqual([
      'kpi_self_assessment_submitted',
      'kpi_manager_review_submitted',
    ]);
    expect((await events('sort_by=group&per_page=1'))[0]).toBe('employee_created');
    expect(await events('search=rollen', 'de')).toEqual(['role_changed']);
    expect((await hr.get('/api/notification-settings?group=nonsense')).status).toBe(422);
  });

  test('returns one event, and 404 for an unknown one', async () => {
    const { body } = await hr.get('/api/notification-settings/kpi_deadline_reminder');
    expect(body.data).toMatchObject({ event: 'kpi_deadline_reminder', lead_days: [7, 3, 1] });
    for (const event of ['nonsense', '5', 'constructor', 'kpi_deadline_reminder%27'])
      expect((await hr.get(`/api/notification-settings/${event}`)).status).toBe(404);
  });
});

describe('a setting', () => {
  test('is changed, stored, recorded and effective for later events', async () => {
    const before = (await audited()).length;
    const answer = await hr.put('/api/notification-settings/kpi_deadline_reminder', {
      email: false,
      lead_days: [1, 14],
    });
    expect([answer.status, answer.body.message]).toEqual([200, 'Notification setting updated successfully.']);
    expect(answer.body.data).toMatchObject({ email: false, in_app: true, lead_days: [14, 1], revision: 2 });
    expect((await audited()).slice(before)).toEqual([
      {
        subject_label: 'kpi_deadline_reminder',
        changes: { email: { from: true, to: false }, lead_days: { from: [7, 3, 1], to: [14, 1] } },
      },
    ]);
    const same = await hr.put('/api/notification-settings/kpi_deadline_reminder', { email: false });
    expect(same.body.data.revision).toBe(2);
    expect(await audited()).toHaveLength(before + 1);
  });

  test.each([
    ['a locked channel', 'role_changed', { in_app: false }, { in_app: [sentenceOf(lockedMessage)] }],
    [
      'days of what is never due',
      'role_changed',
      { lead_days: [1] },
      { lead_days: ['The days before field is prohibited.'] },
    ],
    [
      'a day too early',
      'kpi_deadline_reminder',
      { lead_days: [181] },
      { 'lead_days.0': ['The days before 1 field must not be greater than 180.'] },
    ],
    [
      'a day twice',
      'kpi_deadline_reminder',
      { lead_days: [3, 3] },
      { lead_days: ['The days before field has a duplicate value.'] },
    ],
    ['what is no switch', 'role_changed', { email: 'perhaps' }, { email: ['The email field must be true or false.'] }],
  ])('is not changed to %s', async (_name, event, sent, errors) => {
    const before = await snapshot();
    const answer = await hr.put(`/api/notification-settings/${event}`, sent);
    expect([answer.status, answer.body.errors]).toEqual([422, errors]);
    expect(await snapshot()).toEqual(before);
  });

  test('changed by another user meanwhile is not overwritten', async () => {
    const { revision } = (await hr.get('/api/notification-settings/import_finished')).body.data;
    expect((await hr.put('/api/notification-settings/import_finished', { email: true, revision })).status).toBe(200);
    const late = await hr.put('/api/notification-settings/import_finished', { in_app: false, revision });
    expect([late.status, late.body.revision]).toEqual([422, revision + 1]);
    expect((await hr.get('/api/notification-settings/import_finished')).body.data.in_app).toBe(true);
  });

  test('is changed together with others, or none is', async () => {
    const before = await snapshot();
    const events = [
      { event: 'employee_created', email: true },
      { event: 'password_reset_by_admin', in_app: false },
      { event: 'employee_created', in_app: false },
    ];
    const refused = await hr.put('/api/notification-settings', { events });
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      {
        'events.1.in_app': [sentenceOf(lockedMessage)],
        'events.2.event': ['The notification 3 notification field has a duplicate value.'],
      },
    ]);
    expect(await snapshot()).toEqual(before);
    const done = await hr.put('/api/notification-settings', {
      events: [events[0], { event: 'job_change_applied', in_app: false }],
    });
    expect(done.status).toBe(200);
    expect(done.body.data.events).toMatchObject([
      { event: 'employee_created', in_app: true, email: true },
      { event: 'job_change_applied', in_app: false, email: false },
    ]);
  });

  test('applies to all companies: HR of one company reads it and changes nothing', async () => {
    const client = await as(representative.user_id);
    expect((await client.get('/api/notification-settings')).status).toBe(200);
    const before = await snapshot();
    expect((await client.put('/api/notification-settings/role_changed', { email: false })).status).toBe(403);
    expect((await client.put('/api/notification-settings', { events: [] })).status).toBe(403);
    expect(await snapshot()).toEqual(before);
  });
});

describe('a test notification', () => {
  test('reaches its sender by the channels that are on, and is marked as a test', async () => {
    const answer = await hr.post('/api/notification-settings/kpi_evaluation_disputed/test');
    expect([answer.status, answer.body]).toEqual([
      200,
      { data: { in_app: 'sent', email: 'queued' }, message: 'Test sent successfully.' },
    ]);
    await deliver(deps);
    expect(received.map(({ to, subject }) => [to, subject])).toEqual([[[person.email], 'Test: KPI result disputed']]);
    const { body } = await hr.get('/api/notifications');
    expect(body.data).toMatchObject([
      {
        event: 'kpi_evaluation_disputed',
        data: { subject_type: 'notification_setting', url: '/settings/notifications' },
      },
    ]);
    expect(body.data[0].title).toMatch(/^Test: .* disputed their ‹cycle› result$/);
  });

  test.each(notificationCatalogue.map(({ event }) => event))('of %s can be read in every language', async (event) => {
    await owner.query('update notification_settings set in_app = true where event = $1', [event]);
    expect((await hr.post(`/api/notification-settings/${event}/test`)).status).toBe(200);
    for (const locale of ['en', 'de']) {
      await owner.query('update users set locale = $1', [locale]);
      const [{ title, body }] = (await hr.get(`/api/notifications?event=${event}`)).body.data;
      expect(title).toMatch(/^Test: ./);
      expect(title + body).not.toMatch(/[{}]|undefined/);
    }
  });

  test('ignores the own preferences, once in ten seconds', async () => {
    const events = [{ event: 'kpi_acceptance_lapsed', in_app: false, email: false }];
    await hr.put('/api/profile/notification-preferences', { digest: 'daily', events });
    const answers = [];
    for (let n = 0; n < 3; n += 1)
      answers.push((await hr.post('/api/notification-settings/kpi_acceptance_lapsed/test')).status);
    expect(answers.filter((status) => status === 429).length).toBeGreaterThanOrEqual(1);
    await deliver(deps);
    expect(received.length).toBe(answers.filter((status) => status === 200).length);
    expect((await hr.get('/api/notifications')).body.meta.total).toBe(received.length);
  });

  test('of a switched off event is refused', async () => {
    await owner.query("update notification_settings set in_app = false, email = false where event = 'import_finished'");
    const answer = await hr.post('/api/notification-settings/import_finished/test');
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { event: ['No one is notified about this event because both channels are off.'] },
    ]);
  });
});
