import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { applyDueJobChanges } from './apply.ts';
import { inSameCompany, recordJobChange } from '../../people/job-write.ts';

const { as, make, deps, owner } = await startApp();
const acme = await make.entity({ name: 'Acme Foods Ltd', code: 'ACME' });
const [buying, selling] = [
  await make.department({ entity_id: acme.id }),
  await make.department({ entity_id: acme.id }),
];
const boss = await make.employee({ department_id: buying.id });
const hrPerson = await make.employee({ roles: ['HR'] });
const hr = await as(hrPerson.user_id);

const today = () => Temporal.Now.plainDateISO('UTC');
const day = (offset: number) => today().add({ days: offset }).toString();
/** Noon of a day, when it is that day in UTC. */
const noon = (offset: number) => Temporal.Instant.from(`${day(offset)}T12:00:00Z`);

async function person(fields: Parameters<typeof make.employee>[0] = {}) {
  const made = await make.employee({
    department_id: buying.id,
    job_title: 'Buyer',
    joining_date: '2024-01-01',
    ...fields,
  });
  const change = { employee_ids: [made.id], changed_fields: ['job_title'], by: null };
  await recordJobChange(deps.db, change, inSameCompany);
  return made;
}
const stored = (id: number) =>
  deps.db.selectFrom('employees').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const rowsOf = async (id: number) =>
  deps.db
    .selectFrom('job_history')
    .selectAll()
    .where('employee_id', '=', id)
    .orderBy('effective_from')
    .orderBy('id')
    .execute();
const shownRows = async (id: number) =>
  (await rowsOf(id)).map((row) => [row.status, row.effective_from, row.effective_to, row.job_title]);
const everything = async () => {
  const { rows } = await owner.query(
    `select (select md5(string_agg(e::text, '|' order by id)) from employees e) as people,
            (select md5(string_agg(h::text, '|' order by id)) from job_history h) as jobs,
            (select count(*) from audit_log) as traces`,
  );
  return rows[0] as unknown;
};
const post = (id: number, body: object, client = hr) => client.post(`/api/employees/${id}/job-history`, body);

test('a later change is scheduled and changes nothing yet', async () => {
  const { id } = await person();
  const answer = await post(id, {
    effective_from: day(30),
    department_id: selling.id,
    reporting_manager_id: boss.id,
    job_title: 'Senior Buyer',
    reason: 'Transfer',
  });
  expect([answer.status, answer.body.message]).toEqual([201, 'Job change scheduled successfully.']);
  expect(answer.body.data).toMatchObject({
    employee_id: id,
    status: 'scheduled',
    effective_from: day(30),
    effective_to: null,
    changed_fields: ['department_id', 'reporting_manager_id', 'job_title'],
    department: { id: selling.id, name: selling.name },
    reporting_manager: { id: boss.id, employee_number: boss.employee_number },
    reason: 'Transfer',
    created_by: { user_id: hrPerson.user_id },
    allowed_actions: ['delete'],
  });
  expect(await stored(id)).toMatchObject({ department_id: buying.id, job_title: 'Buyer', revision: 1 });
});

test('a change after the last working day is refused, one on it is scheduled', async () => {
  const { id } = await person({ employment_lifecycle: 'resigned', last_working_date: day(20) });
  const before = await everything();
  const late = await post(id, { effective_from: day(21), job_title: 'Senior Buyer' });
  expect([late.status, Object.keys(late.body.errors ?? {})]).toEqual([422, ['effective_from']]);
  expect(await everything()).toEqual(before);
  expect((await post(id, { effective_from: day(20), job_title: 'Senior Buyer' })).status).toBe(201);
});

