import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';
import { mailServer } from '../testing/mail-server.ts';
import type { MadeEmployee } from '../testing/make.ts';
import { kpiMaker } from '../testing/make-kpi.ts';
import { probationMaker } from '../testing/make-probation.ts';

// Through a decider's account, users could decide about themselves, so no one can give them a credential for it.

const { deliver, received, port } = await mailServer();
const service = await startApp({ SMTP_URL: `smtp://127.0.0.1:${port}`, TRUST_PROXY: '127.0.0.0/8' });
const { as, make, deps, owner } = service;
const kpi = kpiMaker(service);
const probation = probationMaker(service);
const company = await make.entity({ name: 'Acme' });
const board = await make.department({ entity_id: company.id, name: 'Board' });
const offices = await make.department({ entity_id: company.id, name: 'Offices', parent_id: board.id });
const people = await make.department({ entity_id: company.id, name: 'People', parent_id: offices.id });
const crew = await make.department({ entity_id: company.id, name: 'Crew' });
const inCrew = (fields: Parameters<typeof make.employee>[0] = {}) =>
  make.employee({ department_id: crew.id, ...fields });
const password = 'Str0ng!Passw0rd';

const chief = await inCrew({ password });
const manager = await inCrew({ reporting_manager_id: chief.id, password });
const [boardHead, peopleHead, teamLead] = [await inCrew(), await inCrew({ password }), await inCrew()];
const headsManager = await inCrew();
await owner.query('update employees set reporting_manager_id = $1 where id = $2', [headsManager.id, peopleHead.id]);
await owner.query('update departments set manager_id = $1 where id = $2', [boardHead.id, board.id]);
await owner.query('update departments set manager_id = $1, team_lead_id = $2 where id = $3', [
  peopleHead.id,
  teamLead.id,
  people.id,
]);
const hrPerson = await make.employee({
  department_id: people.id,
  reporting_manager_id: manager.id,
  roles: ['HR', 'Employee'],
});
const hr = await as(hrPerson.user_id);
const adminPerson = await make.employee({
  department_id: people.id,
  reporting_manager_id: manager.id,
  roles: ['Admin'],
});
const admin = await as(adminPerson.user_id);
const otherHr = await as((await make.employee({ roles: ['HR'] })).user_id);
const firstAdmin = await as((await make.admin()).user_id);

const [reviewer, check, former, undecided] = [
  await inCrew({ password }),
  await inCrew(),
  await inCrew(),
  await inCrew(),
];
const evaluation = await kpi.evaluation({ employee: hrPerson, reviewer, status: 'manager_review' });
const review = await probation.review({ employee: hrPerson, reviewer: check, status: 'pending' });
await kpi.evaluation({ employee: hrPerson, reviewer: former, status: 'completed' });
await kpi.evaluation({ reviewer: undecided, status: 'manager_review' });

const deciders: [string, MadeEmployee][] = [
  ['the reporting manager', manager],
  ['the manager of the manager', chief],
  ['the head of the department', peopleHead],
  ['whom that head reports to', headsManager],
  ['the team lead', teamLead],
  ['the head of a department further up', boardHead],
  ['the reviewer of the own open evaluation', reviewer],
  ['the reviewer of the own open probation', check],
];
const refusal = { message: 'This action is unauthorized.' };
const post = (client: Client, person: MadeEmployee, body?: object) =>
  client.post(`/api/employees/${person.id}/reset-password`, body);
const rename = (client: Client, person: MadeEmployee) =>
  client.put(`/api/employees/${person.id}`, { email: `mine.${person.id}@example.com` });
const many = async (client: Client, ids: number[], body: object = {}) =>
  (await client.post('/api/employees/reset-passwords', { employee_ids: ids, ...body })).body.data;
const actionsOf = async (client: Client, person: MadeEmployee): Promise<string[]> =>
  (await client.get(`/api/employees/${person.id}`)).body.data.allowed_actions;
const rowActionsOf = async (client: Client, person: MadeEmployee): Promise<string[]> => {
  const { body } = await client.get(`/api/employees?per_page=100&search=${person.employee_number}`);
  return body.data.find(({ id }: { id: number }) => id === person.id).allowed_actions;
};
const accounts = async () =>
  (
    await owner.query(
      `select md5(string_agg(concat_ws('|', u.id, u.email, u.password_hash, u.session_epoch), ',' order by u.id)) as sum,
              (select count(*) from account_links) as links from users u`,
    )
  ).rows;

