import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import { waitingLocks } from '../../testing/waiting-locks.ts';

const testApp = await startApp();
const { as, make, owner } = testApp;
const kpi = kpiMaker(testApp);
const here = await make.entity();
const elsewhere = await make.entity();
const hrOf = async (entityId: number) =>
  as((await make.employee({ entity_id: entityId, roles: [{ role: 'HR', entity_ids: [entityId] }] })).user_id);
const hr = await hrOf(here.id);
const otherHr = await hrOf(elsewhere.id);
const employee = await as((await make.employee({ entity_id: here.id })).user_id);

/** A published cycle of one department whose members have their evaluation, and another department outside it. */
async function running(fields: object = {}) {
  const head = await make.employee({ entity_id: here.id, roles: ['Manager'] });
  const department = await make.department({ entity_id: here.id, manager_id: head.id });
  const beside = await make.department({ entity_id: here.id, manager_id: head.id });
  const member = await make.employee({ department_id: department.id });
  const template = await kpi.template();
  const other = await kpi.template({ items: [{ name: 'Orders packed', weight: 10_000 }] });
  const cycle = await kpi.cycle({
    departments: [{ department_id: department.id, template_id: template.id, is_published: true }],
    ...fields,
  });
  await kpi.evaluation({ cycle_id: cycle.id, employee: member, reviewer: head, template });
  return { cycle, department, beside, head, member, template, other, url: `/api/kpi-cycles/${cycle.id}/people` };
}

const evaluationsOf = async (cycleId: number) =>
  (
    await owner.query(
      `select v.employee_id::int, v.template_id::int, v.reviewer_id::int, v.status,
              array_agg(i.name order by i.sort_order) as items
       from kpi_evaluations v join kpi_evaluation_items i on i.evaluation_id = v.id
       where v.cycle_id = $1 group by v.id order by v.id`,
      [cycleId],
    )
  ).rows as { employee_id: number; template_id: number; reviewer_id: number | null; status: string; items: string[] }[];
const traces = async () =>
  (
    await owner.query(`
    select (select count(*) from kpi_evaluations) as evaluations, (select count(*) from kpi_evaluation_activity) as history,
           (select count(*) from notifications) as found, (select count(*) from audit_log) as audit`)
  ).rows[0] as Record<string, string>;
const outcomes = (body: { data: { people: { employee_id: number; outcome: string; reason: string | null }[] } }) =>
  body.data.people.map(({ employee_id, outcome, reason }) => [employee_id, outcome, reason]);

test('people are added with the template of their department or another one, as the dry run said', async () => {
  const { cycle, department, beside, head, member, template, other, url } = await running();
  const late = await make.employee({ department_id: department.id });
  const guest = await make.employee({ department_id: beside.id });
  const before = await traces();
  const asked = { employee_ids: [late.id, member.id, guest.id] };
  const dry = await hr.post(url, { ...asked, dry_run: true });
  expect(dry.status, JSON.stringify(dry.body)).toBe(200);
  expect(outcomes(dry.body)).toEqual([
    [late.id, 'added', null],
    [member.id, 'refused', 'This person already has an evaluation in this cycle.'],
    [guest.id, 'refused', 'The department has no template in this cycle. Select one.'],
  ]);
  expect(await traces()).toEqual(before);
  const real = await hr.post(url, { ...asked, plan_hash: dry.body.data.plan_hash });
  expect([real.status, real.body.message]).toEqual([200, '1 person added, 2 couldn’t be added.']);
  expect({ ...real.body.data, dry_run: true }).toEqual(dry.body.data);
  await hr.post(url, { employee_ids: [guest.id], template_id: other.id });
  const names = template.items.map(({ name }) => name);
  expect(await evaluationsOf(cycle.id)).toEqual([
    { employee_id: member.id, template_id: template.id, reviewer_id: head.id, status: 'self_assessment', items: names },
    { employee_id: late.id, template_id: template.id, reviewer_id: head.id, status: 'self_assessment', items: names },
    {
      employee_id: guest.id,
      template_id: other.id,
      reviewer_id: head.id,
      status: 'self_assessment',
      items: ['Orders packed'],
    },
  ]);
  const inbox = (await (await as(late.user_id)).get('/api/notifications')).body.data;
  expect(inbox).toMatchObject([{ event: 'kpi_evaluation_assigned' }]);
  const { rows: audit } = await owner.query(
    `select changes from audit_log where action = 'kpi_cycle.people_added' and subject_id = $1 order by id`,
    [cycle.id],
  );
  expect(audit).toEqual([
    { changes: { people: { from: null, to: [late.employee_number] } } },
    { changes: { people: { from: null, to: [guest.employee_number] } } },
  ]);
  const { rows: history } = await owner.query(
    `select a.action from kpi_evaluation_activity a join kpi_evaluations v on v.id = a.evaluation_id
     where v.cycle_id = $1 and v.employee_id = any($2)`,
    [cycle.id, [late.id, guest.id]],
  );
  expect(history).toEqual([{ action: 'add' }, { action: 'add' }]);
});

