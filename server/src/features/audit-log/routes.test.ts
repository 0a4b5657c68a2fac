import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { chainAll } from '../../testing/chain-all.ts';

const { as, make, deps, owner } = await startApp();
const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const hr = await make.employee({ roles: ['HR'], entity_id: north.id });
const limited = await make.employee({ roles: [{ role: 'HR', entity_ids: [north.id] }], entity_id: north.id });
const manager = await make.employee({ roles: ['Manager'], entity_id: north.id });
const client = await as(hr.user_id);
const narrow = await as(limited.user_id);

type Fields = Partial<{
  at: string;
  actor_id: number | null;
  actor_name: string;
  action: string;
  subject_type: string;
  subject_id: number | null;
  subject_label: string | null;
  entity_id: number | null;
  changes: string;
  reason: string | null;
  request_id: string | null;
  ip: string | null;
}>;

async function entry(fields: Fields = {}): Promise<number> {
  const values = { actor_name: 'System', action: 'employee.updated', subject_type: 'employee', ...fields };
  return (await deps.db.insertInto('audit_log').values(values).returning('id').executeTakeFirstOrThrow()).id;
}

const ids = {
  oldest: await entry({
    at: '2026-03-01T00:00:00.000Z',
    actor_id: hr.user_id,
    actor_name: 'Hana Ito',
    subject_id: 57,
    subject_label: 'Léna Park',
    entity_id: north.id,
    changes: JSON.stringify({ job_title: { from: null, to: '=Buyer' } }),
    reason: '=1+1',
    request_id: 'req-1',
    ip: '10.0.0.1',
  }),
  second: await entry({
    at: '2026-03-01T23:59:59.999Z',
    subject_id: 58,
    subject_label: 'Jon Reed',
    entity_id: north.id,
  }),
  third: await entry({
    at: '2026-03-02T00:00:00.000Z',
    action: 'department.created',
    subject_type: 'department',
    subject_id: 57,
    subject_label: 'Purchasing',
    entity_id: south.id,
    actor_id: manager.user_id,
    actor_name: 'Omar Diaz',
    request_id: 'req-2',
  }),
  fourth: await entry({
    at: '2026-04-05T10:00:00.000Z',
    action: 'export.created',
    subject_type: 'export',
    subject_label: 'employees',
  }),
  latest: await entry({
    at: '2026-04-05T10:00:00.000Z',
    entity_id: north.id,
    subject_id: 57,
    subject_label: 'Lena Park',
  }),
};
const { oldest, second, third, fourth, latest } = ids;