beforeEach(() => owner.query('delete from login_attempts'));

test('HR cannot write the own result through the account of the own reviewer', async () => {
  const stolen = await post(hr, reviewer, { delivery: 'screen' });
  expect([stolen.status, stolen.body]).toEqual([403, refusal]);
  const owned = await as();
  expect((await owned.post('/login', { email: reviewer.email, password })).status).toBe(200);
});

describe.each([
  ['HR', hr],
  ['an administrator with a record', admin],
])('%s', (who, client) => {
  const reached = who === 'HR' ? deciders : deciders.slice(0, 6);
  test.each(reached)('gives no credential for the account of %s', async (_what, person) => {
    const before = await accounts();
    for (const answer of [
      await post(client, person),
      await post(client, person, { delivery: 'screen' }),
      await rename(client, person),
      // 403 before the input is validated
      await post(client, person, { delivery: 'pigeon' }),
    ])
      expect([answer.status, answer.body]).toEqual([403, refusal]);
    for (const delivery of ['mail', 'screen'])
      expect(await many(client, [person.id], { delivery })).toMatchObject({
        issued: [],
        sent: [],
        refused: [{ employee_id: person.id, reason: 'You don’t have permission to do this.' }],
      });
    expect(await accounts()).toEqual(before);
    expect(await actionsOf(client, person)).not.toContain('reset-password');
    expect(await rowActionsOf(client, person)).not.toContain('reset-password');
    expect(await actionsOf(client, person)).toContain('update');
    expect((await client.put(`/api/employees/${person.id}`, { email: person.email })).status).toBe(200);
    expect((await client.delete(`/api/employees/${person.id}/sessions`)).status).toBe(204);
  });
});

test('other users give them one, and HR gives one to all other people', async () => {
  for (const client of [otherHr, firstAdmin])
    for (const [, person] of deciders) {
      expect((await post(client, person, { delivery: 'screen' })).status).toBe(200);
      expect(await actionsOf(client, person)).toContain('reset-password');
    }
  for (const person of [former, undecided]) {
    expect(await actionsOf(hr, person)).toContain('reset-password');
    expect((await post(hr, person)).status).toBe(200);
  }
  const { sent, refused } = await many(hr, [former.id, manager.id, undecided.id]);
  expect(sent.map(({ employee_id }: { employee_id: number }) => employee_id)).toEqual([former.id, undecided.id]);
  expect(refused).toEqual([{ employee_id: manager.id, reason: 'You don’t have permission to do this.' }]);
});

test('an import gives them no other address', async () => {
  const [own, other] = [manager, former];
  const content = [
    'employee_number,first_name,last_name,email,entity,department',
    ...[own, other].map(({ employee_number: n }) => `${n},Ann,Lee,file.${n}@example.com,Acme,Crew`),
  ].join('\n');
  const staged = await hr.upload(
    '/api/employees/import',
    { name: 'addresses.csv', content },
    { dry_run: '1', on_conflict: 'update', mode: 'partial' },
  );
  const { body } = await hr.get(`/api/employees/imports/${staged.body.data.id}/rows`);
  expect(body.data.map(({ status }: { status: string }) => status)).toEqual(['failed', 'valid']);
  expect(body.data[0].errors).toEqual({ employee_number: ['You don’t have permission to import this row.'] });
});

test('a person who heads the department of their head does not manage the head', async () => {
  const above = await make.department({ entity_id: company.id });
  const below = await make.department({ entity_id: company.id, parent_id: above.id });
  const report = await make.employee({ department_id: below.id });
  const head = await make.employee({ department_id: below.id, roles: ['HR'] });
  await owner.query('update departments set manager_id = $1 where id = $2', [head.id, above.id]);
  await owner.query('update departments set manager_id = $1 where id = $2', [report.id, below.id]);
  expect((await post(await as(head.user_id), report)).status).toBe(200);
  expect((await post(await as(head.user_id), head)).status).toBe(403);
});

