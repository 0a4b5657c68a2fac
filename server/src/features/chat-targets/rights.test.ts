import type { ChatCount, ChatTarget, Permission } from '@tenure/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { programOf } from '../../testing/programs.ts';
import { waitingLocks } from '../../testing/waiting-locks.ts';
import { startReceiver, tls } from '../../testing/webhook-receiver.ts';
import { postToChat } from './post-due.ts';

/** A channel gets what its responsible person can see, and only while they can. */

const service = await startApp(
  { EGRESS_ALLOW: '127.0.0.1/32', APP_URL: 'https://hr.example.com' },
  { door: { ca: tls.cert, resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 as const }]) } },
);
const { as, make, owner, deps, logged } = service;
const probation = probationMaker(service);
const chief = await make.admin();
const admin = await as(chief.user_id);
const [acme, other] = [await make.entity(), await make.entity()];
for (const { id } of [acme, other])
  await probation.review({ employee: await probation.person({ entity_id: id }), due_date: dayFromNow(2) });

const receiver = await startReceiver('/services/T0/zqsecret');
const everything: readonly Permission[] = ['webhooks.manage', 'probation-review.view', 'kpi-evaluation.view'];
let made = 0;

/** Gives a person a role of their own, for some companies or all. */
async function give(user_id: number, permissions: readonly Permission[], entityIds: number[] | null = null) {
  made += 1;
  const { rows } = await owner.query(`insert into roles (name, scope) values ($1, 'all') returning id`, [
    `Role ${made}`,
  ]);
  const id = Number(rows[0].id);
  await owner.query('insert into role_permissions select $1, unnest($2::text[])', [id, permissions]);
  await owner.query('insert into role_assignments (user_id, role_id, entity_ids) values ($1, $2, $3)', [
    user_id,
    id,
    entityIds,
  ]);
  return id;
}
async function integrator(permissions = everything) {
  const person = await make.employee({ roles: [] });
  const role = await give(person.user_id, permissions);
  return { ...person, role, client: await as(person.user_id) };
}

type Client = Awaited<ReturnType<typeof as>>;
const counts: ChatCount[] = ['probation_reviews'];
const sent = { kind: 'slack', url: receiver.url, counts, hour: 9, timezone: 'Europe/Berlin', language: 'en' };
async function add(client: Client, fields: object = {}) {
  made += 1;
  const { status, body } = await client.post('/api/chat-targets', { name: `Channel ${made}`, ...sent, ...fields });
  expect([status, body.errors]).toEqual([201, undefined]);
  return body.data as ChatTarget;
}
const read = async (id: number) => (await admin.get(`/api/chat-targets/${id}`)).body.data as ChatTarget;
/** Runs the job at a time in Berlin. */
const round = (time: string, day: string) =>
  postToChat({ deps, now: Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime('Europe/Berlin').toInstant() });
const took = (role: number, permission: Permission) =>
  owner.query('delete from role_permissions where role_id = $1 and permission = $2', [role, permission]);
const actionsOf = async (id: number) =>
  (
    await owner.query(
      "select action from audit_log where subject_type = 'chat_target' and subject_id = $1 order by id",
      [id],
    )
  ).rows.map(({ action }) => action as string);

beforeEach(async () => {
  await owner.query('delete from chat_targets');
  receiver.got.length = 0;
  receiver.answer((_got, response) => void response.writeHead(200).end('ok'));
});

type Person = Awaited<ReturnType<typeof integrator>>;
const losses: [what: string, reason: string, lose: (person: Person) => Promise<unknown>][] = [
  ['the permission for channels', 'permission', ({ role }) => took(role, 'webhooks.manage')],
  ['the permission for what it counts', 'counts', ({ role }) => took(role, 'probation-review.view')],
  [
    'companies that it counts',
    'counts',
    async ({ user_id, role }) => {
      await took(role, 'probation-review.view');
      await give(user_id, ['probation-review.view'], [acme.id]);
    },
  ],
  [
    'all roles',
    'permission',
    ({ user_id }) => owner.query('delete from role_assignments where user_id = $1', [user_id]),
  ],
  [
    'the job',
    'account',
    ({ id }) => owner.query("update employees set activity_status = 'inactive' where id = $1", [id]),
  ],
  [
    'the account',
    'account',
    ({ user_id }) => owner.query('update users set is_enabled = false where id = $1', [user_id]),
  ],
];

test.each(losses)('a channel stops once the person who added it loses %s', async (_what, reason, lose) => {
  const person = await integrator();
  const { id } = await add(person.client);
  const kept = await add(admin, { hour: 9 });
  expect(await round('09:00', '2099-01-07')).toBe(2);
  await lose(person);
  receiver.got.length = 0;
  expect(await round('09:00', '2099-01-08')).toBe(1);
  expect(await round('09:00', '2099-01-09')).toBe(1);
  expect(receiver.got).toHaveLength(2);
  expect(await read(id)).toMatchObject({ status: 'stopped', reason });
  expect(await read(kept.id)).toMatchObject({ status: 'active', reason: null });
  expect(await actionsOf(id)).toEqual(['chat_target.created', 'chat_target.stopped']);
  const { rows } = await owner.query(
    "select distinct user_id, variant from notifications where event = 'chat_target_stopped' and subject_id = $1",
    [id],
  );
  expect(rows).toContainEqual({ user_id: String(chief.user_id), variant: reason });
  const [line, ...more] = logged.filter(
    (one) => one.includes('"chat_stopped"') && one.includes(`"chat_target_id":${id},`),
  );
  expect([line?.includes(`"reason":"${reason}"`), more]).toEqual([true, []]);
});

