import { beforeEach, describe, expect, test } from 'vitest';
import { notify, notifyEach } from '../../notifications/notify.ts';
import { accounts } from '../../notifications/recipients.ts';
import { sql } from 'kysely';
import { startApp } from '../../testing/app.ts';

const { as, make, deps, owner } = await startApp();
const me = await make.employee();
const other = await make.employee();
const actor = { user_id: other.user_id };
const client = await as(me.user_id);
const stranger = await as(other.user_id);

beforeEach(async () => {
  await owner.query('delete from notifications');
  await owner.query("update users set locale = 'en'");
});

const context = { db: deps.db, actor };
let round = 0;
const notifyRoles = (roles = 'HR', to = me.user_id) =>
  notify(context, 'role_changed', {
    subject: { type: 'account', id: to },
    round: (round += 1),
    url: '/profile',
    params: { roles },
    to: accounts([to]),
  });
const notifySeparation = (person: string, to = me.user_id) =>
  notify(context, 'employee_separated', {
    subject: { type: 'employee', id: 7 },
    round: (round += 1),
    url: '/employees/7',
    params: { person, date: '2099-12-31' },
    to: accounts([to]),
  });
const list = async (query = '', as = client) => (await as.get(`/api/notifications${query}`)).body;
const titles = async (query = '') => (await list(query)).data.map(({ title }: { title: string }) => title);
const unread = async (as = client) => (await as.get('/api/notifications/unread-count')).body.data.count as number;

describe('the list', () => {
  test('shows the own notifications as texts, the latest first', async () => {
    await notifyRoles('Employee, HR');
    await notifySeparation('Lena Park');
    const { data, meta } = await list();
    expect(meta.total).toBe(2);
    expect(data.map(({ title }: { title: string }) => title)).toEqual(['Lena Park is leaving', 'Your roles changed']);
    expect(data[1]).toEqual({
      id: data[1].id,
      event: 'role_changed',
      title: 'Your roles changed',
      body: 'Your roles are now: Employee, HR.',
      severity: 'info',
      data: { subject_type: 'account', subject_id: me.user_id, url: '/profile', actor_id: other.user_id },
      read_at: null,
      created_at: data[1].created_at,
    });
    expect((await list('', stranger)).meta.total).toBe(0);
  });

  test('reads in the language the reader has now', async () => {
    await notifySeparation('Lena Park');
    expect((await client.put('/api/profile', { locale: 'de-CH' })).status).toBe(200);
    expect(await titles()).toEqual(['Lena Park scheidet aus']);
    expect(await titles('?search=park%20dezember')).toEqual([]);
    expect(await titles('?search=scheidet')).toEqual(['Lena Park scheidet aus']);
    expect(await titles('?search=leaving')).toEqual([]);
  });

  test('names seeded roles in words', async () => {
    await notifyRoles('Employee, TeamLead, Zone head');
    const bodies = async () => (await list()).data.map(({ body }: { body: string }) => body);
    expect(await bodies()).toEqual(['Your roles are now: Employee, Team lead, Zone head.']);
    await client.put('/api/profile', { locale: 'de' });
    expect(await bodies()).toEqual(['Ihre Rollen sind jetzt: Mitarbeitende, Teamleitung, Zone head.']);
  });

  test('filters by unread, event and severity, searches words and sorts by event', async () => {
    await notifySeparation('Zoë Müller');
    await notifyRoles('Manager');
    await notify(context, 'password_reset_by_admin', {
      subject: { type: 'account', id: me.user_id },
      round: 1,
      url: '/profile',
      params: { actor: 'Hana Ito' },
      to: accounts([me.user_id]),
    });
    const [{ id }] = (await list('?event=role_changed')).data;
    await client.post(`/api/notifications/${id}/read`);
    expect(await titles('?unread=1')).toHaveLength(2);
    expect(await titles('?unread=0')).toEqual(['Your roles changed']);
    expect(await titles('?event=employee_separated,role_changed')).toEqual([
      'Your roles changed',
      'Zoë Müller is leaving',
    ]);
    expect(await titles('?severity=warning')).toEqual(['A one-time password was created for your account']);
    expect(await titles('?search=muller%2012-31')).toEqual(['Zoë Müller is leaving']);
    expect(await titles('?search=manager')).toEqual(['Your roles changed']);
    const events = async (direction: string) =>
      (await list(`?sort_by=event&sort_direction=${direction}`)).data.map(({ event }: { event: string }) => event);
    const inOrder = ['employee_separated', 'password_reset_by_admin', 'role_changed'];
    expect(await events('asc')).toEqual(inOrder);
    expect(await events('desc')).toEqual(inOrder.toReversed());
    expect((await client.get('/api/notifications?event=nonsense')).status).toBe(422);
    expect((await client.get('/api/notifications?severity=nonsense')).status).toBe(422);
  });

  test('leaves placeholders in user input as they are', async () => {
    await notifySeparation('{date} {roles} {');
    expect(await titles()).toEqual(['{date} {roles} { is leaving']);
  });
});

