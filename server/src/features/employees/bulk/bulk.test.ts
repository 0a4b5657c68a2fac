import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import type { Client } from '../../../testing/client.ts';
import type { MadeEmployee } from '../../../testing/make.ts';

const { as, make, deps, owner } = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });

const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const buying = await make.department({ entity_id: north.id, name: 'Buying' });
const selling = await make.department({ entity_id: north.id, name: 'Selling' });
const stores = await make.department({ entity_id: south.id, name: 'Stores' });
const closed = await make.department({ entity_id: north.id, name: 'Closed', status: 'inactive' });
const hrPerson = await make.employee({ department_id: selling.id, roles: ['HR'] });
const hr = await as(hrPerson.user_id);
/** HR of one company: the least privileged actor for its people. */
const northHr = await as(
  (await make.employee({ department_id: selling.id, roles: [{ role: 'HR', entity_ids: [north.id] }] })).user_id,
);
const people = (count: number, fields: Parameters<typeof make.employee>[0] = {}) =>
  Promise.all(Array.from({ length: count }, () => make.employee({ department_id: buying.id, ...fields })));
const idsOf = (list: readonly { id: number }[]) => list.map(({ id }) => id);

type Row = { id: number; outcome: string; label: string | null; errors: Record<string, string[]> } & Record<
  string,
  unknown
>;
async function bulk(client: Client, body: object, headers?: Record<string, string>) {
  const answer = await client.post('/api/employees/bulk', body, headers);
  expect([200, JSON.stringify(answer.body)]).toEqual([answer.status, JSON.stringify(answer.body)]);
  return answer.body.data as { batch_id: string; counts: object; rows: Row[] };
}
const outcomes = ({ rows }: { rows: Row[] }) => rows.map(({ id, outcome }) => [id, outcome]);

/** All rows that a change could affect. */
async function traces() {
  const { rows } = await owner.query(`
    select (select md5(string_agg(e::text, '|' order by id)) from employees e) as people,
           (select md5(string_agg(d::text, '|' order by id)) from departments d) as departments,
           (select md5(string_agg(u::text, '|' order by id)) from users u) as accounts,
           (select md5(string_agg(h::text, '|' order by id)) from job_history h) as history,
           (select count(*) from audit_log) as audit, (select count(*) from session_register) as sessions`);
  return rows[0] as Record<string, unknown>;
}

/** The dry run writes nothing and returns the same as the real run. */
async function dryThenReal(client: Client, body: object) {
  const before = await traces();
  const dry = await bulk(client, { ...body, dry_run: true });
  expect(await traces()).toEqual(before);
  const real = await bulk(client, body);
  const withoutRevisions = ({ rows, counts }: typeof dry) => ({
    counts,
    rows: rows.map((row) => ({ ...row, revision: 0 })),
  });
  expect(withoutRevisions(real)).toEqual(withoutRevisions(dry));
  return real;
}

test('a move from a past day and its inverse from that day leave no day elsewhere', async () => {
  const named = { first_name: 'Ann', last_name: 'Ames', email: 'ann.ames@example.com', joining_date: '2020-01-01' };
  const placed = { entity_id: north.id, department_id: buying.id };
  const ann = (await northHr.post('/api/employees', { ...named, ...placed })).body.data as { id: number };
  const day = (ago: number) => Temporal.Now.plainDateISO('UTC').subtract({ days: ago }).toString();
  const move = { kind: 'move', ids: [ann.id], effective_from: day(30), reason: 'Moved a month ago' };
  const there = await bulk(northHr, { ...move, department_id: selling.id });
  const revisions = [{ id: ann.id, revision: there.rows[0]?.revision }];
  await bulk(northHr, { ...move, department_id: buying.id, revisions, reason: 'Undone right after the bulk change.' });
  const departmentOn = async (on: string) =>
    (await northHr.get(`/api/employees/${ann.id}?as_of=${on}`)).body.data.department.id;
  expect(await Promise.all([day(60), day(30), day(10), day(0)].map(departmentOn))).toEqual(Array(4).fill(buying.id));
});