test('people on probation are added by name; a late start leaves the least days', async () => {
  const { cycle, department, url } = await running({
    min_days: 4,
    self_assessment_closes_on: dayFromNow(-2),
    min_service_days: 60,
  });
  const people = [
    await make.employee({ department_id: department.id, employment_lifecycle: 'probationary' }),
    await make.employee({ department_id: department.id, joining_date: dayFromNow(-20) }),
  ];
  const ids = people.map(({ id }) => id);
  expect((await hr.post(url, { employee_ids: ids })).body.data.counts).toEqual({ total: 2, added: 2, refused: 0 });
  const { rows } = await owner.query(
    'select due_on::text from kpi_evaluations where cycle_id = $1 and employee_id = any($2)',
    [cycle.id, ids],
  );
  expect(rows).toEqual([{ due_on: dayFromNow(4) }, { due_on: dayFromNow(4) }]);
});

test('each person who cannot be added is named with the reason', async () => {
  const { department, url } = await running({ entity_id: here.id });
  const inactive = await make.employee({ department_id: department.id, activity_status: 'inactive' });
  const leaving = await make.employee({
    department_id: department.id,
    employment_lifecycle: 'resigned',
    notice_date: dayFromNow(-1),
    last_working_date: dayFromNow(30),
  });
  const stranger = await make.employee({ entity_id: elsewhere.id });
  const { body } = await hr.post(url, { employee_ids: [inactive.id, leaving.id, stranger.id, 9_999_999] });
  expect(outcomes(body)).toEqual([
    [inactive.id, 'refused', 'This person is not active.'],
    [leaving.id, 'refused', 'This person is leaving.'],
    [stranger.id, 'refused', 'Not found.'],
    [9_999_999, 'refused', 'Not found.'],
  ]);
  expect(body.data.people.map(({ employee }: { employee: object | null }) => employee === null)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test('HR of all companies cannot add a person of another company to a cycle of one', async () => {
  const { url, other } = await running({ entity_id: here.id });
  const wide = await as((await make.employee({ roles: ['HR'] })).user_id);
  const stranger = await make.employee({ entity_id: elsewhere.id });
  const { body } = await wide.post(url, { employee_ids: [stranger.id], template_id: other.id });
  expect(outcomes(body)).toEqual([[stranger.id, 'refused', 'This person belongs to another company than the cycle.']]);
});

test('people without a reviewer are added where HR says so', async () => {
  const { cycle, url, other } = await running();
  const alone = await make.department({ entity_id: here.id });
  const person = await make.employee({ department_id: alone.id });
  const asked = { employee_ids: [person.id], template_id: other.id };
  expect(outcomes((await hr.post(url, asked)).body)).toEqual([
    [person.id, 'refused', 'No one can review this person.'],
  ]);
  const { body } = await hr.post(url, { ...asked, allow_missing_reviewer: true });
  expect(body.data.counts.added).toBe(1);
  const { rows } = await owner.query(
    'select reviewer_missing_since is not null as missing from kpi_evaluations where cycle_id = $1 and employee_id = $2',
    [cycle.id, person.id],
  );
  expect(rows).toEqual([{ missing: true }]);
});

test('bad input is refused and changes nothing', async () => {
  const { cycle, department, template, url } = await running();
  const late = await make.employee({ department_id: department.id });
  const foreign = await kpi.template({ entity_id: elsewhere.id });
  const archived = await kpi.template({ status: 'archived' });
  const before = await traces();
  const one = { employee_ids: [late.id] };
  for (const [body, field] of [
    [{}, 'employee_ids'],
    [{ employee_ids: [] }, 'employee_ids'],
    [{ employee_ids: Array.from({ length: 501 }, (_, index) => index + 1) }, 'employee_ids'],
    [{ ...one, template_id: foreign.id }, 'template_id'],
    [{ ...one, template_id: archived.id }, 'template_id'],
    [{ ...one, template_id: 9_999_999 }, 'template_id'],
    [{ ...one, plan_hash: 'another' }, 'status'],
  ] as const) {
    const answer = await hr.post(url, body);
    expect([answer.status, Object.keys(answer.body.errors)], JSON.stringify(answer.body)).toEqual([422, [field]]);
  }
  await owner.query(`update kpi_templates set status = 'archived' where id = $1`, [template.id]);
  expect(outcomes((await hr.post(url, one)).body)).toEqual([
    [late.id, 'refused', 'The department’s template is not active. Select another one.'],
  ]);
  for (const status of ['closed', 'draft']) {
    await owner.query('update kpi_cycles set status = $1 where id = $2', [status, cycle.id]);
    expect((await hr.post(url, one)).status).toBe(422);
  }
  expect(await traces()).toEqual(before);
});

test('only who publishes for the company adds people', async () => {
  const { department, url } = await running({ entity_id: here.id });
  const late = await make.employee({ department_id: department.id });
  const before = await traces();
  expect((await otherHr.post(url, { employee_ids: [late.id] })).status).toBe(404);
  expect((await employee.post(url, { employee_ids: [late.id] })).status).toBe(403);
  const group = await running();
  expect(outcomes((await otherHr.post(group.url, { employee_ids: [late.id] })).body)).toEqual([
    [late.id, 'refused', 'Not found.'],
  ]);
  expect((await traces())['history']).toBe(before['history']);
});

test('of two at the same moment one adds the person', async () => {
  const { cycle, department, url } = await running();
  const late = await make.employee({ department_id: department.id });
  const publish = `/api/kpi-cycles/${cycle.id}/publish`;
  const [added, published] = await Promise.all([hr.post(url, { employee_ids: [late.id] }), hr.post(publish, {})]);
  expect(added.body.data.counts.added + published.body.result.created).toBe(1);
  expect((await evaluationsOf(cycle.id)).filter(({ employee_id: id }) => id === late.id)).toHaveLength(1);
});

test('no one is added to a cycle that is being published', async () => {
  const { cycle, department, url } = await running();
  const late = await make.employee({ department_id: department.id });
  const set = 'update kpi_cycles set publishing_processed = $2, publishing_total = $3 where id = $1';
  await owner.query(set, [cycle.id, 0, 9]);
  const before = await traces();
  for (const dry_run of [true, false]) {
    const { status, body } = await hr.post(url, { employee_ids: [late.id], dry_run });
    expect([status, body.errors, body.status]).toEqual([
      422,
      { status: ['This cycle is being published.'] },
      'published',
    ]);
  }
  expect(await traces()).toEqual(before);
  await owner.query(set, [cycle.id, null, null]);
  expect((await hr.post(url, { employee_ids: [late.id] })).body.data.counts.added).toBe(1);
});

test('no one is added when one of them moves at the same moment', async () => {
  const { department, beside, url } = await running();
  const [late, mover] = [
    await make.employee({ department_id: department.id }),
    await make.employee({ department_id: department.id }),
  ];
  const before = await traces();
  const other = await owner.connect();
  await other.query('begin');
  await other.query('select from employees where id = $1 for update', [mover.id]);
  const adding = hr.post(url, { employee_ids: [late.id, mover.id] });
  await expect.poll(() => waitingLocks(owner)).not.toEqual([]);
  await other.query('update employees set department_id = $2 where id = $1', [mover.id, beside.id]);
  await other.query('commit');
  other.release();
  const { status, body } = await adding;
  expect([status, body.errors]).toEqual([
    422,
    { status: ['Something changed since you checked. Review the figures and try again.'] },
  ]);
  expect(await traces()).toEqual(before);
});