type Row = { id: number };
const listed = async (query: string, who = client) => {
  const answer = await who.get(`/api/audit-log${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return (answer.body.data as Row[]).map(({ id }) => id);
};
const rows = (bytes: Buffer) => parse(bytes, { columns: true, bom: true }) as Record<string, string>[];
const traces = async () => (await owner.query('select count(*)::int as n from audit_log')).rows[0].n as number;

test('the log is listed with the latest entry first', async () => {
  const answer = await client.get('/api/audit-log');
  expect(answer.body.meta).toEqual({ current_page: 1, from: 1, last_page: 1, per_page: 15, to: 5, total: 5 });
  expect(answer.body.data.map(({ id }: Row) => id)).toEqual([latest, fourth, third, second, oldest]);
  expect(answer.body.data.at(-1)).toEqual({
    id: oldest,
    at: '2026-03-01T00:00:00.000Z',
    actor: { user_id: hr.user_id, name: 'Hana Ito' },
    action: 'employee.updated',
    subject_type: 'employee',
    subject_id: 57,
    subject_label: 'Léna Park',
    entity_id: north.id,
    changes: { job_title: { from: null, to: '=Buyer' } },
    labels: {},
    reason: '=1+1',
    request_id: 'req-1',
    token: null,
    ip: '10.0.0.1',
  });
  expect(answer.body.data[0].actor).toEqual({ user_id: null, name: 'System' });
});

test.each<[query: string, expected: number[]]>([
  [`?actor_id=${hr.user_id}`, [oldest]],
  [`?actor_id=${hr.user_id},0`, [latest, fourth, second, oldest]],
  [`?actor_employee_id=${hr.id},${manager.id}`, [third, oldest]],
  ['?actor_employee_id=999999', []],
  [`?actor_id=${hr.user_id},${manager.user_id}`, [third, oldest]],
  ['?action=export.created', [fourth]],
  ['?action=export.created, department.created', [fourth, third]],
  ['?subject_type=department,export', [fourth, third]],
  ['?subject_type=employee&subject_id=57', [latest, oldest]],
  ['?subject_id=57,58', [latest, third, second, oldest]],
  [`?entity_id=${south.id}`, [third]],
  ['?entity_id=999999', []],
  ['?request_id=req-1,req-2', [third, oldest]],
  ['?at_from=2026-03-02', [latest, fourth, third]],
  ['?at_to=2026-03-01', [second, oldest]],
  ['?at_from=2026-03-01&at_to=2026-03-01', [second, oldest]],
  ['?at_from=2026-03-01T23:59:59.999Z&at_to=2026-03-02T00:00:00Z', [third, second]],
  ['?at_to=2026-03-02T00:59:59.999%2B01:00', [second, oldest]],
  ['?at_from=2026-04-01&at_to=2026-03-01', []],
  ['?search=LENA+park', [latest, oldest]],
  ['?search=department', [third]],
  ['?search=park+created', []],
  ['?search=%25', []],
  ['?search=employee.upd', [latest, second, oldest]],
  ["?search='(Jon):*&reed!", [second]],
  ['?search=ark', []],
  ['?sort_direction=asc', [oldest, second, third, fourth, latest]],
  ['?sort_by=at&sort_direction=DESC&per_page=2&page=2', [third, second]],
  ['?sort_by=action', [third, latest, second, oldest, fourth]],
  ['?sort_by=action&sort_direction=desc', [fourth, latest, second, oldest, third]],
  ['?sort_by=subject_type&per_page=2', [third, latest]],
  ['?sort_by=subject_type&sort_direction=desc&per_page=2', [fourth, latest]],
  ['?page=9', []],
])('entries%s are found, in the list and in its export', async (query, expected) => {
  // exports add entries of their own later
  const url = query.includes('at_to') ? query : `${query}&at_to=2026-04-30`;
  expect(await listed(url)).toEqual(expected);
  if (query.includes('page=')) return;
  const found = await deps.db
    .selectFrom('audit_log')
    .select(['id', 'at'])
    .where('id', 'in', [0, ...expected])
    .execute();
  const files = rows((await client.get(`/api/audit-log/export${url}`)).bytes);
  expect(files.map(({ at }) => at)).toEqual(expected.map((id) => found.find((row) => row.id === id)?.at));
});

test.each([
  ['at_from=yesterday', 'at_from'],
  ['at_from=2026-02-30', 'at_from'],
  ['at_to=2026-03-01T25:00:00Z', 'at_to'],
  ['at_to=2026-03-01T10:00:00', 'at_to'],
  ['at_to=2026-03-01%2010:00', 'at_to'],
  ['actor_id=me', 'actor_id'],
  ['entity_id=1.5', 'entity_id'],
  ['sort_by=ip', 'sort_by'],
  ['sort_direction=up', 'sort_direction'],
  ['per_page=101', 'per_page'],
])('a list by %s is refused on %s', async (query, field) => {
  const answer = await client.get(`/api/audit-log?${query}`);
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.body.errors)).toEqual([field]);
});

test('HR of one company sees the entries of that company and none without a company', async () => {
  const here = [latest, second, oldest];
  expect(await listed('?at_to=2026-04-30', narrow)).toEqual(here);
  expect(await listed(`?entity_id=${south.id}`, narrow)).toEqual([]);
  expect((await narrow.get('/api/audit-log?at_to=2026-04-30')).body.meta.total).toBe(3);
  for (const id of Object.values(ids)) {
    expect((await client.get(`/api/audit-log/${id}`)).status).toBe(200);
    expect((await narrow.get(`/api/audit-log/${id}`)).status).toBe(here.includes(id) ? 200 : 404);
  }
  const files = rows((await narrow.get('/api/audit-log/export?at_to=2026-04-30')).bytes);
  expect(files.map(({ subject_label }) => subject_label)).toEqual(['Lena Park', 'Jon Reed', 'Léna Park']);
});

test('a single entry is read', async () => {
  const answer = await client.get(`/api/audit-log/${third}`);
  expect(answer.body).toMatchObject({
    data: { id: third, actor: { name: 'Omar Diaz' }, action: 'department.created', entity_id: south.id },
    message: 'Operation successful.',
  });
  expect((await client.get('/api/audit-log/999999')).status).toBe(404);
});

test('only holders of audit.view read the log', async () => {
  const employee = await make.employee({ entity_id: north.id });
  for (const url of ['/api/audit-log', '/api/audit-log/export', `/api/audit-log/${oldest}`, '/api/audit-log/999999']) {
    for (const person of [manager, employee]) expect((await (await as(person.user_id)).get(url)).status).toBe(403);
    expect((await (await as()).get(url)).status).toBe(401);
  }
});

test('the log cannot be written', async () => {
  const before = await traces();
  for (const method of ['PUT', 'DELETE'])
    expect((await client.send(method, `/api/audit-log/${oldest}`, { body: { reason: 'x' } })).status).toBe(405);
  expect((await client.post('/api/audit-log', { action: 'employee.updated' })).status).toBe(405);
  expect(await traces()).toBe(before);
});

test('an export has every column, escaped for spreadsheets, and is recorded itself', async () => {
  const before = await traces();
  const answer = await client.get('/api/audit-log/export?search=lena&at_to=2026-03-31');
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(answer.headers['content-disposition']).toMatch(/filename="audit-log-\d{8}-\d{4}\.csv"/);
  expect(rows(answer.bytes)).toEqual([
    {
      at: '2026-03-01T00:00:00.000Z',
      actor: 'Hana Ito',
      action: 'employee.updated',
      subject_type: 'employee',
      subject_id: '57',
      subject_label: 'Léna Park',
      changes: '{"job_title":{"from":null,"to":"=Buyer"}}',
      reason: "'=1+1",
      request_id: 'req-1',
      ip: '10.0.0.1',
    },
  ]);
  expect(await traces()).toBe(before + 1);
  const [trace] = (await client.get('/api/audit-log?action=export.created&per_page=1')).body.data;
  expect(trace).toMatchObject({
    actor: { user_id: hr.user_id },
    subject_label: 'audit-log',
    entity_id: null,
    changes: { rows: { to: 1 }, search: { to: 'lena' }, at_to: { to: '2026-03-31' } },
  });
});

test('an export accepts selected columns and XLSX, and refuses unknown columns', async () => {
  const chosen = await client.get('/api/audit-log/export?columns=actor,at&search=reed');
  expect(rows(chosen.bytes)).toEqual([{ at: '2026-03-01T23:59:59.999Z', actor: 'System' }]);
  const workbook = await client.get('/api/audit-log/export?format=xlsx&search=reed');
  expect(workbook.bytes.subarray(0, 2).toString()).toBe('PK');
  const before = await traces();
  const refused = await client.get('/api/audit-log/export?columns=at,password');
  expect([refused.status, refused.body.errors]).toEqual([422, { columns: ['The selected columns is invalid.'] }]);
  expect(await traces()).toBe(before);
});

test('a long export is read in batches that neither repeat nor lose an entry', async () => {
  await owner.query(`
    insert into audit_log (at, actor_name, action, subject_type, subject_label, entity_id)
    select '2025-01-01'::timestamptz + (n / 700) * interval '1 hour', 'System', 'bulk.' || (n % 2), 'bulk', n::text, ${south.id}
    from generate_series(1, 2500) as n`);
  for (const order of ['', '&sort_direction=asc', '&sort_by=action', '&sort_by=subject_type&sort_direction=desc']) {
    const files = rows((await client.get(`/api/audit-log/export?subject_type=bulk${order}`)).bytes);
    expect(new Set(files.map(({ subject_label }) => subject_label)).size).toBe(2_500);
    expect(files).toHaveLength(2_500);
    const asked = (await client.get(`/api/audit-log?subject_type=bulk&per_page=100&page=13${order}`)).body.data;
    expect(files.slice(1_200, 1_300).map(({ subject_label }) => subject_label)).toEqual(
      asked.map((row: { subject_label: string }) => row.subject_label),
    );
  }
});

test('a list takes one statement after the session, however long it is', async () => {
  let statements = 0;
  deps.pool.on('acquire', () => (statements += 1));
  const cost = async (query: string) => {
    statements = 0;
    const { body } = await client.get(`/api/audit-log?subject_type=bulk&${query}`);
    return [body.data.length, body.meta.total, statements];
  };
  await cost('');
  expect(await cost('per_page=1')).toEqual([1, 2_500, 2]);
  expect(await cost('per_page=100')).toEqual([100, 2_500, 2]);
  deps.pool.removeAllListeners('acquire');
});

test('the total of all entries is correct before, during and after chaining', async () => {
  const total = async () => (await client.get('/api/audit-log?per_page=1')).body.meta.total;
  const counted = async () => (await owner.query('select count(*)::int as count from audit_log')).rows[0].count;
  for (const most of [1, 2, 1_000]) {
    await owner.query('select chain_audit_log($1)', [most]);
    expect(await total()).toBe(await counted());
    await entry({ subject_label: `After ${most}` });
    expect(await total()).toBe(await counted());
  }
});

test('a feed has each entry once, in the order of the chain, within the scope of the reader', async () => {
  type Feed = { entries: { id: number; position: number; subject_label: string | null }[]; next: number };
  const feed = async (reader: typeof client, query: string) =>
    (await reader.get(`/api/audit-log/feed${query}`)).body.data as Feed;
  await chainAll({ deps, owner });
  const first = await feed(client, '?limit=2');
  expect(first.entries).toHaveLength(2);
  let after = first.next;
  for (let more = 1; more > 0;) {
    const { entries, next } = await feed(client, `?limit=500&after=${after}`);
    [after, more] = [next, entries.length];
  }
  const added = [
    await entry({ subject_label: 'here', entity_id: north.id }),
    await entry({ subject_label: 'there', entity_id: south.id }),
  ];
  await chainAll({ deps, owner });
  const all = await feed(client, `?after=${after}`);
  expect(all.entries.map(({ id, position }) => [id, position])).toEqual([
    [added[0], after + 1],
    [added[1], after + 2],
  ]);
  expect(all.next).toBe(after + 2);
  const limited = await feed(narrow, `?after=${after}`);
  expect(limited.entries.map(({ subject_label }) => subject_label)).toEqual(['here']);
  expect(limited.next).toBe(all.next);
  expect(await feed(client, `?after=${all.next}`)).toEqual({ entries: [], next: all.next });
  expect((await client.get('/api/audit-log/feed?after=-1')).status).toBe(422);
});
