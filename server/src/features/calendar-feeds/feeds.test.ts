import { newToken } from '../../crypto/api-token.ts';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { untilMinuteHas } from '../../testing/minute.ts';
import { recordStatements } from '../../testing/statements.ts';
import { bearing } from '../../testing/programs.ts';
import { feedReadsPerHour } from './server.ts';

const service = await startApp({ APP_URL: 'https://hr.example.com' });
const { app, as, make, owner, logged } = service;
const [kpi, probation] = [kpiMaker(service), probationMaker(service)];
const { id: department_id } = await make.department();
const omar = await make.employee({ department_id, roles: ['Employee', 'Manager'] });
const [ann, ben] = [
  await probation.person({ department_id, first_name: 'Ann', last_name: 'Reed', reporting_manager_id: omar.id }),
  await make.employee({ department_id, first_name: 'Ben', last_name: 'Reed', reporting_manager_id: omar.id }),
];
const cycle = await kpi.cycle({ name: 'Spring', manager_review_closes_on: dayFromNow(9) });
const evaluation = (employee: typeof ann, due: number) =>
  kpi.evaluation({
    cycle_id: cycle.id,
    employee,
    reviewer: omar,
    status: 'manager_review',
    stage_open_until: dayFromNow(due),
  });
const [first] = [await evaluation(ann, 9), await evaluation(ben, 9)];
const review = await probation.review({ employee: ann, reviewer: omar, due_date: dayFromNow(12) });
const manager = await as(omar.user_id);

const all = ['kpi_tasks', 'probation_tasks', 'other_tasks', 'probation_ends'];
const wanted = { kinds: all, with_names: false };
const made = async (client: Client, body: object = wanted) => {
  const answer = await client.post('/api/profile/calendar-feeds', body);
  expect([answer.status, answer.body.errors]).toEqual([201, undefined]);
  return { id: answer.body.data.id as number, path: new URL(answer.body.url as string).pathname, answer };
};
const read = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  app.inject({ method, url, headers });

/** The unfolded lines of each entry, by name. */
const entriesIn = (text: string) =>
  text
    .replaceAll('\r\n ', '')
    .split('BEGIN:VEVENT\r\n')
    .slice(1)
    .map((entry) => {
      const valueOf = (name: string) => new RegExp(`^${name}[^:]*:(.*)$`, 'm').exec(entry)?.[1]?.trim();
      return { day: valueOf('DTSTART'), summary: valueOf('SUMMARY'), url: valueOf('URL'), uid: valueOf('UID') };
    });
const compact = (days: number) => dayFromNow(days).replaceAll('-', '');