test('a move changes all permitted people and lists the others with the reason', async () => {
  const [ann, ben] = (await people(2)) as [MadeEmployee, MadeEmployee];
  const there = await make.employee({ department_id: selling.id });
  const foreign = await make.employee({ department_id: stores.id });
  const admin = await make.employee({ department_id: buying.id, roles: ['Admin'] });
  const ids = [ann.id, there.id, foreign.id, 987_654, admin.id, ben.id, ann.id];
  const { rows, counts, batch_id } = await dryThenReal(northHr, { kind: 'move', ids, department_id: selling.id });
  expect(counts).toEqual({ total: 6, changed: 2, unchanged: 1, refused: 3 });
  expect(rows.map(({ id, outcome, errors }) => [id, outcome, errors])).toEqual([
    [ann.id, 'changed', {}],
    [there.id, 'unchanged', {}],
    [foreign.id, 'refused', { id: ['Not found.'] }],
    [987_654, 'refused', { id: ['Not found.'] }],
    [admin.id, 'refused', { id: ['You don’t have permission to do this.'] }],
    [ben.id, 'changed', {}],
  ]);
  expect({ ...rows[2], id: 0 }).toEqual({ ...rows[3], id: 0 });
  expect(rows[0]).toMatchObject({
    before: { entity: { name: 'North' }, department: { name: 'Buying' } },
    after: { entity: { name: 'North' }, department: { name: 'Selling' } },
  });
  const { rows: moved } = await owner.query(
    `select a.subject_id::int, a.changes from audit_log a where a.request_id = $1 order by a.subject_id`,
    [batch_id],
  );
  const changes = { department_id: { from: buying.id, to: selling.id } };
  const both = [ann, ben].toSorted((a, b) => a.id - b.id);
  expect(moved).toEqual(both.map(({ id }) => ({ subject_id: id, changes })));
  const history = await owner.query(
    `select employee_id::int, changed_fields from job_history where status = 'current' and employee_id = any($1) order by 1`,
    [[ann.id, ben.id]],
  );
  expect(history.rows).toEqual(both.map(({ id }) => ({ employee_id: id, changed_fields: ['department_id'] })));
});

test('a move into another company changes the company, and both must lie in scope', async () => {
  const ids = idsOf(await people(2));
  const { rows } = await dryThenReal(northHr, { kind: 'move', ids, department_id: stores.id });
  expect(rows.map(({ outcome, errors }) => [outcome, errors])).toEqual(
    ids.map(() => ['refused', { department_id: ['This department isn’t available. Select another one.'] }]),
  );
  const unknown = await bulk(northHr, { kind: 'move', ids, department_id: 987_654 });
  expect(unknown.rows.map(({ errors }) => errors)).toEqual(rows.map(({ errors }) => errors));
  expect(await dryThenReal(hr, { kind: 'move', ids, department_id: stores.id })).toMatchObject({
    rows: ids.map(() => ({ outcome: 'changed', after: { entity: { name: 'South' }, department: { name: 'Stores' } } })),
  });
});

test('an inactive department accepts no person', async () => {
  const ids = idsOf(await people(2));
  const { counts } = await dryThenReal(hr, { kind: 'move', ids, department_id: closed.id });
  expect(counts).toMatchObject({ refused: 2 });
});

test('each row has the message of the single change, or says that a permission is missing', async () => {
  const manager = await make.employee({ department_id: buying.id });
  const below = await make.employee({ department_id: buying.id, reporting_manager_id: manager.id });
  const ended = await make.employee({ department_id: buying.id, deleted_at: '2026-01-01T00:00:00.000Z' });
  const plain = await make.employee({ department_id: buying.id });
  const ids = [manager.id, below.id, ended.id, hrPerson.id, plain.id];
  const { rows } = await bulk(hr, { kind: 'manager', ids, reporting_manager_id: below.id, dry_run: true });
  for (const row of rows) {
    const single = await hr.put(`/api/employees/${row.id}`, { reporting_manager_id: below.id });
    const refusal = single.status === 403 ? 'You don’t have permission to do this.' : single.body.message;
    const said = single.status === 200 ? {} : (single.body.errors ?? { id: [refusal] });
    expect([row.id, row.errors]).toEqual([row.id, said]);
  }
  expect(outcomes({ rows }).map(([, outcome]) => outcome)).toEqual([
    'refused',
    'refused',
    'refused',
    'refused',
    'changed',
  ]);
});

