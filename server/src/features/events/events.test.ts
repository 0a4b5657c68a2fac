import { auditActions, eventTypes, privateActions } from '@tenure/contract';
import type { AuditAction, Event, Permission } from '@tenure/contract';
import { expect, test, vi } from 'vitest';
import { record } from '../../audit.ts';
import { databaseNow } from '../../jobs/task.ts';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { chainAndCollect, collectEvents, deleteEvents } from './collect.ts';

const { as, make, deps, owner } = await startApp();
const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const acting = { db: deps.db, actor: null };
const job = async () => ({ deps, now: await databaseNow(deps.db) });

/** Chains and collects until all entries are processed: an open transaction elsewhere holds back links. */
async function collectAll() {
  await vi.waitFor(
    async () => {
      await chainAndCollect(await job());
      const { rows } = await owner.query(
        'select from audit_log a where not exists (select from audit_chain c where c.audit_id = a.id)',
      );
      expect(rows).toEqual([]);
    },
    { timeout: 10_000 },
  );
}

let roles = 0;
/** A reader whose role has these permissions, in some companies or all. */
async function reader(permissions: readonly Permission[], entityIds: number[] | null = null, scope = 'all') {
  const { rows } = await owner.query<{ id: number }>('insert into roles (name, scope) values ($1, $2) returning id', [
    `Reader ${(roles += 1)}`,
    scope,
  ]);
  await owner.query('insert into role_permissions (role_id, permission) select $1, unnest($2::text[])', [
    rows[0]?.id,
    ['events.view', ...permissions],
  ]);
  const person = await make.employee({ entity_id: north.id });
  await owner.query('insert into role_assignments (user_id, role_id, entity_ids) values ($1, $2, $3)', [
    person.user_id,
    rows[0]?.id,
    entityIds,
  ]);
  return { client: await as(person.user_id), person };
}

type Feed = { events: Event[]; next: number };
async function feed(client: Client, query = ''): Promise<Feed> {
  const { status, body } = await client.get(`/api/events${query}`);
  expect(status).toBe(200);
  return body.data as Feed;
}

test('every action of the audit log is an event or private, and none is both', () => {
  const all = Object.entries(auditActions).flatMap(([type, verbs]) => verbs.map((verb) => `${type}.${verb}`));
  const sources: { actions: readonly AuditAction[]; status?: string }[] = Object.values(eventTypes);
  const mapped = new Set(sources.flatMap(({ actions }) => actions));
  expect(all.filter((action) => !mapped.has(action as AuditAction)).toSorted()).toEqual(privateActions.toSorted());
  // each entry is one event: only actions that depend on the status are in several types
  const always = sources.filter(({ status }) => status === undefined).flatMap(({ actions }) => actions);
  expect(new Set(always).size).toBe(always.length);
});

test('what is done through the API comes once, in order and without gaps', async () => {
  const { client } = await reader(['employees.view', 'employees.update', 'departments.view', 'departments.create']);
  const admin = await as((await make.admin()).user_id);
  await collectAll();
  const { next: before } = await feed(client);
  const department = await admin.post('/api/departments', { entity_id: north.id, name: 'Purchasing', code: 'PUR' });
  expect(department.status).toBe(201);
  const person = await make.employee({ entity_id: north.id });
  const changed = await admin.put(`/api/employees/${person.id}`, { job_title: 'Buyer', mobile: '+4912345678' });
  expect(changed.status).toBe(200);
  await collectAll();
  await collectEvents(await job());
  const { events, next } = await feed(client, `?after=${before}`);
  expect(events).toEqual([
    {
      sequence: before + 1,
      type: 'department.created',
      timestamp: expect.any(String),
      data: expect.objectContaining({ id: department.body.data.id, entity_id: north.id, employee_id: null }),
    },
    {
      sequence: before + 2,
      type: 'employee.updated',
      timestamp: expect.any(String),
      data: {
        id: person.id,
        entity_id: north.id,
        employee_id: person.id,
        changed: ['job_title', 'private'],
        actor: { type: 'user' },
      },
    },
  ]);
  expect(next).toBe(before + 2);
  expect(await feed(client, `?after=${next}`)).toEqual({ events: [], next });
  expect((await feed(client, `?after=${before}&limit=1`)).next).toBe(before + 1);
  expect((await feed(client, `?after=${before}&types=employee.updated`)).events).toHaveLength(1);
});

test('an event is seen by holders of its permission for the whole company', async () => {
  await collectAll();
  const all = await reader(['employees.view', 'employees.view_sensitive']);
  const { next: after } = await feed(all.client);
  const [here, there] = [await make.employee({ entity_id: north.id }), await make.employee({ entity_id: south.id })];
  for (const { id, entity_id } of [here, there])
    await record(acting, {
      action: 'employee.separated',
      subject_id: id,
      entity_id,
      changes: { separation_reason: { from: null, to: 'x' } },
    });
  await collectAll();
  const seen = async ({ client }: { client: Client }) =>
    (await feed(client, `?after=${after}`)).events.map(({ data }) => [data.id, ...data.changed]);
  expect(await seen(all)).toEqual([
    [here.id, 'separation_reason'],
    [there.id, 'separation_reason'],
  ]);
  expect(await seen(await reader(['employees.view'], [north.id]))).toEqual([[here.id, 'private']]);
  expect(await seen(await reader(['departments.view']))).toEqual([]);
  expect(await seen(await reader(['employees.view'], null, 'managed'))).toEqual([]);
  const manager = await make.employee({ roles: ['Manager'], entity_id: north.id });
  expect((await (await as(manager.user_id)).get('/api/events')).status).toBe(403);
});