test('a person makes an address, copies it once, and a calendar reads what is due without names', async () => {
  const { answer, path, id } = await made(manager);
  expect(answer.body.url).toMatch(/^https:\/\/hr\.example\.com\/calendar\/tnrf_[0-9A-Za-z]{49}\.ics$/);
  expect(answer.headers['cache-control']).toBe('no-store');
  const feed = await read(path);
  expect([feed.statusCode, feed.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8']);
  expect(feed.headers).toMatchObject({ 'cache-control': 'private, no-cache', 'referrer-policy': 'no-referrer' });
  expect(feed.body).toMatch(/^BEGIN:VCALENDAR\r\n[^]*[^\n]\r\nEND:VCALENDAR\r\n$/);
  const host = 'https://hr.example.com';
  expect(entriesIn(feed.body)).toEqual([
    {
      day: compact(9),
      summary: 'KPI review (2)',
      url: `${host}/tasks?kind=kpi_manager_review`,
      uid: `kpi_manager_review-${dayFromNow(9)}.${id}@hr.example.com`,
    },
    {
      day: compact(12),
      summary: 'Probation review',
      url: `${host}/probation/${review.id}`,
      uid: expect.stringContaining('probation_review_assigned-'),
    },
    {
      day: compact(30),
      summary: 'Probation ends',
      url: `${host}/probation?tab=ending`,
      uid: expect.stringContaining('probation-ends-'),
    },
  ]);
  const list = await manager.get('/api/profile/calendar-feeds');
  expect(list.body.data).toMatchObject([{ ...wanted, last_used_at: expect.any(String), allowed_actions: ['delete'] }]);
  expect(list.bytes.toString()).not.toContain('tnrf_');
  const notified = await manager.get('/api/notifications');
  expect(notified.body.data[0]).toMatchObject({ title: 'A calendar address was created for your account' });
  const log = await owner.query(`select action, changes from audit_log where subject_type = 'calendar_feed'`);
  expect(log.rows[0]).toMatchObject({ action: 'calendar_feed.created', changes: { with_names: { to: false } } });
});

test('with names it says whom each entry is about, in the language of the account', async () => {
  await owner.query(`update users set locale = 'de' where id = $1`, [omar.user_id]);
  const { path } = await made(manager, { ...wanted, with_names: true });
  const entries = entriesIn((await read(path)).body);
  expect(entries.map(({ summary }) => summary)).toEqual([
    'Ann Reed für Spring beurteilen',
    'Ben Reed für Spring beurteilen',
    'Probezeit von Ann Reed beurteilen',
    'Probezeit von Ann Reed endet',
  ]);
  expect(entries[0]).toMatchObject({ url: `https://hr.example.com/kpi/evaluations/${first?.id}` });
  await owner.query(`update users set locale = 'en' where id = $1`, [omar.user_id]);
});

test('with names it says of each task what the list of tasks says, and leads to the same screens', async () => {
  await owner.query(
    'update kpi_evaluations set part = 2, covers_from = $2, cycle_days = 90, employed_days = 5 where id = $1',
    [first?.id, dayFromNow(-5)],
  );
  const { data } = (await manager.get('/api/actionable-items')).body as {
    data: { title: string; url: string; due_date: string; subject: { id: number } }[];
  };
  expect(data.map(({ title }) => title)).toContain('Review Ann Reed for Spring (2/2)');
  const { path, id } = await made(manager, { kinds: ['kpi_tasks', 'probation_tasks'], with_names: true });
  const entries = entriesIn((await read(path)).body);
  expect(entries.map(({ summary, url, day }) => [summary, url, day])).toEqual(
    data.map(({ title, url, due_date }) => [title, `https://hr.example.com${url}`, due_date.replaceAll('-', '')]),
  );
  await owner.query(
    'update kpi_evaluations set part = null, covers_from = null, cycle_days = null, employed_days = null',
  );
  await manager.delete(`/api/profile/calendar-feeds/${id}`);
});

test('a read checks no actions and asks as often for many entries as for few', async () => {
  const { path, id } = await made(manager, { ...wanted, with_names: true });
  const sent = recordStatements(service.deps.pool);
  const statements = async () => {
    sent();
    await read(path);
    return sent();
  };
  await statements();
  const before = await statements();
  // one statement each for the address, its count, tasks, titles and ends of probations; rights are cached
  expect(before).toHaveLength(5);
  expect(before.filter((text) => text.includes('has_former_draft'))).toEqual([]);
  const more = [];
  for (let n = 0; n < 5; n += 1)
    more.push(await evaluation(await make.employee({ department_id, reporting_manager_id: omar.id }), 9));
  expect(await statements()).toHaveLength(5);
  await owner.query('delete from kpi_evaluations where id = any($1)', [more.map((one) => one.id)]);
  await manager.delete(`/api/profile/calendar-feeds/${id}`);
});

test('it holds the chosen kinds only, and ends of probations only for those who see them', async () => {
  const some = await made(manager, { kinds: ['probation_tasks'] });
  expect(entriesIn((await read(some.path)).body).map(({ summary }) => summary)).toEqual(['Probation review']);
  const employee = await made(await as(ben.user_id));
  expect(entriesIn((await read(employee.path)).body)).toEqual([]);
  for (const kinds of [[], ['salaries'], undefined])
    expect((await manager.post('/api/profile/calendar-feeds', { kinds })).status).toBe(422);
});

test('an unchanged calendar is 304, a changed one is not, and HEAD has no body', async () => {
  const client = await as((await make.employee({ department_id, roles: ['Employee', 'HR'] })).user_id);
  const { path } = await made(client);
  const { headers } = await read(path);
  const again = await read(path, { 'if-none-match': String(headers.etag), 'accept-encoding': 'br' });
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', headers.etag]);
  const head = await read(path, {}, 'HEAD');
  expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', headers.etag]);
  await probation.person({ department_id, probation_end_date: dayFromNow(8) });
  expect((await read(path, { 'if-none-match': String(headers.etag) })).statusCode).toBe(200);
});

test('a person has at most five addresses, removes them one by one, and sees none of others', async () => {
  const person = await as((await make.employee({ department_id })).user_id);
  const answers = await Promise.all(
    Array.from({ length: 7 }, () => person.post('/api/profile/calendar-feeds', wanted)),
  );
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 201, 201, 201, 201, 422, 422]);
  const [{ id }] = (await person.get('/api/profile/calendar-feeds')).body.data;
  expect((await manager.delete(`/api/profile/calendar-feeds/${id}`)).status).toBe(404);
  expect((await person.delete(`/api/profile/calendar-feeds/${id}`)).status).toBe(204);
  expect((await person.delete(`/api/profile/calendar-feeds/${id}`)).status).toBe(404);
  await made(person);
});