test('no superior of the new manager becomes a report, whatever the order of the batch', async () => {
  const top = await make.employee({ department_id: buying.id });
  const middle = await make.employee({ department_id: buying.id, reporting_manager_id: top.id });
  const low = await make.employee({ department_id: buying.id, reporting_manager_id: middle.id });
  const other = await make.employee({ department_id: buying.id });
  const ids = [top.id, middle.id, low.id, other.id];
  for (const order of [ids, ids.toReversed()]) {
    const result = await bulk(hr, { kind: 'manager', ids: order, reporting_manager_id: low.id, dry_run: true });
    expect(new Map(outcomes(result) as [number, string][])).toEqual(
      new Map([
        [top.id, 'refused'],
        [middle.id, 'refused'],
        [low.id, 'refused'],
        [other.id, 'changed'],
      ]),
    );
  }
  const cleared = await dryThenReal(hr, { kind: 'manager', ids, reporting_manager_id: null });
  expect(outcomes(cleared).map(([, outcome]) => outcome)).toEqual(['unchanged', 'changed', 'changed', 'unchanged']);
  expect(cleared.rows[1]).toMatchObject({
    before: { reporting_manager: { id: top.id } },
    after: { reporting_manager: null },
  });
});

test('a change from a later day is scheduled, except for unchanged values', async () => {
  const [ann, ben] = (await people(2)) as [MadeEmployee, MadeEmployee];
  const body = {
    kind: 'move',
    department_id: selling.id,
    effective_from: '2099-01-01',
    reason: 'New plan of the year',
  };
  await bulk(hr, { ...body, ids: [ben.id] });
  const { rows } = await dryThenReal(hr, { ...body, ids: [ann.id, ben.id, hrPerson.id] });
  expect(rows.map(({ outcome, after, errors }) => [outcome, after, errors])).toEqual([
    [
      'changed',
      {
        entity: { id: north.id, name: 'North' },
        department: { id: selling.id, name: 'Selling' },
        effective_from: '2099-01-01',
      },
      {},
    ],
    ['unchanged', expect.anything(), {}],
    ['refused', null, { id: ['You don’t have permission to do this.'] }],
  ]);
  const { rows: scheduled } = await owner.query(
    `select employee_id::int, reason, department_id::int from job_history where status = 'scheduled' and employee_id = any($1)`,
    [[ann.id, ben.id]],
  );
  expect(scheduled).toHaveLength(2);
  expect(scheduled).toContainEqual({ employee_id: ann.id, reason: body.reason, department_id: selling.id });
  const { body: now } = await hr.get(`/api/employees/${ann.id}`);
  expect(now.data.department.name).toBe('Buying');
});

test('a team is deactivated together with its manager, lowest first; other duties need a successor', async () => {
  const boss = await make.employee({ department_id: buying.id });
  const team = await people(2, { reporting_manager_id: boss.id });
  const head = await make.employee({ department_id: buying.id });
  await deps.db.updateTable('departments').set({ manager_id: head.id }).where('id', '=', buying.id).execute();
  const reason = 'The site is closed for good';
  const ids = [boss.id, head.id, ...idsOf(team), hrPerson.id];
  const first = await dryThenReal(hr, { kind: 'deactivate', ids, reason });
  expect(outcomes(first)).toEqual([
    [boss.id, 'changed'],
    [head.id, 'refused'],
    ...team.map(({ id }) => [id, 'changed']),
    [hrPerson.id, 'refused'],
  ]);
  expect(first.rows[1]?.errors).toEqual({ status: ['Someone else must take these over first: 1 department.'] });
  const successor = await make.employee({ department_id: buying.id });
  const second = await dryThenReal(hr, {
    kind: 'deactivate',
    ids: [head.id, boss.id],
    reason,
    reassign_to: successor.id,
  });
  expect(outcomes(second)).toEqual([
    [head.id, 'changed'],
    [boss.id, 'refused'],
  ]);
  const { rows } = await owner.query('select manager_id::int from departments where id = $1', [buying.id]);
  expect(rows).toEqual([{ manager_id: successor.id }]);
  const back = await dryThenReal(hr, {
    kind: 'reactivate',
    ids: [boss.id, successor.id],
    reason: 'It opens again after all',
  });
  expect(back.rows.map(({ outcome, errors }) => [outcome, errors])).toEqual([
    ['changed', {}],
    ['refused', { status: ['This person is already active.'] }],
  ]);
});

test('people whose display name is taken by now are not reactivated, the others are', async () => {
  const made = [];
  for (const display_name of ['Skipper', 'Bosun', 'skipper'])
    made.push(await make.employee({ department_id: buying.id, display_name, activity_status: 'inactive' }));
  const [away, other, third] = made as [MadeEmployee, MadeEmployee, MadeEmployee];
  const successor = await make.employee({ department_id: buying.id, display_name: 'SKIPPER' });
  const ids = idsOf([away, other, third]);
  const taken = ['refused', { display_name: ['The display name has already been taken.'] }];
  const first = await dryThenReal(northHr, { kind: 'reactivate', ids, reason: 'Back from a long leave' });
  expect(first.rows.map(({ outcome, errors }) => [outcome, errors])).toEqual([taken, ['changed', {}], taken]);
  // of two people with the same display name, only the first is reactivated
  const freed = await northHr.put(`/api/employees/${successor.id}`, { display_name: null });
  expect(freed.status).toBe(200);
  const next = await dryThenReal(northHr, { kind: 'reactivate', ids: idsOf([away, third]), reason: 'Back from leave' });
  expect(next.rows.map(({ outcome, errors }) => [outcome, errors])).toEqual([['changed', {}], taken]);
});

