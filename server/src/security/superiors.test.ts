import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { reachOf } from '../access/actor.ts';
import type { Actor } from '../access/actor.ts';
import { loadRights } from '../access/rights.ts';
import { peopleFor } from '../access/scope.ts';
import { covers } from '../people/policy.ts';
import { hrOfEach } from '../notifications/hr-pool.ts';
import { hrFor } from '../notifications/recipients.ts';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';
import type { MadeEmployee } from '../testing/make.ts';
import { kpiMaker } from '../testing/make-kpi.ts';
import { probationMaker } from '../testing/make-probation.ts';

/** A *managed* scope never includes superiors, however they came into a managed department. */

// two processes of one installation: the cache of one must not outlive changes by the other
const one = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
const two = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' }, { beside: one });
const { make, owner, deps } = one;
const kpi = kpiMaker(one);
const reviews = probationMaker(one);
const acme = await make.entity();
const hr = await one.as((await make.employee({ entity_id: acme.id, roles: ['HR'] })).user_id);

const secrets = { hr_comment: 'Weak of late.', performance_flag: 'pip' as const, flag_reason: 'Missed the figures.' };

/** A head, a team lead below and a member, all in the department they lead. */
async function team() {
  const place = await make.department({ entity_id: acme.id });
  const head = await make.employee({
    department_id: place.id,
    roles: ['Manager'],
    grade: 'E9-secret',
    last_name: 'Superior',
  });
  const lead = await make.employee({ department_id: place.id, roles: ['TeamLead'], reporting_manager_id: head.id });
  const member = await make.employee({ department_id: place.id, reporting_manager_id: lead.id });
  await owner.query('update departments set manager_id = $1, team_lead_id = $2 where id = $3', [
    head.id,
    lead.id,
    place.id,
  ]);
  return { place, head, lead, member };
}

/** All data of a person and the results, each with its own URL. */
async function reach(client: Client, person: MadeEmployee, evaluation: number, review: number) {
  const texts = async (...urls: string[]) => {
    const answers = await Promise.all(urls.map((url) => client.get(`/api${url}`)));
    // a report's card names their manager
    return JSON.stringify(
      answers.map(({ body }) => body as unknown),
      (key, value: unknown) => (key === 'reporting_manager' ? undefined : value),
    );
  };
  const lists = await texts(
    '/employees?per_page=100',
    '/kpi-evaluations?per_page=100',
    '/probation-reviews?per_page=100',
    '/actionable-items?per_page=100',
    '/search?q=Superior',
  );
  return {
    record: (await client.get(`/api/employees/${person.id}`)).status,
    history: (await client.get(`/api/employees/${person.id}/job-history`)).status,
    papers: (await client.get(`/api/employees/${person.id}/attachments`)).status,
    evaluation: (await client.get(`/api/kpi-evaluations/${evaluation}`)).status,
    review: (await client.get(`/api/probation-reviews/${review}`)).status,
    listed: lists.includes(`"employee_number":"${person.employee_number}"`),
  };
}
const everything = { record: 200, history: 200, papers: 200, evaluation: 200, review: 200, listed: true };
const unreachable = { record: 404, history: 404, papers: 404, evaluation: 404, review: 404, listed: false };

const results = async (person: MadeEmployee) => ({
  evaluation: (await kpi.evaluation({ employee: person, status: 'completed', ...secrets })).id,
  review: (await reviews.review({ employee: person, status: 'approved', comments: 'Kept well.' })).id,
});

async function reachOfAll(client: Client, person: MadeEmployee) {
  const { evaluation, review } = await results(person);
  return () => reach(client, person, evaluation, review);
}

describe('a team lead', () => {
  test('reads nothing of the head of the own department and everything of the members', async () => {
    const { head, lead, member } = await team();
    const client = await one.as(lead.user_id);
    expect(await (await reachOfAll(client, head))()).toEqual(unreachable);
    expect(await (await reachOfAll(client, member))()).toEqual(everything);
    const lists = await client.get('/api/employees?per_page=100');
    expect(lists.bytes.toString()).not.toContain('E9-secret');
  });

  test('reads nothing of the head when no manager is recorded for the team lead', async () => {
    const { head, lead } = await team();
    await hr.put(`/api/employees/${lead.id}`, { reporting_manager_id: null });
    expect(await (await reachOfAll(await one.as(lead.user_id), head))()).toEqual(unreachable);
  });

  test("reads nothing of the head's managers who sit in the department, nor of heads above", async () => {
    const { place, head, lead } = await team();
    const chief = await make.employee({ department_id: place.id, roles: ['Manager'] });
    const above = await make.employee({ department_id: place.id, roles: ['Manager'] });
    const upper = await make.department({ entity_id: acme.id, manager_id: above.id });
    await owner.query('update departments set parent_id = $1 where id = $2', [upper.id, place.id]);
    await hr.put(`/api/employees/${lead.id}`, { reporting_manager_id: null });
    const client = await one.as(lead.user_id);
    const [ofChief, ofAbove] = [await reachOfAll(client, chief), await reachOfAll(client, above)];
    expect([await ofChief(), await ofAbove()]).toEqual([everything, unreachable]);
    await hr.put(`/api/employees/${head.id}`, { reporting_manager_id: chief.id });
    expect([await ofChief(), await ofAbove()]).toEqual([unreachable, unreachable]);
  });

  test('who heads the department above leads its head', async () => {
    const { place, head, lead } = await team();
    const upper = await make.department({ entity_id: acme.id, manager_id: lead.id });
    await owner.query('update departments set parent_id = $1 where id = $2', [upper.id, place.id]);
    await hr.put(`/api/employees/${lead.id}`, { reporting_manager_id: null });
    expect(await (await reachOfAll(await one.as(lead.user_id), head))()).toEqual(everything);
  });
});

