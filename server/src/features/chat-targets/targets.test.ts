import { maxChatTargets } from '@tenure/contract';
import { beforeEach, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { waitingLocks } from '../../testing/waiting-locks.ts';
import { startReceiver, tls } from '../../testing/webhook-receiver.ts';
import { postToChat } from './post-due.ts';

const door = { ca: tls.cert, resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 as const }]) };
const service = await startApp({ EGRESS_ALLOW: '127.0.0.1/32', APP_URL: 'https://hr.example.com' }, { door });
const { as, make, owner, deps, logged } = service;
const [probation, kpi] = [probationMaker(service), kpiMaker(service)];
const chief = await make.admin();
const admin = await as(chief.user_id);
const [acme, other] = [await make.entity(), await make.entity()];
const omar = await make.employee({ entity_id: acme.id, first_name: 'Omar', last_name: 'Zqname', roles: ['Manager'] });
const person = (entity_id: number) => probation.person({ entity_id, first_name: 'Ann', last_name: 'Zqname' });
for (const due of [2, 3, -4])
  await probation.review({ employee: await person(acme.id), reviewer: omar, due_date: dayFromNow(due) });
await probation.review({ employee: await person(other.id), due_date: dayFromNow(2) });
await kpi.evaluation({
  employee: await person(acme.id),
  reviewer: omar,
  status: 'manager_review',
  stage_open_until: dayFromNow(5),
});

const receiver = await startReceiver('/services/T0/zqsecret');
const secret = 'zqsecret';
const sent = {
  kind: 'slack',
  url: receiver.url,
  counts: ['probation_reviews', 'probation_ends'],
  hour: 9,
  timezone: 'Europe/Berlin',
  language: 'en',
};
let made = 0;
async function add(fields: object = {}) {
  made += 1;
  const { status, body } = await admin.post('/api/chat-targets', { name: `Channel ${made}`, ...sent, ...fields });
  expect([status, body.errors]).toEqual([201, undefined]);
  return body.data as { id: number; revision: number };
}
/** Runs the job at a time in Berlin, by default on a Wednesday in winter. */
const round = (time: string, day = '2099-01-07') =>
  postToChat({ deps, now: Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime('Europe/Berlin').toInstant() });

beforeEach(async () => {
  await owner.query('delete from chat_targets');
  receiver.got.length = 0;
  receiver.answer((_got, response) => void response.writeHead(200).end('ok'));
});

test('a channel gets numbers and links of its companies once a day at its hour, and no names', async () => {
  await add({ entity_ids: [acme.id] });
  expect(await round('08:45')).toBe(0);
  expect(await round('09:00')).toBe(1);
  expect(await round('09:15')).toBe(0);
  expect(receiver.got.map(({ body }) => body)).toEqual([
    {
      text: [
        '*HR tasks*',
        '• <https://hr.example.com/probation|2 probation reviews are due this week>',
        '• <https://hr.example.com/probation|1 probation review is overdue>',
      ].join('\n'),
    },
  ]);
  expect(receiver.got[0]?.text).not.toMatch(/zqname|omar|ann/i);
  expect(await round('09:00', '2099-01-08')).toBe(1);
  const { data } = (await admin.get('/api/chat-targets')).body;
  expect(data).toMatchObject([
    { http_status: 200, error: null, tried_at: expect.any(String), host: 'hooks.test:' + new URL(receiver.url).port },
  ]);
});

test('a channel gets one post where rounds of two processes overlap', async () => {
  await add();
  await add();
  const other = Promise.withResolvers<number>();
  // the second round starts while the first one posts to the first channel
  receiver.answer((_got, response) => {
    const end = () => void response.writeHead(200).end('ok');
    if (receiver.got.length > 1) return end();
    round('09:15').then(other.resolve, other.reject);
    void other.promise.finally(end);
  });
  const first = await round('09:00');
  expect([first, await other.promise]).toEqual([1, 1]);
  expect(receiver.got).toHaveLength(2);
});

