import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { probationMaker } from '../../testing/make-probation.ts';

const app = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
const { as, make, owner } = app;
const probation = probationMaker(app);

const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const buying = await make.department({ entity_id: north.id, name: 'Buying' });
const selling = await make.department({ entity_id: north.id, name: 'Selling' });
const stores = await make.department({ entity_id: south.id, name: 'Stores' });
const hrPerson = await make.employee({ department_id: selling.id, roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const northHr = await as(
  (await make.employee({ department_id: selling.id, roles: [{ role: 'HR', entity_ids: [north.id] }] })).user_id,
);
const boss = await make.employee({ department_id: selling.id, roles: ['Manager'] });

type Row = { id: number; employee: { id: number }; allowed_actions: string[]; changed_fields: string[] };
const plan = async (client: Client, id: number, body: object) => {
  const answer = await client.post(`/api/employees/${id}/job-history`, body);
  expect([201, JSON.stringify(answer.body)]).toEqual([answer.status, JSON.stringify(answer.body)]);
  return answer.body.data.id as number;
};
const list = async (client: Client, query = '') => {
  const answer = await client.get(`/api/job-changes?per_page=100${query}`);
  expect(answer.status).toBe(200);
  return answer.body.data as Row[];
};
const cancel = (client: Client, body: object) => client.post('/api/job-changes/cancel', body);
const statusOf = async (ids: number[]) =>
  (await owner.query('select status from job_history where id = any($1) order by id', [ids])).rows.map(
    ({ status }) => status,
  );

const ann = await make.employee({ department_id: buying.id, first_name: 'Ann', last_name: 'Ames' });
const ben = await make.employee({ department_id: buying.id, first_name: 'Ben', last_name: 'Bole' });
const sue = await make.employee({ department_id: stores.id, first_name: 'Sue', last_name: 'Stone' });
const annMoves = await plan(hr, ann.id, {
  department_id: selling.id,
  reporting_manager_id: boss.id,
  effective_from: '2099-03-01',
  reason: 'The new plan of the year',
});
const benRises = await plan(hr, ben.id, { job_title: 'Buyer', effective_from: '2099-01-01' });
const sueRises = await plan(hr, sue.id, { job_title: 'Keeper', effective_from: '2099-02-01' });

test('planned changes are listed by day, with the job of now and the one they lead to', async () => {
  const rows = await list(hr);
  expect(rows.map(({ id }) => id)).toEqual([benRises, sueRises, annMoves]);
  expect(rows[2]).toMatchObject({
    employee: { id: ann.id, name: 'Ann Ames' },
    effective_from: '2099-03-01',
    status: 'scheduled',
    changed_fields: ['department_id', 'reporting_manager_id'],
    department: { name: 'Selling' },
    reporting_manager: { id: boss.id },
    now: { department: { name: 'Buying' }, reporting_manager: null },
    reason: 'The new plan of the year',
    created_by: { user_id: hrPerson.user_id },
    allowed_actions: ['delete'],
  });
});

test.each([
  ['&sort_by=name', () => [annMoves, benRises, sueRises]],
  ['&sort_direction=desc', () => [annMoves, sueRises, benRises]],
  [`&employee_id=${ann.id},${sue.id}`, () => [sueRises, annMoves]],
  [`&entity_id=${south.id}`, () => [sueRises]],
  [`&department_id=${selling.id}`, () => [annMoves]],
  [`&department_id=${buying.id}`, () => [benRises, annMoves]],
  ['&from=2099-02-01&to=2099-02-28', () => [sueRises]],
  ['&search=bole', () => [benRises]],
  ['&status=failed', () => []],
])('the list is narrowed by %s', async (query, expected) => {
  expect((await list(hr, query)).map(({ id }) => id)).toEqual(expected());
});

test('a planned change is hidden from a reader who does not see the employment', async () => {
  expect((await list(northHr)).map(({ id }) => id)).toEqual([benRises, annMoves]);
  const colleague = await as((await make.employee({ department_id: buying.id })).user_id);
  expect(await list(colleague)).toEqual([]);
  const own = await list(await as(ann.user_id));
  expect(own.map(({ id, allowed_actions }) => [id, allowed_actions])).toEqual([[annMoves, []]]);
});

test('a preview cancels nothing; the run cancels what the single action would, and lists the rest', async () => {
  const mover = await make.employee({ department_id: buying.id });
  const first = await plan(hr, mover.id, { job_title: 'One', effective_from: '2099-05-01' });
  const second = await plan(hr, mover.id, { job_title: 'Two', effective_from: '2099-06-01' });
  const gone = await plan(hr, mover.id, { job_title: 'Three', effective_from: '2099-07-01' });
  expect((await hr.delete(`/api/employees/${mover.id}/job-history/${gone}`)).status).toBe(204);
  const ids = [first, sueRises, gone, second, 987_654];
  const before = await statusOf(ids);
  const dry = await cancel(northHr, { ids, dry_run: true });
  expect([dry.status, dry.body.message]).toEqual([200, '2 planned changes will be cancelled, 3 can’t be cancelled.']);
  expect(await statusOf(ids)).toEqual(before);
  const real = await cancel(northHr, { ids });
  expect(real.body.data).toEqual(dry.body.data);
  expect(real.body.data.rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'cancelled',
    'refused',
    'refused',
    'cancelled',
    'refused',
  ]);
  // a change outside the scope looks as if it did not exist
  expect({ ...real.body.data.rows[1], id: 0 }).toEqual({ ...real.body.data.rows[4], id: 0 });
  expect(await statusOf([first, second, sueRises])).toEqual(['scheduled', 'cancelled', 'cancelled']);
  const { rows: audited } = await owner.query(
    "select subject_id::int as id from audit_log where action = 'job_history.cancelled' and subject_id = any($1) order by 1",
    [[first, second, sueRises]],
  );
  expect(audited.map(({ id }) => id)).toEqual([first, second]);
});

test('a confirmation that a review decided is not among what is cancelled', async () => {
  const lead = await make.employee({ department_id: buying.id, roles: ['Manager'] });
  const employee = await probation.person({ department_id: buying.id, reporting_manager_id: lead.id });
  const review = await probation.review({ employee, reviewer: lead, status: 'submitted' });
  const signature = { method: 'typed', typed_name: 'Hana Ito' };
  expect((await northHr.post(`/api/probation-reviews/${review.id}/approve`, { signature })).status).toBe(200);
  const [planned] = await list(northHr, `&employee_id=${employee.id}`);
  const ids = [planned?.id ?? 0];
  expect(planned?.allowed_actions).toEqual([]);
  for (const dry_run of [true, false]) {
    const { status, body } = await cancel(northHr, { ids, dry_run });
    expect([status, body.data.counts, body.data.rows[0].errors]).toEqual([
      200,
      { cancelled: 0, refused: 1 },
      { status: ['A probation review decided this. Reverse that decision to undo it.'] },
    ]);
  }
  expect(await statusOf(ids)).toEqual(['scheduled']);
});

test('cancelling needs the permission to change jobs, and never covers an own change', async () => {
  const selfMade = await make.employee({ department_id: buying.id, roles: ['HR'] });
  const id = await plan(hr, selfMade.id, { job_title: 'Chief', effective_from: '2099-05-01' });
  const own = await cancel(await as(selfMade.user_id), { ids: [id] });
  expect(own.body.data.counts).toEqual({ cancelled: 0, refused: 1 });
  const colleague = await as((await make.employee({ department_id: buying.id })).user_id);
  expect((await cancel(colleague, { ids: [id] })).status).toBe(403);
  const admin = await make.employee({ department_id: buying.id, roles: ['Admin'] });
  const adminClient = await as(admin.user_id);
  const ofAdmin = await make.employee({ department_id: buying.id, roles: ['Admin'] });
  const guarded = await plan(adminClient, ofAdmin.id, { job_title: 'Root', effective_from: '2099-05-01' });
  expect((await cancel(hr, { ids: [guarded] })).body.data.counts).toEqual({ cancelled: 0, refused: 1 });
  expect(await statusOf([id, guarded])).toEqual(['scheduled', 'scheduled']);
});