test('of a review of their own, people read nothing here', async () => {
  await collectAll();
  const [mine, other] = [await reader(['kpi-evaluation.view']), await reader(['kpi-evaluation.view'])];
  const { next: after } = await feed(other.client);
  const changes = { status: { from: 'pending_acceptance', to: 'completed' } };
  const about = { about_employee_id: mine.person.id, entity_id: north.id, subject_id: 4 };
  await record(acting, { action: 'kpi_evaluation.accept', changes, ...about });
  await record(acting, { action: 'kpi_evaluation.manager-review', ...about });
  await collectAll();
  expect((await feed(mine.client, `?after=${after}`)).events).toEqual([]);
  expect((await feed(other.client, `?after=${after}`)).events).toMatchObject([
    { type: 'kpi_evaluation.completed', data: { id: 4, employee_id: mine.person.id, actor: { type: 'system' } } },
  ]);
});

test('an account without a person reads them too', async () => {
  await collectAll();
  const admin = await as((await make.admin()).user_id);
  const { next: after } = await feed(admin);
  await record(acting, { action: 'entity.updated', subject_id: 1 });
  await collectAll();
  expect((await feed(admin, `?after=${after}`)).events).toMatchObject([{ type: 'entity.updated' }]);
});

test('an entry that is committed late is not passed over', async () => {
  const { client } = await reader(['entities.view']);
  await collectAll();
  const { next: after } = await feed(client);
  const open = await deps.db.startTransaction().execute();
  await record({ db: open, actor: null }, { action: 'entity.updated', subject_id: 1 });
  await record(acting, { action: 'entity.updated', subject_id: 2 });
  await chainAndCollect(await job());
  const early = await feed(client, `?after=${after}`);
  await open.commit().execute();
  await collectAll();
  const late = await feed(client, `?after=${early.next}`);
  expect([...early.events, ...late.events].map(({ data }) => data.id)).toEqual([1, 2]);
});

test('two collectors at once make each event once', async () => {
  await collectAll();
  const { client } = await reader(['entities.view']);
  const { next: after } = await feed(client);
  await record(
    acting,
    ...Array.from({ length: 50 }, (_, index) => ({ action: 'entity.updated' as const, subject_id: index + 1 })),
  );
  await collectAll();
  await owner.query('delete from events where sequence > $1', [after]);
  await owner.query('update events_reached set sequence = $1, link = (select max(position) - 50 from audit_chain)', [
    after,
  ]);
  const context = await job();
  await Promise.all([collectEvents(context), collectEvents(context), collectEvents(context)]);
  const { events } = await feed(client, `?after=${after}`);
  expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 50 }, (_, index) => after + index + 1));
});

test('events older than 30 days are forgotten, and who asks for them is refused', async () => {
  const { client } = await reader(['entities.view']);
  await record(acting, { action: 'entity.updated', subject_id: 1 }, { action: 'entity.updated', subject_id: 2 });
  await collectAll();
  const { next } = await feed(client);
  await owner.query("update events set at = now() - interval '31 days' where sequence <= $1", [next - 1]);
  await deleteEvents(await job());
  expect((await feed(client)).events.map(({ sequence }) => sequence)).toEqual([next]);
  expect((await feed(client, `?after=${next - 1}`)).events).toHaveLength(1);
  const refused = async (query: string) => {
    const { status, body } = await client.get(`/api/events?${query}`);
    return [status, body.errors];
  };
  expect(await refused(`after=${next - 2}`)).toEqual([
    422,
    { after: ['The events after this one are no longer available. Start again without after.'] },
  ]);
  expect(await refused(`after=${next + 1}`)).toEqual([
    422,
    { after: [`There is no such event yet. The last one is ${next}.`] },
  ]);
  for (const query of ['after=-1', 'after=x', 'limit=0', 'limit=501', 'types=employee.created,role.created'])
    expect((await refused(query))[0], query).toBe(422);
});

test('blocks of a sign-in are seen by those who may see sign-ins', async () => {
  await collectAll();
  const all = await reader(['employees.reset_password']);
  const { next: after } = await feed(all.client);
  const { user_id } = await make.employee({ entity_id: north.id });
  for (const action of ['sign_in_block.created', 'sign_in_block.deleted'] as const)
    await record(acting, { action, subject_id: user_id, entity_id: north.id });
  await collectAll();
  const seen = async ({ client }: { client: Client }) =>
    (await feed(client, `?after=${after}`)).events.map(({ type }) => type);
  expect(await seen(all)).toEqual(['account.sign_in_blocked', 'account.sign_in_allowed']);
  expect(await seen(await reader(['employees.view', 'employees.view_all']))).toEqual([]);
});