test('Teams gets an Adaptive Card, in the language of the target, on its day of the week', async () => {
  await add({ kind: 'teams', language: 'de', weekday: 4, counts: ['kpi_reviews'] });
  expect(await round('09:00')).toBe(0);
  expect(await round('11:59', '2099-01-08')).toBe(1);
  const [card] = (receiver.got[0] as { body: Record<string, unknown> }).body['attachments'] as {
    contentType: string;
    content: { type: string; body: { text: string }[] };
  }[];
  expect(card).toMatchObject({
    contentType: 'application/vnd.microsoft.card.adaptive',
    content: { type: 'AdaptiveCard' },
  });
  expect(card?.content.body.map(({ text }) => text)).toEqual([
    'HR-Aufgaben',
    '- [1 KPI-Beurteilung ist diese Woche fällig](https://hr.example.com/tasks?kind=kpi_manager_review)',
  ]);
});

test('a channel gets nothing while nothing is due, nor later than its hours', async () => {
  await add({ counts: ['self_assessments'] });
  expect(await round('09:00')).toBe(0);
  await add();
  expect(await round('12:00')).toBe(0);
  expect(await round('03:00')).toBe(0);
  expect(receiver.got).toEqual([]);
});

test('what does not arrive is logged, shown and tried three times; the address is in no log or entry', async () => {
  await add();
  receiver.answer((_got, response) => void response.writeHead(500).end());
  for (const time of ['09:00', '09:15', '09:30', '09:45']) await round(time);
  expect(receiver.got.length).toBe(3);
  expect((await admin.get('/api/chat-targets')).body.data).toMatchObject([{ http_status: 500, error: 'status' }]);
  expect(logged.filter((line) => line.includes('"event":"chat_failed"')).length).toBe(3);
  expect(logged.filter((line) => line.includes(secret))).toEqual([]);
  for (const table of ['audit_log', 'chat_targets', 'idempotency_keys']) {
    const { rows } = await owner.query(`select from ${table} x where x::text like '%' || $1 || '%'`, [secret]);
    expect([table, rows.length]).toEqual([table, 0]);
  }
});

test('a target is changed without its address, tested once a second, and deleted', async () => {
  const { id, revision } = await add();
  const url = `/api/chat-targets/${id}`;
  const changed = await admin.put(url, { hour: 7, weekday: 1, revision });
  expect([changed.status, changed.body.data.hour, changed.body.data.weekday]).toEqual([200, 7, 1]);
  expect((await admin.put(url, { hour: 8, revision })).status).toBe(422);
  expect(changed.bytes.toString()).not.toContain(secret);
  const moved = await admin.put(url, { url: `${receiver.url}?again=1`, revision: changed.body.data.revision });
  expect(moved.status).toBe(200);
  const answers = await Promise.all([admin.post(`${url}/test`), admin.post(`${url}/test`)]);
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 429]);
  expect(receiver.got.map(({ body }) => String(body['text']).split('\n')[0])).toEqual(['*HR tasks*']);
  expect((await admin.delete(url)).status).toBe(204);
  expect((await admin.get(url)).status).toBe(404);
  const log = await owner.query(
    `select action, changes from audit_log where subject_type = 'chat_target' and subject_id = $1 order by id`,
    [id],
  );
  expect(log.rows.map(({ action }) => action)).toEqual([
    'chat_target.created',
    'chat_target.updated',
    'chat_target.updated',
    'chat_target.deleted',
  ]);
  // the log shows that the address on the same host changed, but not the address
  expect(log.rows[2]?.changes).toEqual({ webhook_url: { from: '[hidden]', to: '[hidden]' } });
});

test('a change that changes nothing leaves the channel to the person who set it up', async () => {
  const { id, revision } = await add();
  const second = await as((await make.admin()).user_id);
  const { hour, counts, timezone } = sent;
  const { status, body } = await second.put(`/api/chat-targets/${id}`, { hour, counts, timezone, revision });
  expect([status, body.data.revision]).toEqual([200, revision]);
  const { rows } = await owner.query(
    `select c.set_by_id::int, (select array_agg(action) from audit_log l
                          where l.subject_type = 'chat_target' and l.subject_id = c.id) as actions
     from chat_targets c where c.id = $1`,
    [id],
  );
  expect(rows).toEqual([{ set_by_id: chief.user_id, actions: ['chat_target.created'] }]);
});

