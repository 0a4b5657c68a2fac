import { beforeEach, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import type { MadeEmployee } from '../../testing/make.ts';

const app = await startApp();
const { as, make, owner, deps } = app;
const [kpi, probation] = [kpiMaker(app), probationMaker(app)];

const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const office = await make.department({ entity_id: north.id, name: 'Office' });
const plant = await make.department({ entity_id: south.id, name: 'Plant' });
const here = { department_id: office.id, entity_id: north.id };
const hr = await as((await make.employee({ ...here, roles: ['HR'] })).user_id);
const northHr = await as((await make.employee({ ...here, roles: [{ role: 'HR', entity_ids: [north.id] }] })).user_id);
const heir = await make.employee({ ...here, first_name: 'Hera', last_name: 'Heir', roles: ['HR', 'Manager'] });
const other = await make.employee({ ...here, first_name: 'Otto', last_name: 'Other', roles: ['HR', 'Manager'] });

let leaver: MadeEmployee;
let held: { managed: number; led: number; report: number; evaluation: number; review: number; cycle: number };

/** A person who leaves in two weeks and has one responsibility of each kind. */
beforeEach(async () => {
  leaver = await make.employee({
    ...here,
    roles: ['Manager'],
    employment_lifecycle: 'resigned',
    last_working_date: dayFromNow(14),
  });
  const report = await make.employee({
    ...here,
    first_name: 'Rita',
    last_name: 'Report',
    reporting_manager_id: leaver.id,
  });
  const reviewed = await make.employee({ ...here, first_name: 'Eva', last_name: 'Luated' });
  const newcomer = await probation.person({ ...here, first_name: 'Nora', last_name: 'New' });
  held = {
    managed: (await make.department({ entity_id: north.id, manager_id: leaver.id })).id,
    led: (await make.department({ entity_id: north.id, team_lead_id: leaver.id })).id,
    report: report.id,
    evaluation: (await kpi.evaluation({ employee: reviewed, reviewer: leaver })).id,
    review: (await probation.review({ employee: newcomer, reviewer: leaver })).id,
    cycle: (await kpi.cycle({ owner_id: leaver.id, entity_id: north.id })).id,
  };
});

const url = (rest = '') => `/api/employees/${leaver.id}/responsibilities${rest}`;
const kindsOf = (rows: { kind: string }[]) => rows.map(({ kind }) => kind);
const task = async () => {
  const items = await hr.get('/api/actionable-items?kind=employee_offboarding&per_page=100');
  return (items.body.data as { subject: { id: number }; url: string }[]).find(
    ({ subject }) => subject.id === leaver.id,
  );
};
const items = () => [
  { kind: 'department_managed', id: held.managed },
  { kind: 'department_led', id: held.led },
  { kind: 'direct_report', id: held.report },
  { kind: 'evaluation', id: held.evaluation },
  { kind: 'probation_review', id: held.review },
  { kind: 'kpi_cycle', id: held.cycle },
];

test('all responsibilities of a person are listed, searchable and filterable', async () => {
  const { body } = await hr.get(url());
  expect(body.data.map(({ kind, id }: { kind: string; id: number }) => ({ kind, id }))).toEqual(items());
  expect(body.meta.total).toBe(6);
  expect(body.data[2]).toMatchObject({ name: 'Rita Report', status: 'active', entity: { name: 'North' } });
  expect(body.data[3]).toMatchObject({ name: 'Eva Luated', detail: expect.any(String), status: 'self_assessment' });
  expect(kindsOf((await hr.get(url('?kind=evaluation,kpi_cycle'))).body.data)).toEqual(['evaluation', 'kpi_cycle']);
  expect(kindsOf((await hr.get(url('?search=nora'))).body.data)).toEqual(['probation_review']);
  expect((await hr.get(url('?per_page=2&page=3&sort_by=name'))).body.data).toHaveLength(2);
});

test('they are reassigned one by one to different people, and the task ends with the last one', async () => {
  const { url: where } = (await task()) ?? {};
  expect(where).toBe(`/employees/${leaver.id}/offboarding`);
  for (const [index, item] of items().entries()) {
    expect((await hr.get(`/api/employees/${leaver.id}`)).body.data.allowed_actions).toContain('reassign');
    const to = index % 2 === 0 ? heir.id : other.id;
    const answer = await hr.post(`/api/employees/${leaver.id}/reassign`, { reassign_to: to, items: [item] });
    expect([answer.status, answer.body.message]).toEqual([200, '1 responsibility reassigned.']);
  }
  expect((await hr.get(url())).body.data).toEqual([]);
  expect((await hr.get(`/api/employees/${leaver.id}`)).body.data.allowed_actions).not.toContain('reassign');
  expect(await task()).toBeUndefined();
  const { rows } = await owner.query(
    `select (select manager_id from departments where id = $1) as managed, (select team_lead_id from departments where id = $2) as led,
            (select reporting_manager_id from employees where id = $3) as report, (select reviewer_id from kpi_evaluations where id = $4) as evaluation,
            (select reviewer_id from probation_reviews where id = $5) as review, (select owner_id from kpi_cycles where id = $6) as cycle`,
    Object.values(held),
  );
  expect(Object.values(rows[0]).map(Number)).toEqual([heir, other, heir, other, heir, other].map(({ id }) => id));
});

test('all are reassigned together, each with an audit entry', async () => {
  const answer = await hr.post(`/api/employees/${leaver.id}/reassign`, { reassign_to: heir.id });
  expect([answer.status, answer.body.message]).toEqual([200, '6 responsibilities reassigned.']);
  expect(Object.values(answer.body.data.responsibilities)).toEqual([0, 0, 0, 0, 0, 0]);
  const { rows } = await owner.query(
    "select distinct subject_type from audit_log where reason = 'Responsibilities were reassigned.' and subject_id = any($1::bigint[]) order by 1",
    [Object.values(held)],
  );
  expect(rows.length).toBeGreaterThanOrEqual(3);
  expect(await task()).toBeUndefined();
});

test('former responsibilities and unavailable successors are refused without effect', async () => {
  const before = (await hr.get(url())).body.data;
  const send = (body: object) => hr.post(`/api/employees/${leaver.id}/reassign`, body);
  const stale = await send({
    reassign_to: heir.id,
    items: [...items().slice(0, 2), { kind: 'direct_report', id: heir.id }],
  });
  expect([stale.status, stale.body.errors]).toEqual([422, { items: ['The selected items is invalid.'] }]);
  const oneself = await send({ reassign_to: leaver.id });
  expect([oneself.status, Object.keys(oneself.body.errors)]).toEqual([422, ['reassign_to']]);
  const unable = await make.employee(here);
  expect(
    (await send({ reassign_to: unable.id, items: [{ kind: 'evaluation', id: held.evaluation }] })).body.errors,
  ).toEqual({
    reassign_to: ['The selected successor can’t take over evaluations: they don’t have permission to review.'],
  });
  expect((await send({ reassign_to: heir.id, items: [] })).status).toBe(422);
  expect((await send({ reassign_to: heir.id, revision: 99 })).status).toBe(422);
  expect((await hr.get(url())).body.data).toEqual(before);
});

test('HR of one company lists and reassigns its responsibilities, and nothing of another one', async () => {
  const away = await make.employee({
    department_id: plant.id,
    entity_id: south.id,
    reporting_manager_id: leaver.id,
    last_name: 'Hidden',
  });
  const list = await northHr.get(url());
  expect([list.body.meta.total, JSON.stringify(list.body).includes('Hidden')]).toEqual([6, false]);
  const taken = await northHr.post(`/api/employees/${leaver.id}/reassign`, {
    reassign_to: heir.id,
    items: [{ kind: 'direct_report', id: away.id }],
  });
  expect([403, 422]).toContain(taken.status);
  const fine = await northHr.post(`/api/employees/${leaver.id}/reassign`, {
    reassign_to: other.id,
    items: items().slice(0, 2),
  });
  expect(fine.status).toBe(200);
});

test('names are returned to readers of the record only', async () => {
  const permissions = ['employees.view', 'employees.view_all', 'employees.deactivate'] as const;
  const { id } = await deps.db
    .insertInto('roles')
    .values({ name: 'Leavers', scope: 'all' })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const permission of permissions)
    await deps.db.insertInto('role_permissions').values({ role_id: id, permission }).execute();
  const clerk = await as(
    (await make.employee({ ...here, roles: [{ role: 'Leavers', entity_ids: [north.id] }] })).user_id,
  );
  const rows = (await clerk.get(url())).body.data as { kind: string; name: string | null; detail: string | null }[];
  expect(rows.map(({ kind, name }) => [kind, name !== null])).toEqual([
    ['department_managed', false],
    ['department_led', false],
    ['direct_report', true],
    ['evaluation', false],
    ['probation_review', false],
    ['kpi_cycle', false],
  ]);
  expect(rows.every(({ kind, detail }) => kind !== 'evaluation' || detail === null)).toBe(true);
});

test('it needs the permission and another person', async () => {
  const employee = await as((await make.employee(here)).user_id);
  expect((await employee.get(url())).status).toBe(403);
  expect((await employee.post(`/api/employees/${leaver.id}/reassign`, { reassign_to: heir.id })).status).toBe(403);
  const own = await as(heir.user_id);
  expect((await own.post(`/api/employees/${heir.id}/reassign`, { reassign_to: other.id })).status).toBe(403);
});
