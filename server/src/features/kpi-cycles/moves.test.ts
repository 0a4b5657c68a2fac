import { expect, test, vi } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

/** People and departments that were deleted or moved before a cycle is published or continued. */

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const [here, there] = [await make.entity(), await make.entity()];
const hrPerson = await make.employee({ entity_id: here.id, roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const hrOf = async (entity_id: number) =>
  as((await make.employee({ entity_id, roles: [{ role: 'HR', entity_ids: [entity_id] }] })).user_id);
const [hrHere, hrThere] = [await hrOf(here.id), await hrOf(there.id)];

type Fields = NonNullable<Parameters<typeof kpi.cycle>[0]>;

/** A department with a reviewer and two people, and a draft cycle with it. */
async function team(cycleFields: Fields = {}, templateFields = {}) {
  const head = await make.employee({ entity_id: here.id, roles: ['Manager'] });
  const department = await make.department({ entity_id: here.id, manager_id: head.id });
  const members = [0, 1].map(() => make.employee({ department_id: department.id }));
  const template = await kpi.template(templateFields);
  const cycle = await kpi.cycle({
    status: 'draft',
    departments: [{ department_id: department.id, template_id: template.id }],
    ...cycleFields,
  });
  return { department, members: await Promise.all(members), head, url: `/api/kpi-cycles/${cycle.id}`, cycle };
}

const move = async (departmentId: number, entity_id: number) => {
  const body = { entity_id, move_employees: true };
  expect((await hr.put(`/api/departments/${departmentId}`, body)).status).toBe(200);
};
const peopleOf = async (cycleId: number) =>
  (
    await owner.query<{ employee_id: number; status: string; entity_id: number }>(
      'select employee_id::int, status, entity_id::int from kpi_evaluations where cycle_id = $1 order by employee_id',
      [cycleId],
    )
  ).rows;

test('a department that changes company after the start leaves its evaluations in the former one', async () => {
  const { cycle, department, members, head, url } = await team();
  expect((await hr.post(`${url}/publish`)).body.result.created).toBe(2);
  await move(department.id, there.id);
  expect((await peopleOf(cycle.id)).map(({ entity_id }) => entity_id)).toEqual([here.id, here.id]);
  const list = `/api/kpi-evaluations?cycle_id=${cycle.id}`;
  const totals = [hrHere, hrThere].map(async (client) => (await client.get(list)).body.meta.total);
  expect(await Promise.all(totals)).toEqual([2, 0]);
  const figures = [hrHere, hrThere].map(async (client) => (await client.get(`${url}/summary`)).body.data.total);
  expect(await Promise.all(figures)).toEqual([2, 0]);
  const board = [hrHere, hrThere].map(async (client) => (await client.get(`${url}/departments`)).body.data);
  expect(await Promise.all(board)).toMatchObject([
    [{ department_id: department.id, evaluations_count: 2, allowed_actions: [] }],
    [{ department_id: department.id, evaluations_count: 0, allowed_actions: ['replace-template'] }],
  ]);
  const waiting = (await (await as(head.user_id)).get(`/api/kpi-evaluations?reviewer_id=${head.id}`)).body.meta.total;
  expect(waiting).toBe(2);
  const [first] = (await hrHere.get(list)).body.data;
  const skipped = await hrThere.post(`/api/kpi-evaluations/${first.id}/skip-self-assessment`, {
    reason: 'On leave until May.',
  });
  expect(skipped.status).toBe(404);
  expect((await peopleOf(cycle.id)).map(({ status }) => status)).toEqual(['self_assessment', 'self_assessment']);
  expect(members.map(({ id }) => id)).toContain(first.employee_id);
});

test.each([
  ['of another company than the cycle', { entity_id: here.id }, {}, 'belongs to another company than the cycle.'],
  ['with a template of the former company', {}, { entity_id: here.id }, 'has a template of another company.'],
])('a department that moves before the start is not published %s', async (_name, cycleFields, template, message) => {
  const { cycle, department, url } = await team(cycleFields, template);
  await move(department.id, there.id);
  const { blockers } = (await hr.get(`${url}/preflight`)).body.data;
  expect(blockers).toMatchObject([
    { code: 'other_company', department_id: department.id, message: expect.stringContaining(message) as string },
  ]);
  const refused = await hr.post(`${url}/publish`);
  expect([refused.status, refused.body.errors.status]).toEqual([422, [expect.stringContaining(message)]]);
  expect(await peopleOf(cycle.id)).toEqual([]);
});

test('publishing again creates no second evaluation for cancelled, moved or rehired people', async () => {
  const { cycle, department, members, url } = await team();
  const [first, second] = members as [(typeof members)[0], (typeof members)[0]];
  const next = await make.department({ entity_id: here.id, manager_id: hrPerson.id });
  await hr.put(`${url}/departments/${next.id}`, { template_id: (await kpi.template()).id });
  const staying = await make.employee({ department_id: next.id });
  expect((await hr.post(`${url}/publish`)).body.result.created).toBe(3);
  const made = await peopleOf(cycle.id);
  const away = { type: 'terminated', last_working_date: '2026-01-31', reason: 'The shop was closed.' };
  expect((await hr.post(`/api/employees/${first.id}/separate`, away)).status).toBe(200);
  const back = { joining_date: '2026-02-15', department_id: department.id };
  expect((await hr.post(`/api/employees/${first.id}/rehire`, back)).status).toBe(200);
  await owner.query("update employees set employment_lifecycle = 'confirmed' where id = $1", [first.id]);
  await owner.query('update employees set department_id = $1 where id = $2', [next.id, second.id]);
  const preflight = (await hr.get(`${url}/preflight`)).body.data;
  expect([preflight.to_create, preflight.existing]).toEqual([0, 2]);
  expect(preflight.excluded).toMatchObject([{ employee: { id: first.id }, reason: 'cancelled' }]);
  expect((await hr.post(`${url}/publish`)).body.result).toMatchObject({ created: 0, skipped: 2, blocked: 1 });
  expect(await peopleOf(cycle.id)).toEqual(
    made.map((row) => (row.employee_id === first.id ? { ...row, status: 'cancelled' } : row)),
  );
  expect(made.map(({ employee_id }) => employee_id)).toContain(staying.id);
});

test('a closed cycle has no preflight', async () => {
  const { cycle, url } = await team();
  await owner.query("update kpi_cycles set status = 'closed' where id = $1", [cycle.id]);
  const { status, body } = await hr.get(`${url}/preflight`);
  expect([status, body.status, body.errors]).toEqual([
    422,
    'closed',
    { status: ['A closed cycle can’t be published.'] },
  ]);
});

test('a close by force does not end the own evaluation', async () => {
  const cycle = await kpi.cycle();
  const { id, revision } = await kpi.evaluation({ cycle_id: cycle.id, employee: hrPerson, status: 'disputed' });
  const other = await kpi.evaluation({ cycle_id: cycle.id, status: 'manager_review' });
  const forced = { force: true, reason: 'The company is being sold.' };
  const url = `/api/kpi-cycles/${cycle.id}`;
  const audited = async () => (await owner.query('select count(*) from audit_log')).rows[0] as unknown;
  const before = await audited();
  const { status, body } = await hr.post(`${url}/close`, forced);
  expect([status, body.status, body.errors.status]).toEqual([
    422,
    'published',
    ['Your own evaluation is still open. Someone else has to close this cycle.'],
  ]);
  const { rows } = await owner.query(
    'select id::int, status, revision from kpi_evaluations where id = any($1) order by id',
    [[id, other.id]],
  );
  expect(rows).toMatchObject([{ status: 'disputed', revision }, { status: 'manager_review' }]);
  expect(await audited()).toEqual(before);
  const admin = await as((await make.admin()).user_id);
  expect((await admin.post(`${url}/close`, forced)).status).toBe(200);
});

/** Publishes during another request that writes a person and commits only when the publication waits for it. */
async function publishDuring(url: string, statements: readonly string[]) {
  const other = await owner.connect();
  await other.query('begin');
  for (const statement of statements) await other.query(statement);
  const publishing = hr.post(`${url}/publish`);
  const waiting = `select from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
  await vi.waitUntil(async () => (await owner.query(waiting)).rows.length > 0, { timeout: 15_000 });
  await other.query('commit');
  other.release();
  return publishing;
}

test.each(['for update', 'for no key update'])(
  'a reviewer who is made inactive while a cycle is published is known to be missing (%s)',
  async (lock) => {
    const { cycle, head, url } = await team();
    const { status } = await publishDuring(url, [
      `select from employees where id = ${head.id} ${lock}`,
      `update employees set activity_status = 'inactive' where id = ${head.id}`,
    ]);
    expect(status).toBe(200);
    const { rows } = await owner.query(
      'select reviewer_missing_since is not null as missing, revision::int from kpi_evaluations where cycle_id = $1',
      [cycle.id],
    );
    expect(rows).toEqual([0, 1].map(() => ({ missing: true, revision: 1 })));
  },
);

test('a person dismissed during the publish gets no evaluation', async () => {
  const { cycle, members, url } = await team();
  const [leaver, stayer] = members.map(({ id }) => id);
  const { status, body } = await publishDuring(url, [
    `select from employees where id = ${leaver} for update`,
    `update employees set employment_lifecycle = 'terminated', last_working_date = current_date where id = ${leaver}`,
  ]);
  expect([status, body.result.created]).toEqual([200, 1]);
  expect((await peopleOf(cycle.id)).map(({ employee_id }) => employee_id)).toEqual([stayer]);
});