test('sessions of deactivated people end, those of refused people stay', async () => {
  const [gone, kept] = [await make.employee(), await make.employee({ roles: ['Admin'] })];
  const [one, other] = [await as(gone.user_id), await as(kept.user_id)];
  const { rows } = await bulk(hr, { kind: 'deactivate', ids: [gone.id, kept.id], reason: 'Long leave of both' });
  expect(rows.map(({ outcome }) => outcome)).toEqual(['changed', 'refused']);
  expect([(await one.get('/api/me')).status, (await other.get('/api/me')).status]).toEqual([401, 200]);
});

test('a row changed since it was read is refused, the others are changed', async () => {
  const [ann, ben] = (await people(2)) as [MadeEmployee, MadeEmployee];
  const dry = await bulk(hr, { kind: 'move', ids: [ann.id, ben.id], department_id: selling.id, dry_run: true });
  const revisions = dry.rows.map(({ id, revision }) => ({ id, revision }));
  await hr.put(`/api/employees/${ann.id}`, { grade: 'T2' });
  const real = await bulk(hr, { kind: 'move', ids: [ann.id, ben.id], department_id: selling.id, revisions });
  expect(real.rows.map(({ outcome, revision }) => [outcome, revision])).toEqual([
    ['refused', 2],
    ['changed', 2],
  ]);
  expect(Object.keys(real.rows[0]?.errors ?? {})).toEqual(['status']);
});

test('two concurrent batches with the same people succeed, whatever their order', async () => {
  const ids = idsOf(await people(20));
  const boss = await make.employee({ department_id: buying.id });
  await Promise.all([
    bulk(hr, { kind: 'move', ids, department_id: selling.id }),
    bulk(hr, { kind: 'manager', ids: ids.toReversed(), reporting_manager_id: boss.id }),
  ]);
  const { rows } = await owner.query(
    `select department_id::int, reporting_manager_id::int, count(*)::int as people,
            sum((select count(*) from job_history h where h.employee_id = e.id and h.status = 'current'))::int as current
     from employees e where id = any($1) group by 1, 2`,
    [ids],
  );
  expect(rows).toEqual([{ department_id: selling.id, reporting_manager_id: boss.id, people: 20, current: 20 }]);
});

test('a repeated Idempotency-Key changes nothing', async () => {
  const ids = idsOf(await people(2));
  const body = { kind: 'move', ids, department_id: selling.id };
  const key = { 'idempotency-key': 'bulk-1' };
  const first = await bulk(hr, body, key);
  const after = await traces();
  const again = await hr.post('/api/employees/bulk', body, key);
  expect([again.body.data, again.headers['idempotent-replayed']]).toEqual([first, 'true']);
  expect(await traces()).toEqual(after);
});

test('a filter selects people for a dry run, and the real run takes its list', async () => {
  const place = await make.department({ entity_id: north.id, name: 'Filtered' });
  const members = await people(3, { department_id: place.id });
  const [first, ...others] = idsOf(members);
  const body = { kind: 'move', department_id: selling.id };
  const filter = { department_id: place.id };
  const dry = await bulk(northHr, { ...body, filter, except_ids: [first], dry_run: true });
  expect(dry.rows.map(({ id }) => id).sort((a, b) => a - b)).toEqual(others.sort((a, b) => a - b));
  expect((await northHr.post('/api/employees/bulk', { ...body, filter })).body.errors).toEqual({
    filter: ['The filter field is prohibited.'],
  });
  const real = await bulk(northHr, { ...body, ids: dry.rows.map(({ id }) => id) });
  expect(real.counts).toMatchObject({ changed: 2 });
  const strange = await northHr.post('/api/employees/bulk', { ...body, filter: { nonsense: 1 }, dry_run: true });
  expect([strange.status, Object.keys(strange.body.errors)]).toEqual([422, ['filter']]);
});