test('it is stopped before its hour comes, and whatever is still to be tried is not posted', async () => {
  const person = await integrator();
  const [late, failing] = [await add(person.client, { hour: 20 }), await add(person.client)];
  receiver.answer((_got, response) => void response.writeHead(500).end());
  expect(await round('09:00', '2099-01-07')).toBe(1);
  await took(person.role, 'probation-review.view');
  expect(await round('09:15', '2099-01-07')).toBe(0);
  for (const { id } of [late, failing]) expect(await read(id)).toMatchObject({ status: 'stopped', reason: 'counts' });
  // giving the rights back does not restart the target
  await owner.query("insert into role_permissions values ($1, 'probation-review.view')", [person.role]);
  expect(await round('20:00', '2099-01-07')).toBe(0);
  expect(receiver.got).toHaveLength(1);
});

test('a right that is lost while other channels get their posts counts too', async () => {
  const person = await integrator();
  await add(person.client);
  const second = await add(person.client);
  receiver.answer((_got, response) => {
    void took(person.role, 'probation-review.view').then(() => response.writeHead(200).end('ok'));
  });
  expect(await round('09:00', '2099-01-07')).toBe(1);
  expect(await read(second.id)).toMatchObject({ status: 'stopped', reason: 'counts' });
});

/** Runs the job with counts that block until `change` is committed. */
async function whileCounting(change: (client: Pick<typeof owner, 'query'>) => Promise<unknown>): Promise<number> {
  const meanwhile = await owner.connect();
  await meanwhile.query('begin; lock table probation_reviews in access exclusive mode');
  const posting = round('09:00', '2099-01-07');
  try {
    await vi.waitFor(async () => expect(await waitingLocks(owner)).toContain('relation'), { timeout: 30_000 });
    await change(meanwhile);
  } finally {
    await meanwhile.query('commit');
    meanwhile.release();
  }
  return posting;
}

test('a right that is lost, or another address, while the numbers are counted lets nothing out', async () => {
  const person = await integrator();
  const { id } = await add(person.client);
  const taken = "delete from role_permissions where role_id = $1 and permission = 'probation-review.view'";
  expect(await whileCounting((client) => client.query(taken, [person.role]))).toBe(0);
  expect(await read(id)).toMatchObject({ status: 'stopped', reason: 'counts' });
  const second = await add(admin);
  const changed = 'update chat_targets set revision = revision + 1 where id = $1';
  expect(await whileCounting((client) => client.query(changed, [second.id]))).toBe(0);
  expect(receiver.got).toEqual([]);
  // the next run uses the new one
  expect(await round('09:15', '2099-01-07')).toBe(1);
});

test('who sees some companies adds channels of these, and no others', async () => {
  const person = await integrator(['webhooks.manage']);
  const role = await give(person.user_id, ['probation-review.view'], [acme.id]);
  for (const entity_ids of [null, [other.id], [acme.id, other.id]]) {
    const refused = await person.client.post('/api/chat-targets', { name: 'Wrong', ...sent, entity_ids });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['counts.0']]);
  }
  const { id } = await add(person.client, { entity_ids: [acme.id] });
  expect(await round('09:00', '2099-01-07')).toBe(1);
  expect(receiver.got[0]?.body['text']).toContain('1 probation review is due this week');
  await owner.query('update role_assignments set entity_ids = $2 where role_id = $1', [role, [other.id]]);
  expect(await round('09:00', '2099-01-08')).toBe(0);
  expect(await read(id)).toMatchObject({ status: 'stopped', reason: 'counts' });
});

test('a stopped channel is resumed by who may see all that it counts, and by no other', async () => {
  const person = await integrator();
  const { id } = await add(person.client);
  const url = `/api/chat-targets/${id}`;
  await took(person.role, 'probation-review.view');
  await round('08:00', '2099-01-07');
  const { revision, allowed_actions } = await read(id);
  expect(allowed_actions).toEqual(['update', 'test', 'resume', 'delete']);
  expect((await person.client.get(url)).body.data.allowed_actions).toEqual(['update', 'test', 'delete']);
  expect((await person.client.post(`${url}/resume`, { revision })).status).toBe(403);
  expect((await admin.post(`${url}/resume`, { revision: revision - 1 })).status).toBe(422);
  expect(await read(id)).toMatchObject({ status: 'stopped', reason: 'counts' });
  const resumed = await admin.post(`${url}/resume`, { revision });
  expect([resumed.status, resumed.body.data]).toMatchObject([200, { status: 'active', reason: null }]);
  expect(await round('09:00', '2099-01-07')).toBe(1);
  expect(await actionsOf(id)).toEqual(['chat_target.created', 'chat_target.stopped', 'chat_target.resumed']);
});

test('a program resumes no channel: a person answers for it', async () => {
  const person = await integrator();
  const { id } = await add(person.client);
  await took(person.role, 'probation-review.view');
  await round('08:00', '2099-01-07');
  const program = await programOf(service, chief.user_id, ['webhooks.manage', 'probation-review.view']);
  const { status } = await program.send('POST', `/api/chat-targets/${id}/resume`, {});
  expect([status, await read(id)]).toMatchObject([403, { status: 'stopped' }]);
});

test('who changes a channel answers for it instead of who added it', async () => {
  const person = await integrator();
  const { id } = await add(person.client);
  expect((await admin.put(`/api/chat-targets/${id}`, { hour: 10 })).status).toBe(200);
  await took(person.role, 'webhooks.manage');
  expect(await round('10:00', '2099-01-07')).toBe(1);
  expect(await read(id)).toMatchObject({ status: 'active' });
});