test('a change of today or earlier takes effect at once, and every past day can be read', async () => {
  const { id } = await person();
  const now = await post(id, { effective_from: day(-10), job_title: 'Senior Buyer' });
  expect([now.status, now.body.data.status, now.body.message]).toEqual([201, 'current', 'Job changed successfully.']);
  expect((await stored(id)).job_title).toBe('Senior Buyer');
  expect((await post(id, { effective_from: day(0), job_title: 'Head of Buying' })).status).toBe(201);
  expect(await shownRows(id)).toEqual([
    ['past', '2024-01-01', day(-11), 'Buyer'],
    ['past', day(-10), day(-1), 'Senior Buyer'],
    ['current', day(0), null, 'Head of Buying'],
  ]);
  const list = await hr.get(`/api/employees/${id}/job-history`);
  expect(list.body.data.map((row: { job_title: string }) => row.job_title)).toEqual([
    'Head of Buying',
    'Senior Buyer',
    'Buyer',
  ]);
  expect(list.body.meta.total).toBe(3);
  const found = await hr.get(`/api/employees/${id}/job-history?status=past&search=senior&sort_direction=asc`);
  expect(found.body.data).toHaveLength(1);
});

test.each([
  ['nothing to change', { effective_from: day(5), job_title: 'Buyer' }, 'effective_from'],
  ['a day before the present job', { effective_from: '2023-12-31', job_title: 'Clerk' }, 'effective_from'],
  ['no day', { job_title: 'Clerk' }, 'effective_from'],
  ['a department of nowhere', { effective_from: day(5), department_id: 999_999 }, 'department_id'],
  ['nobody as manager', { effective_from: day(5), reporting_manager_id: 999_999 }, 'reporting_manager_id'],
  ['no department', { effective_from: day(5), department_id: null }, 'department_id'],
])('%s is refused', async (_name, body, field) => {
  const { id } = await person();
  const before = await everything();
  const answer = await post(id, body);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
  expect(await everything()).toEqual(before);
});

test('no person comes to report to their own report', async () => {
  const top = await person();
  const below = await person({ reporting_manager_id: top.id });
  const before = await everything();
  for (const effective_from of [day(0), day(9)]) {
    const answer = await post(top.id, { effective_from, reporting_manager_id: below.id });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['reporting_manager_id']]);
  }
  expect(await everything()).toEqual(before);
});

test('HR cannot change the own job, or jobs of leavers and people out of scope', async () => {
  const own = await post(hrPerson.id, { effective_from: day(5), job_title: 'Chief' });
  expect(own.status).toBe(403);
  const limited = await as((await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }] })).user_id);
  const elsewhere = await make.employee();
  expect((await post(elsewhere.id, { effective_from: day(5), job_title: 'x' }, limited)).status).toBe(404);
  const { id } = await person();
  const moved = await post(
    id,
    { effective_from: day(5), entity_id: elsewhere.entity_id, department_id: elsewhere.department_id },
    limited,
  );
  expect(Object.keys(moved.body.errors)).toContain('entity_id');
  const gone = await person({ employment_lifecycle: 'resigned', activity_status: 'inactive' });
  const answer = await post(gone.id, { effective_from: day(5), job_title: 'Chief' });
  expect([answer.status, answer.body.status]).toEqual([422, 'resigned']);
  const manager = await as(boss.user_id);
  expect((await post(id, { effective_from: day(5), job_title: 'x' }, manager)).status).toBe(403);
});

test('the history belongs to the employment data, not to the card', async () => {
  const { id, user_id } = await person();
  const own = await as(user_id);
  expect((await own.get(`/api/employees/${id}/job-history`)).body.data).toHaveLength(1);
  const role = await deps.db
    .insertInto('roles')
    .values({ name: 'Reader', scope: 'own' })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const permission of ['employees.view', 'employees.view_all'])
    await deps.db.insertInto('role_permissions').values({ role_id: role.id, permission }).execute();
  const reader = await as((await make.employee({ roles: [{ role: 'Reader', entity_ids: [acme.id] }] })).user_id);
  expect((await reader.get(`/api/employees/${id}`)).status).toBe(200);
  expect((await reader.get(`/api/employees/${id}/job-history`)).status).toBe(403);
  const stranger = await as((await make.employee()).user_id);
  expect((await stranger.get(`/api/employees/${id}/job-history`)).status).toBe(404);
});