test.each([
  [{ kind: 'move', ids: [1] }, ['department_id']],
  [{ kind: 'manager', ids: [1] }, ['reporting_manager_id']],
  [{ kind: 'deactivate', ids: [1] }, ['reason']],
  [{ kind: 'deactivate', ids: [1], reason: 'short' }, ['reason']],
  [{ kind: 'deactivate', ids: [7], reason: 'Long enough to count', reassign_to: 7 }, ['reassign_to']],
  [{ kind: 'reactivate', ids: [1], reason: 'Long enough to count', effective_from: '2099-01-01' }, ['effective_from']],
  [{ kind: 'move', department_id: 1 }, ['ids']],
  [{ kind: 'move', department_id: 1, ids: Array.from({ length: 501 }, (_one, n) => n + 1) }, ['ids']],
  [{ kind: 'promote', ids: [1] }, ['kind']],
])('%j is refused on %j', async (body, fields) => {
  const before = await traces();
  const answer = await hr.post('/api/employees/bulk', body);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, fields]);
  expect(await traces()).toEqual(before);
});

test('a move sets the new manager in the same step, today or from a day on, and says which changes it planned', async () => {
  const boss = await make.employee({ department_id: selling.id });
  const [ann, ben] = (await people(2)) as [MadeEmployee, MadeEmployee];
  const body = { kind: 'move', department_id: selling.id, reporting_manager_id: boss.id };
  const { rows } = await dryThenReal(northHr, { ...body, ids: [ann.id] });
  expect(rows[0]).toMatchObject({
    outcome: 'changed',
    before: { department: { name: 'Buying' }, reporting_manager: null },
    after: { department: { name: 'Selling' }, reporting_manager: { id: boss.id } },
  });
  const stored = (id: number) =>
    owner.query('select department_id::int, reporting_manager_id::int from employees where id = $1', [id]);
  expect((await stored(ann.id)).rows).toEqual([{ department_id: selling.id, reporting_manager_id: boss.id }]);

  const later = { ...body, ids: [ben.id], effective_from: '2099-01-01' };
  const dry = await northHr.post('/api/employees/bulk', { ...later, dry_run: true });
  expect(dry.body.data.planned_ids).toEqual([]);
  const real = await northHr.post('/api/employees/bulk', later);
  const { rows: planned } = await owner.query(
    "select id::int, changed_fields from job_history where employee_id = $1 and status = 'scheduled'",
    [ben.id],
  );
  expect(planned).toEqual([
    { id: real.body.data.planned_ids[0], changed_fields: ['department_id', 'reporting_manager_id'] },
  ]);
});

test('a move warns of people who leave the department that they head', async () => {
  const [head, other] = (await people(2)) as [MadeEmployee, MadeEmployee];
  const headed = await make.department({ entity_id: north.id, name: 'Headed', manager_id: head.id });
  await owner.query('update employees set department_id = $1 where id = any($2)', [headed.id, [head.id, other.id]]);
  const body = { kind: 'move', department_id: selling.id, ids: [head.id, other.id], dry_run: true };
  const warned = [[expect.stringContaining('is the head of Headed and is moving to another department.')], []];
  for (const day of [{}, { effective_from: '2099-01-01' }]) {
    const { rows } = await bulk(northHr, { ...body, ...day });
    expect(rows.map(({ warnings }) => warnings)).toEqual(warned);
  }
  const { rows } = await bulk(northHr, { ...body, department_id: headed.id });
  expect(rows.map(({ warnings }) => warnings)).toEqual([[], []]);
});

test('each kind needs its own permission', async () => {
  const role = await deps.db
    .insertInto('roles')
    .values({ name: 'Mover', scope: 'all' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const permissions = ['employees.view', 'employees.update'].map((permission) => ({ role_id: role.id, permission }));
  await deps.db.insertInto('role_permissions').values(permissions).execute();
  const mover = await make.employee({ roles: ['Mover' as 'HR'] });
  const client = await as(mover.user_id);
  const ids = idsOf(await people(1));
  expect((await bulk(client, { kind: 'move', ids, department_id: selling.id, dry_run: true })).counts).toMatchObject({
    changed: 1,
  });
  const before = await traces();
  const refused = await client.post('/api/employees/bulk', { kind: 'deactivate', ids, reason: 'Not mine to do this' });
  expect(refused.status).toBe(403);
  expect(await traces()).toEqual(before);
  const employee = await as((await make.employee()).user_id);
  expect((await employee.post('/api/employees/bulk', { kind: 'move', ids, department_id: selling.id })).status).toBe(
    403,
  );
});
