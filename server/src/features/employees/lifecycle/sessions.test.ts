import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import type { Client } from '../../../testing/client.ts';
import type { MadeEmployee } from '../../../testing/make.ts';
import { endLeavers } from './leavers.ts';

const { as, make, deps, owner } = await startApp();
const acme = await make.entity();
const root = await as((await make.admin()).user_id);
const reason = 'Agreed with the works council';
const today = () => Temporal.Now.plainDateISO('UTC');
const day = (offset: number) => today().add({ days: offset }).toString();
const at = (time: string) => ({ deps, now: Temporal.Instant.from(time) });

/** A second browser with the cookies of the first. */
async function copyOf(client: Client) {
  const copy = await as();
  for (const [name, value] of client.cookies) copy.cookies.set(name, value);
  return copy;
}
const status = async (client: Client) => (await client.get('/api/me')).status;
const path = (person: MadeEmployee, verb = '') => `/api/employees/${person.id}${verb && `/${verb}`}`;

type End = (person: MadeEmployee, browser: Client) => Promise<{ status: number } | void>;
const ends: [name: string, end: End][] = [
  ['signing out', (_person, browser) => browser.post('/logout')],
  [
    'a new password',
    async (_person, browser) =>
      browser.put('/api/profile/password', {
        current_password: 'Str0ng!Passw0rd',
        password: 'An0ther#Phrase',
        password_confirmation: 'An0ther#Phrase',
      }),
  ],
  ['a password reset', (person) => root.post(path(person, 'reset-password'))],
  ['resets of many', (person) => root.post('/api/employees/reset-passwords', { employee_ids: [person.id] })],
  ['deactivation', (person) => root.post(path(person, 'deactivate'), { reason })],
  ['deletion', (person) => root.delete(path(person))],
  ['another e-mail address', (person) => root.put(path(person), { email: `moved${person.id}@example.com` })],
  ['the loss of Admin', (person) => root.put(path(person, 'roles'), { assignments: [] })],
  ['an administrator’s word', (person) => root.delete(path(person, 'sessions'))],
  [
    'a separation that is past',
    (person) => root.post(path(person, 'separate'), { reason, type: 'terminated', last_working_date: day(-1) }),
  ],
  [
    'the day after the last one',
    async (person) => {
      await root.post(path(person, 'separate'), { reason, type: 'resigned', last_working_date: day(1) });
      await endLeavers(at(`${day(2)}T00:00:00Z`));
    },
  ],
];

test.each(ends)('%s ends a session, also for a copied cookie', async (_name, end) => {
  const person = await make.employee({ entity_id: acme.id, roles: ['Admin'], password: 'Str0ng!Passw0rd' });
  const browser = await as(person.user_id);
  const [copy, other] = [await copyOf(browser), await as((await make.employee()).user_id)];
  expect(await status(copy)).toBe(200);
  const answer = await end(person, browser);
  expect(answer?.status ?? 200).toBeLessThan(300);
  expect(await status(copy)).toBe(401);
  expect(await status(other)).toBe(200);
  // restored access does not revive the session
  await owner.query("update employees set activity_status = 'active', deleted_at = null where id = $1", [person.id]);
  expect(await status(copy)).toBe(401);
});

test('a change that removes no access ends no session', async () => {
  const person = await make.employee({ entity_id: acme.id, employment_lifecycle: 'probationary' });
  const browser = await as(person.user_id);
  for (const [verb, body] of [
    ['confirm', { reason, confirmation_date: day(0) }],
    ['separate', { reason, type: 'resigned', last_working_date: day(5) }],
    ['withdraw-separation', { reason }],
  ] as const)
    expect((await root.post(path(person, verb), body)).status).toBe(200);
  expect((await root.put(path(person), { job_title: 'Buyer' })).status).toBe(200);
  expect(await status(browser)).toBe(200);
});

test('HR cannot end sessions of an Admin, the own ones, or those of people out of scope', async () => {
  const hrPerson = await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }] });
  const hr = await as(hrPerson.user_id);
  const [admin, elsewhere] = [await make.employee({ entity_id: acme.id, roles: ['Admin'] }), await make.employee()];
  const browsers = [await as(admin.user_id), await as(elsewhere.user_id)];
  expect((await hr.delete(path(admin, 'sessions'))).status).toBe(403);
  expect((await hr.delete(path(elsewhere, 'sessions'))).status).toBe(404);
  for (const browser of browsers) expect(await status(browser)).toBe(200);
});

test('leavers lose access once after their last day in their own time zone, missed days included', async () => {
  const zones = ['Pacific/Auckland', 'UTC', 'America/Los_Angeles'];
  const people = await Promise.all(
    zones.map(async (timezone) =>
      make.employee({
        entity_id: (await make.entity({ timezone })).id,
        employment_lifecycle: 'resigned',
        last_working_date: '2027-03-09',
      }),
    ),
  );
  const states = async (now: string) => {
    await endLeavers(at(now));
    const rows = await Promise.all(
      people.map(({ id }) =>
        deps.db.selectFrom('employees').select('activity_status').where('id', '=', id).executeTakeFirstOrThrow(),
      ),
    );
    return rows.map((row) => row.activity_status);
  };
  expect(await states('2027-03-09T10:59:59Z')).toEqual(['active', 'active', 'active']);
  expect(await states('2027-03-09T11:00:00Z')).toEqual(['inactive', 'active', 'active']);
  expect(await states('2027-03-10T07:59:59Z')).toEqual(['inactive', 'inactive', 'active']);
  const late = await Promise.all([1, 2, 3].map(() => endLeavers(at('2027-03-20T00:00:00Z'))));
  expect(late.reduce((sum, { ended }) => sum + ended, 0)).toBe(1);
  const traces = await deps.db
    .selectFrom('audit_log')
    .select(['subject_id', 'actor_name'])
    .where('action', '=', 'employee.left')
    .where(
      'subject_id',
      'in',
      people.map(({ id }) => id),
    )
    .execute();
  expect(traces).toHaveLength(3);
  expect(new Set(traces.map(({ actor_name }) => actor_name))).toEqual(new Set(['System']));
});

test('the last administrator who leaves keeps access until another one exists', async () => {
  const person = await make.employee({
    roles: ['Admin'],
    employment_lifecycle: 'resigned',
    last_working_date: '2026-01-01',
  });
  await owner.query(
    "update users set is_enabled = false where id <> $1 and id in (select user_id from role_assignments a join roles r on r.id = a.role_id where r.name = 'Admin')",
    [person.user_id],
  );
  expect(await endLeavers(at('2026-06-01T00:00:00Z'))).toMatchObject({ kept: 1 });
  await make.admin();
  expect(await endLeavers(at('2026-06-01T00:00:00Z'))).toMatchObject({ ended: 1, kept: 0 });
});