test('a scheduled change is cancelled once, under its own person only', async () => {
  const { id } = await person();
  const other = await person();
  const { data } = (await post(id, { effective_from: day(5), job_title: 'Chief' })).body;
  const before = await everything();
  expect((await hr.delete(`/api/employees/${other.id}/job-history/${data.id}`)).status).toBe(404);
  expect(await everything()).toEqual(before);
  expect((await hr.delete(`/api/employees/${id}/job-history/${data.id}`)).status).toBe(204);
  const again = await hr.delete(`/api/employees/${id}/job-history/${data.id}`);
  expect([again.status, again.body.status]).toEqual([422, 'cancelled']);
  const [current] = await rowsOf(id);
  expect((await hr.delete(`/api/employees/${id}/job-history/${current?.id}`)).status).toBe(422);
  await applyDueJobChanges({ deps, now: noon(6) });
  expect((await stored(id)).job_title).toBe('Buyer');
});

test('due changes are applied once, in order, missed days included', async () => {
  const { id } = await person();
  await post(id, { effective_from: day(5), department_id: selling.id });
  await post(id, { effective_from: day(3), job_title: 'Senior Buyer', grade: 'T3' });
  await post(id, { effective_from: day(20), job_title: 'Head of Buying' });
  await applyDueJobChanges({ deps, now: noon(2) });
  expect((await stored(id)).job_title).toBe('Buyer');
  const results = await Promise.all([1, 2, 3].map(() => applyDueJobChanges({ deps, now: noon(9) })));
  expect(results.reduce((sum, { applied }) => sum + applied, 0)).toBe(2);
  expect(await stored(id)).toMatchObject({ job_title: 'Senior Buyer', grade: 'T3', department_id: selling.id });
  expect(
    (await rowsOf(id)).map((row) => [row.status, row.effective_from, row.effective_to, row.department_id]),
  ).toEqual([
    ['past', '2024-01-01', day(2), buying.id],
    ['past', day(3), day(4), buying.id],
    ['current', day(5), null, selling.id],
    ['scheduled', day(20), null, selling.id],
  ]);
  const traces = await deps.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'job_history.applied')
    .orderBy('id')
    .execute();
  expect(traces).toHaveLength(2);
  expect(traces[0]).toMatchObject({
    actor_id: null,
    actor_name: 'System',
    changes: { job_title: { from: 'Buyer', to: 'Senior Buyer' } },
  });
});

test('a change keeps other changes made meanwhile', async () => {
  const { id } = await person();
  await post(id, { effective_from: day(3), grade: 'T3' });
  await hr.put(`/api/employees/${id}`, { job_title: 'Clerk' });
  await applyDueJobChanges({ deps, now: noon(3) });
  expect(await stored(id)).toMatchObject({ grade: 'T3', job_title: 'Clerk' });
  expect((await rowsOf(id)).at(-1)).toMatchObject({ status: 'current', grade: 'T3', job_title: 'Clerk' });
});

test('the day begins at midnight of the person’s company', async () => {
  const zones = ['Pacific/Auckland', 'UTC', 'America/Los_Angeles'] as const;
  const people = await Promise.all(
    zones.map(async (timezone) =>
      person({ department_id: (await make.department({ entity_id: (await make.entity({ timezone })).id })).id }),
    ),
  );
  for (const { id } of people)
    await deps.db
      .insertInto('job_history')
      .values({
        employee_id: id,
        effective_from: '2027-03-10',
        status: 'scheduled',
        changed_fields: ['job_title'],
        entity_id: acme.id,
        department_id: buying.id,
        job_title: 'Head',
        employment_type: 'full_time',
        employment_lifecycle: 'confirmed',
        created_by_name: 'System',
      })
      .execute();
  const titles = async (now: string) => {
    await applyDueJobChanges({ deps, now: Temporal.Instant.from(now) });
    return Promise.all(people.map(async ({ id }) => (await stored(id)).job_title));
  };
  expect(await titles('2027-03-09T10:59:59Z')).toEqual(['Buyer', 'Buyer', 'Buyer']);
  expect(await titles('2027-03-09T11:00:00Z')).toEqual(['Head', 'Buyer', 'Buyer']);
  expect(await titles('2027-03-10T00:00:00Z')).toEqual(['Head', 'Head', 'Buyer']);
  expect(await titles('2027-03-10T07:59:59Z')).toEqual(['Head', 'Head', 'Buyer']);
  expect(await titles('2027-03-10T08:00:00Z')).toEqual(['Head', 'Head', 'Head']);
});