test('a link is void when its account comes to decide about its sender', async () => {
  const person = await inCrew({ password });
  expect((await post(hr, person)).status).toBe(200);
  await deliver(deps);
  const mail = received.find(({ to }) => to.includes(person.email));
  const token = /\/reset#([\w-]+)/.exec(mail?.source ?? '')?.[1] as string;
  const check = async () => (await (await as()).post('/api/account-links/check', { token })).status;
  expect(await check()).toBe(200);
  await owner.query('update kpi_evaluations set reviewer_id = $1 where id = $2', [person.id, evaluation.id]);
  expect(await check()).toBe(422);
  await owner.query('update kpi_evaluations set reviewer_id = $1 where id = $2', [reviewer.id, evaluation.id]);
  expect(await check()).toBe(200);
});

test('the deputy of the reviewer is among them until the absence is over', async () => {
  const deputy = await inCrew({ password });
  const absent = (first: number, last: number) =>
    owner.query(
      `insert into absences (employee_id, first_day, last_day, deputy_id, deputy_tasks)
       values ($1, current_date + $2::int, current_date + $3::int, $4, '{kpi_reviews}')`,
      [reviewer.id, first, last, deputy.id],
    );
  await absent(-9, -3);
  expect(await actionsOf(hr, deputy)).toContain('reset-password');
  await absent(2, 9);
  expect(await actionsOf(hr, deputy)).not.toContain('reset-password');
  expect((await post(hr, deputy, { delivery: 'screen' })).status).toBe(403);
  expect((await rename(hr, deputy)).status).toBe(403);
  expect((await post(otherHr, deputy)).status).toBe(200);
  await owner.query('delete from absences');
});

test('a one-time password is void when its account comes to decide about its issuer', async () => {
  const person = await inCrew();
  const issue = async () => (await post(hr, person, { delivery: 'screen' })).body.one_time_password as string;
  const signIn = async (given: string) =>
    (await (await as()).post('/login', { email: person.email, password: given })).status;
  const given = await issue();
  await owner.query('update kpi_evaluations set reviewer_id = $1 where id = $2', [person.id, evaluation.id]);
  expect(await signIn(given)).toBe(422);
  await owner.query('update kpi_evaluations set reviewer_id = $1 where id = $2', [reviewer.id, evaluation.id]);
  expect(await signIn(given)).toBe(422);
  expect(await signIn(await issue())).toBe(200);
});

test('a password that HR may have chosen by a link opens no account for the first time that decides about HR by then', async () => {
  const [unused, settled, changing] = [await inCrew(), await inCrew(), await inCrew()];
  const [chosen, own] = ['Ch0sen!ByLink', 'Ch0sen!ByOwner'];
  const signIn = async ({ email }: MadeEmployee, password = chosen) =>
    (await (await as()).post('/login', { email, password })).status;
  for (const person of [unused, settled, changing]) {
    await owner.query('update users set address_set_by = $2 where id = $1', [person.user_id, hrPerson.user_id]);
    expect((await post(hr, person)).status).toBe(200);
    await deliver(deps);
    const mail = received.findLast(({ to }) => to.includes(person.email));
    const token = /\/reset#([\w-]+)/.exec(mail?.source ?? '')?.[1];
    const body = { token, password: chosen, password_confirmation: chosen };
    expect((await (await as()).post('/api/account-links/redeem', body)).status).toBe(200);
  }
  expect(await signIn(settled)).toBe(200);
  // in a session that began without it, as with a passkey
  const change = { current_password: chosen, password: own, password_confirmation: own };
  expect((await (await as(changing.user_id)).put('/api/profile/password', change)).status).toBe(200);
  const reviewedBy = ({ id }: MadeEmployee) =>
    owner.query('update kpi_evaluations set reviewer_id = $1 where id = $2', [id, evaluation.id]);
  await reviewedBy(unused);
  expect(await signIn(unused)).toBe(422);
  await reviewedBy(settled);
  expect(await signIn(settled)).toBe(200);
  await reviewedBy(changing);
  expect(await signIn(changing, own)).toBe(200);
  await reviewedBy(reviewer);
  // it is permanently void
  expect(await signIn(unused)).toBe(422);
});

test('a reviewer is an ordinary person again after the review', async () => {
  await owner.query("update probation_reviews set status = 'cancelled' where id = $1", [review.id]);
  expect(await actionsOf(hr, check)).toContain('reset-password');
  expect((await post(hr, check)).status).toBe(200);
});