describe('a head of a department', () => {
  test('reads nothing of the own line of managers, wherever they sit; a changed line counts at once on every node', async () => {
    const { place, head } = await team();
    const middle = await make.employee({ department_id: place.id, roles: ['Manager'] });
    const top = await make.employee({ department_id: place.id, roles: ['Manager'], reporting_manager_id: middle.id });
    const client = await two.as(head.user_id);
    const [ofMiddle, ofTop] = [await reachOfAll(client, middle), await reachOfAll(client, top)];
    expect([await ofMiddle(), await ofTop()]).toEqual([everything, everything]);
    const put = async (id: number, reporting_manager_id: number | null) =>
      expect((await hr.put(`/api/employees/${id}`, { reporting_manager_id })).status).toBe(200);
    await put(top.id, null);
    await put(head.id, middle.id);
    expect([await ofMiddle(), await ofTop()]).toEqual([unreachable, everything]);
    // higher up the line
    await put(middle.id, top.id);
    expect([await ofMiddle(), await ofTop()]).toEqual([unreachable, unreachable]);
    await put(middle.id, null);
    expect([await ofMiddle(), await ofTop()]).toEqual([unreachable, everything]);
  });
});

test('a managed reach covers the same people in the database and in the service', async () => {
  const { place, head, lead, member } = await team();
  const boss = await make.employee({ department_id: place.id });
  await hr.put(`/api/employees/${head.id}`, { reporting_manager_id: boss.id });
  const people = await deps.db
    .selectFrom('employees')
    .select(['id', 'entity_id', 'department_id', 'reporting_manager_id'])
    .where('department_id', '=', place.id)
    .orderBy('id')
    .execute();
  const actor = {
    ...(await loadRights(deps.db, lead.user_id)),
    employee_id: lead.id,
    user_id: lead.user_id,
  } as unknown as Actor;
  const inDatabase = await deps.db
    .selectFrom('employees as e')
    .select('e.id')
    .where('e.department_id', '=', place.id)
    .where(peopleFor(actor, 'employees.view'))
    .orderBy('e.id')
    .execute();
  const atHand = people.filter((person) => covers(actor, reachOf(actor, 'employees.view'), person));
  expect(atHand.map(({ id }) => id)).toEqual([lead.id, member.id]);
  expect(inDatabase.map(({ id }) => id)).toEqual([lead.id, member.id]);
});

test('tasks without a manager and without HR go to administrators, who are notified', async () => {
  const { head, lead, member } = await team();
  await owner.query(`delete from role_permissions p using roles r where r.id = p.role_id and r.name = 'HR'
                     and p.permission like 'probation-review.%'`);
  const { rows } = await owner.query<{ id: number }>(
    `insert into roles (name, scope) values ('Team decider', 'managed') returning id`,
  );
  const permissions: Permission[] = ['employees.view', 'probation-review.view', 'probation-review.approve'];
  await owner.query('insert into role_permissions (role_id, permission) select $1, unnest($2::text[])', [
    rows[0]?.id,
    permissions,
  ]);
  await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [lead.user_id, rows[0]?.id]);
  const admin = await make.employee({ entity_id: acme.id, roles: ['Admin'] });
  const items = async (userId: number) => {
    const { body } = await (await one.as(userId)).get('/api/actionable-items?kind=probation_review_approval');
    return (body.data as { employee: { id: number } }[]).map(({ employee }) => employee.id);
  };
  const notified = async (id: number) => {
    const found = await sql<{ user_id: number }>`
      select user_id from (${hrFor('probation-review.approve', id)}) as pool`.execute(deps.db);
    return found.rows.map(({ user_id }) => user_id);
  };
  const ofEach = async (id: number) => {
    const subjects = sql`select id as subject_id, id as employee_id, entity_id, department_id from employees where id = ${id}`;
    const found = await sql<{ user_id: number }>`${hrOfEach('probation-review.approve', subjects)}`.execute(deps.db);
    return found.rows.map(({ user_id }) => user_id);
  };
  await reviews.review({ employee: head, status: 'submitted' });
  await reviews.review({ employee: member, status: 'submitted' });
  expect([await items(lead.user_id), await items(admin.user_id)]).toEqual([[member.id], [head.id]]);
  expect([await notified(head.id), await notified(member.id)]).toEqual([[admin.user_id], [lead.user_id]]);
  expect([await ofEach(head.id), await ofEach(member.id)]).toEqual([[admin.user_id], [lead.user_id]]);
});