test('an impossible change fails on its day with its reason and can be cancelled', async () => {
  const { id } = await person();
  const manager = await person();
  const closing = await make.department({ entity_id: acme.id });
  const { data } = (
    await post(id, { effective_from: day(3), department_id: closing.id, reporting_manager_id: manager.id })
  ).body;
  await deps.db.updateTable('departments').set({ status: 'inactive' }).where('id', '=', closing.id).execute();
  await deps.db.updateTable('employees').set({ activity_status: 'inactive' }).where('id', '=', manager.id).execute();
  const result = await applyDueJobChanges({ deps, now: noon(3) });
  expect(result.failed).toBe(1);
  const list = await hr.get(`/api/employees/${id}/job-history?status=failed`);
  expect(list.body.data).toMatchObject([
    {
      id: data.id,
      failure:
        'This department isn’t available. Select another one. This reporting manager isn’t available. Select another one.',
      allowed_actions: ['delete'],
    },
  ]);
  expect((await stored(id)).department_id).toBe(buying.id);
  expect((await hr.delete(`/api/employees/${id}/job-history/${data.id}`)).status).toBe(204);
});

test('a scheduled confirmation confirms on its day, unless the person was separated', async () => {
  const [stays, leaves] = [
    await person({ employment_lifecycle: 'probationary' }),
    await person({ employment_lifecycle: 'resigned' }),
  ];
  for (const { id } of [stays, leaves])
    await deps.db
      .insertInto('job_history')
      .values({
        employee_id: id,
        effective_from: day(1),
        status: 'scheduled',
        changed_fields: ['employment_lifecycle'],
        entity_id: acme.id,
        department_id: buying.id,
        employment_type: 'full_time',
        employment_lifecycle: 'confirmed',
        created_by_name: 'System',
      })
      .execute();
  await applyDueJobChanges({ deps, now: noon(2) });
  expect(await stored(stays.id)).toMatchObject({
    employment_lifecycle: 'confirmed',
    confirmation_date: day(1),
    job_title: 'Buyer',
  });
  expect(await stored(leaves.id)).toMatchObject({ employment_lifecycle: 'resigned', confirmation_date: null });
  expect((await rowsOf(leaves.id)).at(-1)).toMatchObject({ status: 'cancelled', failure: null });
});

test('a change planned for a day after the last one is cancelled on it, unless the separation is withdrawn', async () => {
  const [goes, stays] = [await person({ roles: [] }), await person({ roles: [] })];
  for (const { id } of [goes, stays])
    expect((await post(id, { effective_from: day(40), job_title: 'Head Buyer' })).status).toBe(201);
  for (const { id } of [goes, stays]) {
    const { revision } = await stored(id);
    const separation = { type: 'resigned', last_working_date: day(20), reason: 'Another post', revision };
    expect((await hr.post(`/api/employees/${id}/separate`, separation)).status).toBe(200);
  }
  const { revision } = await stored(stays.id);
  const back = await hr.post(`/api/employees/${stays.id}/withdraw-separation`, { reason: 'Decided to stay', revision });
  expect([back.status, back.body.errors]).toEqual([200, undefined]);
  const result = await applyDueJobChanges({ deps, now: noon(40) });
  expect(result).toMatchObject({ failed: 0 });
  expect((await rowsOf(goes.id)).map(({ status }) => status)).toEqual(['past', 'current', 'cancelled']);
  const { data } = (await hr.get(`/api/employees/${goes.id}/job-history?status=cancelled`)).body;
  expect(data).toMatchObject([{ failure: 'The person has left.', allowed_actions: [] }]);
  expect(await stored(goes.id)).toMatchObject({ job_title: 'Buyer' });
  expect(await stored(stays.id)).toMatchObject({ job_title: 'Head Buyer' });
});