describe('notifying', () => {
  test('twice in one round creates one notification, in another round another one', async () => {
    const notice = {
      subject: { type: 'account', id: me.user_id },
      url: '/profile',
      params: { roles: 'HR' },
      to: accounts([me.user_id, me.user_id]),
    } as const;
    expect(await notify(context, 'role_changed', { ...notice, round: 'a' })).toBe(1);
    expect(await notify(context, 'role_changed', { ...notice, round: 'a' })).toBe(0);
    expect(await notify(context, 'role_changed', { ...notice, round: 'b' })).toBe(1);
    const { rows } = await owner.query('select count(*)::int as n from notification_deliveries');
    expect(rows).toEqual([{ n: 2 }]);
  });

  test('skips the actor, leavers and closed accounts', async () => {
    const gone = await make.employee({ activity_status: 'inactive' });
    const closed = await make.employee();
    await owner.query('update users set is_enabled = false where id = $1', [closed.user_id]);
    expect(await notifyRoles('HR', other.user_id)).toBe(0);
    expect(await notifyRoles('HR', gone.user_id)).toBe(0);
    expect(await notifyRoles('HR', closed.user_id)).toBe(0);
    expect(await notifyRoles('HR')).toBe(1);
  });

  test('in a rolled back transaction notifies no one and sends nothing', async () => {
    const jobs = async () => (await owner.query('select 1 from graphile_worker._private_jobs')).rowCount;
    const before = await jobs();
    const undone = deps.db.transaction().execute(async (db) => {
      await notify({ db, actor }, 'role_changed', {
        subject: { type: 'account', id: me.user_id },
        round: 'undone',
        url: '/profile',
        params: { roles: 'HR' },
        to: accounts([me.user_id]),
      });
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    expect([await unread(), await jobs()]).toEqual([0, before]);
  });

  test('follows the settings of the event: by mail only, or not at all', async () => {
    const set = (in_app: boolean, email: boolean) =>
      owner.query("update notification_settings set in_app = $1, email = $2 where event = 'employee_separated'", [
        in_app,
        email,
      ]);
    await set(false, true);
    expect(await notifySeparation('Lena Park')).toBe(1);
    expect([await titles(), await unread()]).toEqual([[], 0]);
    expect((await owner.query('select 1 from notification_deliveries')).rowCount).toBe(1);
    await set(false, false);
    expect(await notifySeparation('Lena Park')).toBe(0);
    await set(true, false);
    expect(await notifySeparation('Lena Park')).toBe(1);
    expect((await owner.query('select 1 from notification_deliveries')).rowCount).toBe(1);
  });

  test('many people of different subjects takes one statement', async () => {
    const notified = await notifyEach(
      context,
      'kpi_evaluation_assigned',
      { type: 'kpi_evaluation' },
      sql`select user_id, id as subject_id, '1' as round, '/kpi/evaluations/' || id as url,
                 jsonb_build_object('cycle', 'Q1', 'date', '2026-04-25') as params, 'plain' as variant,
                 null::text as copy_to
          from employees where id = any(${[me.id, other.id]}::bigint[])`,
    );
    expect(notified).toBe(1);
    expect((await list()).data).toMatchObject([
      {
        title: 'Your Q1 evaluation has started',
        body: 'Complete your self-assessment. Due: 25 Apr 2026.',
        severity: 'action',
        data: { subject_id: me.id, url: `/kpi/evaluations/${me.id}` },
      },
    ]);
  });
});

describe('reading', () => {
  test('one notification marks it once and lowers the count', async () => {
    await notifyRoles();
    await notifyRoles();
    const [{ id }] = (await list()).data;
    expect(await unread()).toBe(2);
    const first = await client.post(`/api/notifications/${id}/read`);
    expect([first.status, first.body.data.id]).toEqual([200, id]);
    expect(first.body.data.read_at).toMatch(/Z$/);
    const second = await client.post(`/api/notifications/${id}/read`);
    expect(second.body.data.read_at).toBe(first.body.data.read_at);
    expect(await unread()).toBe(1);
  });

  test('all marks the filtered ones, then the rest', async () => {
    await notifyRoles('Manager');
    await notifyRoles('HR');
    await notifySeparation('Lena Park');
    await notifyRoles('HR', other.user_id);
    const all = (query = '') => client.post(`/api/notifications/read-all${query}`);
    expect((await all('?event=role_changed&search=manager')).body.data).toEqual({ count: 1 });
    expect(await unread()).toBe(2);
    expect((await all('?event=nonsense')).status).toBe(422);
    expect(await unread()).toBe(2);
    expect((await all()).body.data).toEqual({ count: 2 });
    expect((await all()).body.data).toEqual({ count: 0 });
    expect(await unread()).toBe(0);
  });

  test('one of another person is 404 and changes nothing', async () => {
    await notifyRoles();
    const [{ id }] = (await list()).data;
    expect((await stranger.post(`/api/notifications/${id}/read`)).status).toBe(404);
    expect((await stranger.delete(`/api/notifications/${id}`)).status).toBe(404);
    expect((await stranger.post('/api/notifications/read-all')).body.data).toEqual({ count: 0 });
    expect(await unread()).toBe(1);
  });
});

test('a removed notification is gone and not repeated', async () => {
  const notice = {
    subject: { type: 'account', id: me.user_id },
    round: 'removed',
    url: '/profile',
    params: { roles: 'HR' },
    to: accounts([me.user_id]),
  } as const;
  await notify(context, 'role_changed', notice);
  const [{ id }] = (await list()).data;
  expect((await client.delete(`/api/notifications/${id}`)).status).toBe(204);
  expect(await notify(context, 'role_changed', notice)).toBe(0);
  expect([await titles(), await unread()]).toEqual([[], 0]);
  expect((await client.delete(`/api/notifications/${id}`)).status).toBe(404);
  expect((await client.post(`/api/notifications/${id}/read`)).status).toBe(404);
});

test('a notification is read alone by its owner, and stays unread', async () => {
  await notifySeparation('Lena Park');
  const [listed] = (await list()).data;
  const answer = await client.get(`/api/notifications/${listed.id}`);
  expect([answer.status, answer.body.data]).toEqual([200, listed]);
  expect(await unread()).toBe(1);
  expect((await stranger.get(`/api/notifications/${listed.id}`)).status).toBe(404);
  expect((await client.delete(`/api/notifications/${listed.id}`)).status).toBe(204);
  expect((await client.get(`/api/notifications/${listed.id}`)).status).toBe(404);
});