test('tests are counted by all processes together', async () => {
  const beside = await startApp({}, { beside: service, door });
  const { id } = await add();
  const url = `/api/chat-targets/${id}/test`;
  const clients = [admin, await beside.as(chief.user_id)];
  const test = async () => (await Promise.all(clients.map((one) => one.post(url)))).map(({ status }) => status);
  // as if one was sent right now, however long the requests take
  await owner.query("update chat_targets set tested_at = now() + interval '1 hour'");
  expect(await test()).toEqual([429, 429]);
  expect(receiver.got).toEqual([]);
  await owner.query("update chat_targets set tested_at = now() - interval '1 second'");
  expect((await test()).toSorted((a, b) => a - b)[0]).toBe(200);
});

test('addresses that must not be reached, and numbers that the person may not see, are refused', async () => {
  for (const url of ['http://hooks.test/x', 'https://10.0.0.8/x', 'https://169.254.169.254/latest', 'nonsense']) {
    const { status, body } = await admin.post('/api/chat-targets', { name: 'Wrong', ...sent, url });
    expect([url, status, Object.keys(body.errors)]).toEqual([url, 422, ['url']]);
  }
  const { rows } = await owner.query(`insert into roles (name, scope) values ('Integrations', 'all') returning id`);
  await owner.query(`insert into role_permissions select $1, unnest(array['webhooks.manage', 'kpi-evaluation.view'])`, [
    rows[0].id,
  ]);
  const integrator = await make.employee({ roles: [] });
  await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [
    integrator.user_id,
    rows[0].id,
  ]);
  const client = await as(integrator.user_id);
  const counts = ['kpi_reviews', 'probation_reviews'];
  const refused = await client.post('/api/chat-targets', { name: 'Wrong', ...sent, counts });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['counts.1']]);
  expect((await client.post('/api/chat-targets', { name: 'Right', ...sent, counts: ['kpi_reviews'] })).status).toBe(
    201,
  );
  const { id } = await add();
  expect((await client.put(`/api/chat-targets/${id}`, { url: receiver.url })).status).toBe(422);
  const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
  expect((await hr.get('/api/chat-targets')).status).toBe(403);
});

test('there are at most 50', async () => {
  await owner.query(
    `insert into chat_targets (name, kind, host, counts, hour, timezone, language, set_by_id)
     select 'Filler ' || n, kind, host, counts, hour, timezone, language, set_by_id
     from chat_targets, generate_series(1, $2::int) n where id = $1`,
    [(await add()).id, maxChatTargets - 1],
  );
  const { status, body } = await admin.post('/api/chat-targets', { name: 'One more', ...sent });
  expect([status, body.errors]).toEqual([422, { name: ['There are 50 chat channels. Delete one first.'] }]);
  expect((await owner.query('select from chat_targets')).rowCount).toBe(maxChatTargets);
});

test('of two that are added at once, the second counts the first', async () => {
  await owner.query(
    `insert into chat_targets (name, kind, host, counts, hour, timezone, language, set_by_id)
     select 'Filler ' || n, kind, host, counts, hour, timezone, language, set_by_id
     from chat_targets, generate_series(1, $2::int) n where id = $1`,
    [(await add()).id, maxChatTargets - 2],
  );
  const lock = await owner.connect();
  await lock.query('begin');
  await lock.query('lock table chat_targets in share mode');
  const answers = ['One', 'Two'].map((name) => admin.post('/api/chat-targets', { ...sent, name }));
  await expect.poll(async () => (await waitingLocks(owner)).length, { interval: 10 }).toBe(2);
  await lock.query('rollback');
  lock.release();
  expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([201, 422]));
  expect((await owner.query('select from chat_targets')).rowCount).toBe(maxChatTargets);
});
