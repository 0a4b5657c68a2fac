import { text } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { MadeEmployee } from '../../testing/make.ts';
import { applyDueJobChanges } from './apply.ts';

/** A scheduled change is applied with its author's rights on its day, or not at all. */

const { as, make, deps } = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
const [acme, beta] = [await make.entity(), await make.entity()];
const buying = await make.department({ entity_id: acme.id });
const selling = await make.department({ entity_id: acme.id });
const abroad = await make.department({ entity_id: beta.id });
const hrOf = (...entity_ids: number[]) => ({ roles: [{ role: 'HR', entity_ids }, 'Manager' as const] });
const hr = await make.employee({ department_id: buying.id, roles: ['HR'] });
const root = await as((await make.employee({ department_id: buying.id, roles: ['Admin'] })).user_id);
const later = Temporal.Now.plainDateISO().add({ days: 40 }).toString();
const comeTheDay = () => applyDueJobChanges({ deps, now: Temporal.Now.instant().add({ hours: 24 * 42 }) });
const kept = text('job_history.author_may_not');
const cancelled = 'The person who scheduled this change no longer has permission to make it.';

const stored = (id: number) =>
  deps.db.selectFrom('employees').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const rowOf = (id: number) =>
  deps.db.selectFrom('job_history').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const notified = async (id: number) =>
  (
    await deps.db
      .selectFrom('notifications')
      .select(['user_id', 'variant'])
      .where('event', '=', 'job_change_cancelled')
      .where('subject_id', '=', id)
      .orderBy('user_id')
      .execute()
  ).map(({ user_id, variant }) => [user_id, variant]);

type Scheduled = { author: MadeEmployee; person: MadeEmployee; row: number };

/** HR of one company schedules a change for one of its people; by default they will report to the author. */
async function schedule(fields?: object, author?: MadeEmployee): Promise<Scheduled> {
  const by = author ?? (await make.employee({ department_id: buying.id, ...hrOf(acme.id) }));
  const person = await make.employee({ department_id: buying.id });
  const body = { effective_from: later, ...(fields ?? { reporting_manager_id: by.id }) };
  const answer = await (await as(by.user_id)).post(`/api/employees/${person.id}/job-history`, body);
  expect(answer.status).toBe(201);
  return { author: by, person, row: answer.body.data.id };
}

/** The outcome on its day: counts, the row, and the notified accounts. */
async function outcomeOf({ author, row }: Scheduled) {
  const counts = await comeTheDay();
  const { status, failure } = await rowOf(row);
  const heard = await notified(row);
  const as_told = ({ user_id }: MadeEmployee) => heard.find(([user]) => user === user_id)?.[1] ?? null;
  return { ...counts, status, failure, author: as_told(author), hr: as_told(hr) };
}
const isCancelled = { applied: 0, failed: 0, cancelled: 1, status: 'cancelled', failure: kept, hr: 'plain' };

test('a person moved to another company meanwhile does not come to report to former HR', async () => {
  const scheduled = await schedule();
  const { person, author } = scheduled;
  const moved = await root.put(`/api/employees/${person.id}`, { entity_id: beta.id, department_id: abroad.id });
  expect(moved.status).toBe(200);
  expect(await outcomeOf(scheduled)).toEqual({ ...isCancelled, author: 'own' });
  expect(await stored(person.id)).toMatchObject({ reporting_manager_id: null, entity_id: beta.id });
  // the notification contains no name; the record shows the reason to its readers
  const { body } = await (await as(author.user_id)).get('/api/notifications?event=job_change_cancelled');
  expect(body.data).toMatchObject([{ title: 'A job change you scheduled was cancelled' }]);
  const history = await root.get(`/api/employees/${person.id}/job-history?status=cancelled`);
  expect(history.body.data).toMatchObject([{ failure: cancelled, allowed_actions: [] }]);
  expect((await comeTheDay()).cancelled).toBe(0);
});

test.each<[string, (scheduled: Scheduled) => Promise<unknown>, boolean]>([
  [
    'lost the role',
    ({ author }) => deps.db.deleteFrom('role_assignments').where('user_id', '=', author.user_id).execute(),
    true,
  ],
  [
    'left',
    ({ author }) =>
      deps.db.updateTable('employees').set({ activity_status: 'inactive' }).where('id', '=', author.id).execute(),
    false,
  ],
  [
    'may not sign in any more',
    ({ author }) => deps.db.updateTable('users').set({ is_enabled: false }).where('id', '=', author.user_id).execute(),
    false,
  ],
])('a change of a title is cancelled when its author %s', async (_name, happens, toldAuthor) => {
  const scheduled = await schedule({ job_title: 'Buyer' });
  await happens(scheduled);
  expect(await outcomeOf(scheduled)).toEqual({ ...isCancelled, author: toldAuthor ? 'own' : null });
  expect(await stored(scheduled.person.id)).toMatchObject({ job_title: null });
});

