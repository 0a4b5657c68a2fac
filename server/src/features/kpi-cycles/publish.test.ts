import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import { isExempt, serviceDays } from '../../testing/service-days.ts';
import { createEvaluations } from './evaluations.ts';

const testApp = await startApp();
const { as, make, owner, deps } = testApp;
const kpi = kpiMaker(testApp);
const here = await make.entity();
const elsewhere = await make.entity();
const hrPerson = await make.employee({ entity_id: here.id, roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const localHr = await as(
  (await make.employee({ entity_id: here.id, roles: [{ role: 'HR', entity_ids: [here.id] }] })).user_id,
);

type Person = Awaited<ReturnType<typeof make.employee>>;
type Finding = { department_id: number; employee: { id: number } | null; code: string; message: string };
type Row = { employee_id: number; reviewer_id: number | null };

/** A department with people, whose manager can review, and a draft cycle with it. */
async function team(fields: { people?: number; entity_id?: number } = {}, cycleFields = {}) {
  const { people = 3, entity_id = here.id } = fields;
  const head = await make.employee({ entity_id, roles: ['Manager'] });
  const department = await make.department({ entity_id, manager_id: head.id });
  const members: Person[] = [];
  for (let n = 0; n < people; n += 1) members.push(await make.employee({ department_id: department.id }));
  const template = await kpi.template();
  const cycle = await kpi.cycle({
    status: 'draft',
    departments: [{ department_id: department.id, template_id: template.id }],
    ...cycleFields,
  });
  return { cycle, department, head, members, template, url: `/api/kpi-cycles/${cycle.id}` };
}

const evaluations = async (cycleId: number) =>
  (
    await owner.query(
      'select employee_id::int, reviewer_id::int from kpi_evaluations where cycle_id = $1 order by employee_id',
      [cycleId],
    )
  ).rows as Row[];
/** All rows that a publication could write. */
const traces = async () =>
  (
    await owner.query(`
    select (select count(*) from kpi_evaluations) as evaluations, (select count(*) from kpi_evaluation_items) as items,
           (select count(*) from kpi_evaluation_activity) as history, (select count(*) from notifications) as found,
           (select count(*) from audit_log where action like 'kpi%') as audit,
           (select count(*) from kpi_cycle_departments where is_published) as published,
           (select count(*) from kpi_cycles where status = 'draft') as drafts`)
  ).rows[0] as Record<string, string>;
const sum = (data: Record<string, unknown>) => [data.eligible, data.to_create, data.existing, data.excluded_count];

test('publishing gives each person an evaluation with a copy of the template, and notifies them', async () => {
  const { cycle, department, head, members, template, url } = await team({}, { name: 'Q1 2026' });
  const preflight = (await hr.get(`${url}/preflight`)).body.data;
  expect(sum(preflight)).toEqual([3, 3, 0, 0]);
  expect([preflight.notified, preflight.blockers, preflight.warnings]).toEqual([3, [], []]);
  const { status, body } = await hr.post(`${url}/publish`, { plan_hash: preflight.plan_hash });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({
    message: 'KPI cycle published successfully.',
    result: { status: 'completed', created: 3, skipped: 0, blocked: 0 },
    data: {
      status: 'published',
      publishing: null,
      published_departments_count: 1,
      evaluations_count: 3,
      allowed_actions: ['update', 'preflight', 'publish', 'remind', 'close', 'export'],
    },
  });
  expect(await evaluations(cycle.id)).toEqual(members.map(({ id }) => ({ employee_id: id, reviewer_id: head.id })));
  const { rows: copies } = await owner.query(
    `select v.entity_id::int, v.department_id::int, v.template_name, v.template_version, v.status, v.due_on::text,
            array_agg(i.template_item_id::int order by i.sort_order) as items
     from kpi_evaluations v join kpi_evaluation_items i on i.evaluation_id = v.id where v.cycle_id = $1 group by v.id`,
    [cycle.id],
  );
  expect(copies).toEqual(
    members.map(() => ({
      entity_id: here.id,
      department_id: department.id,
      template_name: template.name,
      template_version: template.version,
      status: 'self_assessment',
      due_on: dayFromNow(5),
      items: template.items.map(({ id }) => id),
    })),
  );
  const { rows: history } = await owner.query(
    `select a.action, a.from_status, a.to_status, a.actor_id::int from kpi_evaluation_activity a
     join kpi_evaluations v on v.id = a.evaluation_id where v.cycle_id = $1`,
    [cycle.id],
  );
  expect(history).toEqual(
    members.map(() => ({
      action: 'publish',
      from_status: null,
      to_status: 'self_assessment',
      actor_id: hrPerson.user_id,
    })),
  );
  const inbox = (await (await as(members[0]?.user_id)).get('/api/notifications')).body.data;
  expect(inbox).toMatchObject([{ event: 'kpi_evaluation_assigned', title: 'Your Q1 2026 evaluation has started' }]);
  const heads = (await (await as(head.user_id)).get('/api/notifications')).body.data;
  expect(heads).toMatchObject([{ event: 'kpi_cycle_published', body: 'Open the cycle to follow the evaluations.' }]);
  const { rows: audit } = await owner.query(
    `select action, changes from audit_log where subject_type = 'kpi_cycle' and subject_id = $1`,
    [cycle.id],
  );
  expect(audit).toEqual([
    {
      action: 'kpi_cycle.publish',
      changes: {
        status: { from: 'draft', to: 'published' },
        departments: { from: null, to: 1 },
        evaluations: { from: null, to: 3 },
      },
    },
  ]);
});

test('publishing again adds new people only', async () => {
  const { cycle, department, url, members } = await team({ people: 2 });
  await hr.post(`${url}/publish`);
  const before = await traces();
  const nobody = await hr.post(`${url}/publish`, {});
  expect([nobody.status, nobody.body.result]).toEqual([
    200,
    { status: 'completed', created: 0, skipped: 2, blocked: 0 },
  ]);
  expect(await traces()).toEqual(before);
  const late = await make.employee({ department_id: department.id });
  expect(sum((await hr.get(`${url}/preflight`)).body.data)).toEqual([3, 1, 2, 0]);
  const again = await hr.post(`${url}/publish`, {});
  expect(again.body.result).toEqual({ status: 'completed', created: 1, skipped: 2, blocked: 0 });
  expect((await evaluations(cycle.id)).map(({ employee_id }) => employee_id)).toEqual(
    [...members, late].map(({ id }) => id),
  );
});

test('ineligible people are skipped with a reason', async () => {
  const { cycle, department, url, members } = await team(
    { people: 1 },
    { start_date: '2026-01-01', end_date: '2026-03-31', min_service_days: 30 },
  );
  const add = (fields: object) => make.employee({ department_id: department.id, ...fields });
  const left = await add({ activity_status: 'inactive', employment_lifecycle: 'resigned' });
  const out = [
    [await add({ activity_status: 'inactive' }), 'inactive'],
    [await add({ employment_lifecycle: 'probationary' }), 'probationary'],
    [await add({ employment_lifecycle: 'resigned' }), 'leaving'],
    [await add({ joining_date: '2026-04-01' }), 'joined_later'],
    [await add({ joining_date: '2026-03-05' }), 'short_service'],
  ] as const;
  const inside = await add({ joining_date: '2026-03-02' });
  const { data } = (await hr.get(`${url}/preflight`)).body;
  expect(sum(data)).toEqual([2, 2, 0, 5]);
  const reasons = new Map(
    data.excluded.map(({ employee, reason }: { employee: { id: number }; reason: string }) => [employee.id, reason]),
  );
  expect(reasons).toEqual(new Map(out.map(([{ id }, reason]) => [id, reason])));
  expect(reasons.has(left.id)).toBe(false);
  const { body } = await hr.post(`${url}/publish`);
  expect(body.result).toEqual({ status: 'completed', created: 2, skipped: 0, blocked: 5 });
  expect((await evaluations(cycle.id)).map(({ employee_id }) => employee_id)).toEqual([members[0]?.id, inside.id]);
});

test('days of service are counted as the page on scoring documents', async () => {
  const joined = [null, '2019-07-01', '2026-01-01', '2026-02-28', '2026-03-02', '2026-03-03', '2026-03-31'];
  const { rows } = await sql<{ joining_date: string | null; days: number }>`
    select e.joining_date, c.end_date - greatest(e.joining_date, c.start_date) + 1 as days
    from unnest(${joined}::date[]) as e (joining_date),
         (select date '2026-01-01' as start_date, date '2026-03-31' as end_date) as c`.execute(deps.db);
  for (const { joining_date, days } of rows) {
    expect(days).toBe(serviceDays(joining_date, '2026-01-01', '2026-03-31'));
    expect(days < 30).toBe(isExempt(days, 30));
  }
  expect(rows).toHaveLength(joined.length);
});

test('the reviewer is the first able one of manager, team lead and department manager', async () => {
  const [boss, lead, head] = [
    await make.employee({ entity_id: here.id, roles: ['Manager'] }),
    await make.employee({ entity_id: here.id, roles: ['TeamLead'] }),
    await make.employee({ entity_id: here.id, roles: ['Manager'] }),
  ];
  const helper = await make.employee({ entity_id: here.id });
  const gone = await make.employee({ entity_id: here.id, roles: ['Manager'], activity_status: 'inactive' });
  const withLead = await make.department({ entity_id: here.id, manager_id: head.id, team_lead_id: lead.id });
  const without = await make.department({ entity_id: here.id, manager_id: head.id });
  const expected: [Person, number][] = [];
  const add = async (department_id: number, reporting_manager_id: number | null, reviewer: Person) =>
    expected.push([await make.employee({ department_id, reporting_manager_id }), reviewer.id]);
  await add(withLead.id, boss.id, boss);
  await add(withLead.id, null, lead);
  await add(withLead.id, helper.id, lead);
  await add(withLead.id, gone.id, lead);
  await add(without.id, helper.id, head);
  await owner.query('update employees set department_id = $1 where id = $2', [withLead.id, lead.id]);
  expected.push([lead, head.id]);
  const template = await kpi.template();
  const cycle = await kpi.cycle({
    status: 'draft',
    departments: [withLead, without].map(({ id }) => ({ department_id: id, template_id: template.id })),
  });
  const { data } = (await hr.get(`/api/kpi-cycles/${cycle.id}/preflight`)).body;
  expect(data.blockers).toEqual([]);
  expect(data.warnings.map(({ code }: { code: string }) => code)).toEqual(
    Array.from({ length: 3 }, () => 'manager_without_permission'),
  );
  await hr.post(`/api/kpi-cycles/${cycle.id}/publish`);
  const found = await evaluations(cycle.id);
  expect(new Map(found.map(({ employee_id, reviewer_id }) => [employee_id, reviewer_id]))).toEqual(
    new Map(expected.map(([{ id }, reviewer]) => [id, reviewer])),
  );
});

test('the preflight lists the obstacles, and publishing is refused without effect', async () => {
  const template = await kpi.template({ status: 'archived' });
  const [first, second, third] = [
    await make.department({ entity_id: here.id, name: 'Warehouse' }),
    await make.department({ entity_id: here.id, name: 'Yard' }),
    await make.department({ entity_id: here.id, name: 'Zoo' }),
  ];
  const alone = await make.employee({ department_id: third.id, display_name: 'Jon Reed' });
  const cycle = await kpi.cycle({
    status: 'draft',
    self_assessment_closes_on: dayFromNow(-1),
    departments: [
      { department_id: first.id, template_id: null },
      { department_id: second.id, template_id: template.id },
      { department_id: third.id, template_id: (await kpi.template()).id },
    ],
  });
  const url = `/api/kpi-cycles/${cycle.id}`;
  const { data } = (await hr.get(`${url}/preflight`)).body;
  const found = (data.blockers as Finding[]).map((one) => [
    one.department_id,
    one.employee?.id ?? null,
    one.code,
    one.message,
  ]);
  expect(found).toEqual([
    [first.id, null, 'no_template', 'Warehouse has no template.'],
    [second.id, null, 'template_not_active', 'The template of Yard is not active.'],
    [third.id, alone.id, 'no_reviewer', 'Jon Reed has no reviewer.'],
  ]);
  expect(data.warnings).toMatchObject([{ code: 'window_passed' }]);
  const before = await traces();
  const { status, body } = await hr.post(`${url}/publish`);
  expect([status, body.status, body.errors.status]).toEqual([422, 'draft', found.map(([, , , message]) => message)]);
  expect(await traces()).toEqual(before);
  const empty = await hr.get(`${url}/preflight?department_ids=${first.id}`);
  expect(empty.body.data.blockers.map(({ code }: { code: string }) => code)).toEqual([
    'no_template',
    'nobody_eligible',
  ]);
  const none = await kpi.cycle({ status: 'draft' });
  const refused = await hr.post(`/api/kpi-cycles/${none.id}/publish`);
  expect(refused.body.errors).toEqual({ status: ['No department takes part yet.'] });
});

test('a plan that changed since the preflight is refused', async () => {
  const { department, url, template } = await team();
  const { plan_hash } = (await hr.get(`${url}/preflight`)).body.data;
  expect((await hr.get(`${url}/preflight`)).body.data.plan_hash).toBe(plan_hash);
  const joined = await make.employee({ department_id: department.id });
  const before = await traces();
  const { status, body } = await hr.post(`${url}/publish`, { plan_hash });
  expect([status, Object.keys(body.errors)]).toEqual([422, ['status', 'plan_hash']]);
  expect(await traces()).toEqual(before);
  const second = (await hr.get(`${url}/preflight`)).body.data.plan_hash;
  await owner.query('update employees set reporting_manager_id = $1 where id = $2', [hrPerson.id, joined.id]);
  const third = (await hr.get(`${url}/preflight`)).body.data.plan_hash;
  await owner.query('update kpi_templates set version = version + 1 where id = $1', [template.id]);
  const fourth = (await hr.get(`${url}/preflight`)).body.data.plan_hash;
  expect(new Set([plan_hash, second, third, fourth]).size).toBe(4);
  expect((await hr.post(`${url}/publish`, { plan_hash: fourth })).status).toBe(200);
});

test('a start without reviewers needs the permission to assign them later', async () => {
  const department = await make.department({ entity_id: here.id });
  const alone = await make.employee({ department_id: department.id });
  const template = await kpi.template();
  const cycle = await kpi.cycle({
    status: 'draft',
    departments: [{ department_id: department.id, template_id: template.id }],
  });
  const publisher = await make.employee({ roles: [] });
  const { rows } = await owner.query(`insert into roles (name, scope) values ('Publisher', 'all') returning id`);
  await owner.query(`insert into role_permissions select $1, unnest($2::text[])`, [
    rows[0].id,
    ['kpi-cycle.view', 'kpi-cycle.publish'],
  ]);
  await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [publisher.user_id, rows[0].id]);
  const before = await traces();
  const url = `/api/kpi-cycles/${cycle.id}/publish`;
  expect((await (await as(publisher.user_id)).post(url, { allow_missing_reviewer: true })).status).toBe(403);
  expect(await traces()).toEqual(before);
  const { body } = await hr.post(url, { allow_missing_reviewer: true });
  expect(body.result.created).toBe(1);
  const { rows: made } = await owner.query(
    'select employee_id::int, reviewer_id, reviewer_missing_since is not null as missing from kpi_evaluations where cycle_id = $1',
    [cycle.id],
  );
  expect(made).toEqual([{ employee_id: alone.id, reviewer_id: null, missing: true }]);
});

test("departments are published in turn, each within the publisher's reach", async () => {
  const one = await team({ people: 1 });
  const other = await team({ people: 1, entity_id: elsewhere.id });
  await owner.query('update kpi_cycle_departments set cycle_id = $1 where department_id = $2', [
    one.cycle.id,
    other.department.id,
  ]);
  const before = await traces();
  const foreign = await localHr.post(`${one.url}/publish`, { department_ids: [other.department.id] });
  expect([foreign.status, foreign.body.errors]).toEqual([
    422,
    { department_ids: ['This departments isn’t available. Select another one.'] },
  ]);
  expect(await traces()).toEqual(before);
  expect(sum((await localHr.get(`${one.url}/preflight`)).body.data)).toEqual([1, 1, 0, 0]);
  expect((await localHr.post(`${one.url}/publish`)).body.result.created).toBe(1);
  expect((await evaluations(one.cycle.id)).map((row) => row.employee_id)).toEqual([one.members[0]?.id]);
  const rest = await hr.post(`${one.url}/publish`, { department_ids: [other.department.id] });
  expect(rest.body.result).toEqual({ status: 'completed', created: 1, skipped: 0, blocked: 0 });
});

test('a closed cycle is not published, and managers cannot publish', async () => {
  const { cycle, url, head } = await team();
  await owner.query(`update kpi_cycles set status = 'closed' where id = $1`, [cycle.id]);
  const before = await traces();
  const { status, body } = await hr.post(`${url}/publish`);
  expect([status, body.status]).toEqual([422, 'closed']);
  expect((await (await as(head.user_id)).post(`${url}/publish`)).status).toBe(403);
  expect(await traces()).toEqual(before);
});

test('of simultaneous publications from two services each person gets one evaluation', async () => {
  const { cycle, url, members } = await team({ people: 30 });
  const beside = await startApp({}, { beside: testApp });
  const there = await beside.as(hrPerson.user_id);
  const answers = await Promise.all([hr, there, hr, there].map((client) => client.post(`${url}/publish`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(answers.reduce((total, { body }) => total + body.result.created, 0)).toBe(30);
  expect((await evaluations(cycle.id)).map((row) => row.employee_id)).toEqual(members.map(({ id }) => id));
  const { rows } = await owner.query(
    `select count(*)::int as items from kpi_evaluation_items i join kpi_evaluations v on v.id = i.evaluation_id
     where v.cycle_id = $1`,
    [cycle.id],
  );
  expect(rows[0].items).toBe(30 * 3);
});

test('evaluations are created in the order of their people, so that two publications cannot deadlock', async () => {
  const { cycle, department, head, members } = await team({ people: 12 });
  // the table stores them in another order and is read in that order
  for (const { id } of members.toReversed())
    await owner.query('update employees set phone = $2 where id = $1', [id, `${id}`]);
  const actor = { user_id: head.user_id, name: 'A head' };
  await deps.db.transaction().execute(async (trx) => {
    for (const method of ['indexscan', 'nestloop', 'mergejoin'])
      await sql`select set_config(${`enable_${method}`}, 'off', true)`.execute(trx);
    await createEvaluations(trx, { cycle_id: cycle.id, department_ids: [department.id], actor });
  });
  const { rows } = await owner.query('select employee_id::int from kpi_evaluations where cycle_id = $1 order by id', [
    cycle.id,
  ]);
  expect(rows.map(({ employee_id }) => employee_id)).toEqual(members.map(({ id }) => id));
});