test('addresses that open nothing are 404 alike, and the API and other methods take none', async () => {
  const { path } = await made(await as((await make.employee({ department_id })).user_id));
  const token = path.slice('/calendar/'.length, -'.ics'.length);
  const wrong = [newToken('calendar'), newToken('personal'), `${token.slice(0, -1)}!`, 'x', token.toUpperCase()];
  const answers = await Promise.all(wrong.map((one) => read(`/calendar/${one}.ics`)));
  expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
  expect(answers[0]?.statusCode).toBe(404);
  expect((await read(`/calendar/${token}`)).statusCode).toBe(404);
  expect((await read(path, {}, 'POST')).statusCode).not.toBe(200);
  expect((await bearing(service, token).get('/api/me')).status).toBe(401);
});

test(`an address is read ${feedReadsPerHour} times an hour; cookies mean nothing, and its text is in no log`, async () => {
  const person = await as((await make.employee({ department_id })).user_id);
  const { path } = await made(person);
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  // an hour must not end during the test
  await untilMinuteHas(15);
  const statuses: number[] = [];
  for (let n = 0; n <= feedReadsPerHour; n += 1) {
    const { statusCode, headers } = await read(path, { cookie });
    expect(headers['set-cookie']).toBeUndefined();
    statuses.push(statusCode);
  }
  expect([statuses.indexOf(429), statuses[0]]).toEqual([feedReadsPerHour, 200]);
  expect(Number((await read(path)).headers['retry-after'])).toBeGreaterThan(0);
  await read(path.replace('.ics', ''));
  await read(`${path}?${path}`);
  const token = /tnrf_\w+/.exec(path)?.[0] ?? '';
  expect(logged.filter((line) => line.includes(token))).toEqual([]);
  expect(logged.some((line) => line.includes('"route":"/calendar/:file"'))).toBe(true);
});

test('the reads of an hour are counted by all processes together', async () => {
  const [beside, restarted] = [await startApp({}, { beside: service }), await startApp({}, { beside: service })];
  const { path, id } = await made(await as((await make.employee({ department_id })).user_id));
  const statusOf = async (one: typeof app) => (await one.inject({ method: 'GET', url: path })).statusCode;
  // uses up all reads of the current hour but one
  await owner.query(
    "update calendar_feeds set reads = $2, reads_hour = date_trunc('hour', now(), 'UTC') where id = $1",
    [id, feedReadsPerHour - 1],
  );
  const statuses = await Promise.all([app, beside.app, app, beside.app].map(statusOf));
  expect(statuses.sort((a, b) => a - b)).toEqual([200, 429, 429, 429]);
  expect(await statusOf(restarted.app)).toBe(429);
  await owner.query("update calendar_feeds set reads_hour = reads_hour - interval '1 hour' where id = $1", [id]);
  expect([await statusOf(beside.app), await statusOf(app)]).toEqual([200, 200]);
  const { rows } = await owner.query('select reads from calendar_feeds where id = $1', [id]);
  expect(rows).toEqual([{ reads: 2 }]);
});