test('a person who became an administrator is changed by administrators only', async () => {
  const scheduled = await schedule({ job_title: 'Buyer' });
  const roles = await deps.db.selectFrom('roles').select('id').where('name', '=', 'Admin').executeTakeFirstOrThrow();
  await deps.db
    .insertInto('role_assignments')
    .values({ user_id: scheduled.person.user_id, role_id: roles.id })
    .execute();
  expect(await comeTheDay()).toMatchObject({ applied: 0, cancelled: 1 });
  expect(await stored(scheduled.person.id)).toMatchObject({ job_title: null });
});

test('a department or manager out of reach cannot be named any more', async () => {
  const author = await make.employee({ department_id: buying.id, ...hrOf(acme.id, beta.id) });
  const there = await make.department({ entity_id: beta.id });
  const manager = await make.employee({ department_id: there.id });
  const moving = await schedule({ entity_id: beta.id, department_id: there.id }, author);
  const reporting = await schedule({ reporting_manager_id: manager.id }, author);
  await deps.db
    .updateTable('role_assignments')
    .set({ entity_ids: [acme.id] })
    .where('user_id', '=', author.user_id)
    .where('entity_ids', 'is not', null)
    .execute();
  expect(await comeTheDay()).toMatchObject({ applied: 0, failed: 0, cancelled: 2 });
  for (const { person, row } of [moving, reporting]) {
    expect(await rowOf(row)).toMatchObject({ status: 'cancelled', failure: kept });
    expect(await stored(person.id)).toMatchObject({ entity_id: acme.id, reporting_manager_id: null });
  }
});

test('the gains of the new manager are checked again on the day', async () => {
  const friend = await make.employee({ department_id: selling.id });
  const scheduled = await schedule({ reporting_manager_id: friend.id });
  const { id } = await deps.db
    .insertInto('roles')
    .values({ name: 'Watches two companies', scope: 'managed' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await deps.db.insertInto('role_permissions').values({ role_id: id, permission: 'kpi-cycle.reopen' }).execute();
  await deps.db.insertInto('role_assignments').values({ user_id: friend.user_id, role_id: id }).execute();
  expect(await outcomeOf(scheduled)).toEqual({ ...isCancelled, author: 'own' });
  expect(await stored(scheduled.person.id)).toMatchObject({ reporting_manager_id: null });
});

test('a change by an author with the rights, and one of the service, are made on their day', async () => {
  const [titled, reporting] = [await schedule({ job_title: 'Buyer', department_id: selling.id }), await schedule()];
  const orphan = await schedule({ job_title: 'Seller' });
  await deps.db.updateTable('job_history').set({ created_by: null }).where('id', '=', orphan.row).execute();
  await deps.db.deleteFrom('role_assignments').where('user_id', '=', orphan.author.user_id).execute();
  expect(await comeTheDay()).toEqual({ applied: 3, failed: 0, cancelled: 0 });
  expect(await stored(titled.person.id)).toMatchObject({ job_title: 'Buyer', department_id: selling.id });
  expect(await stored(reporting.person.id)).toMatchObject({ reporting_manager_id: reporting.author.id });
  expect(await stored(orphan.person.id)).toMatchObject({ job_title: 'Seller' });
});

test('a decided confirmation stays valid, unless the person is in another company by then', async () => {
  const author = await make.employee({ department_id: buying.id, ...hrOf(acme.id) });
  const confirm = async () => {
    const person = await make.employee({ department_id: buying.id, employment_lifecycle: 'probationary' });
    const { id } = await deps.db
      .insertInto('job_history')
      .values({
        employee_id: person.id,
        effective_from: later,
        status: 'scheduled',
        changed_fields: ['employment_lifecycle'],
        entity_id: acme.id,
        department_id: buying.id,
        employment_type: 'full_time',
        employment_lifecycle: 'confirmed',
        created_by: author.user_id,
        created_by_name: 'Hana',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { author, person, row: id };
  };
  const [stays, moves] = [await confirm(), await confirm()];
  await deps.db
    .updateTable('employees')
    .set({ entity_id: beta.id, department_id: abroad.id })
    .where('id', '=', moves.person.id)
    .execute();
  await deps.db.updateTable('employees').set({ activity_status: 'inactive' }).where('id', '=', author.id).execute();
  expect(await comeTheDay()).toEqual({ applied: 1, failed: 0, cancelled: 1 });
  expect(await stored(stays.person.id)).toMatchObject({ employment_lifecycle: 'confirmed' });
  expect(await stored(moves.person.id)).toMatchObject({ employment_lifecycle: 'probationary' });
  expect(await rowOf(moves.row)).toMatchObject({ status: 'cancelled', failure: kept });
});
