import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';

/** A repeat with an Idempotency-Key is checked like a new request: by what its sender can do and see now. */

const { as, make, owner } = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const [office, plant] = [
  await make.department({ entity_id: north.id }),
  await make.department({ entity_id: south.id }),
];
const admin = await as((await make.employee({ roles: ['Admin'] })).user_id);
let serial = 0;

type Sent = { url: string; body: unknown };

/** A person with a role of their own that has the permissions of HR. */
async function hrOfOwnRole(entityId: number | null = null) {
  const name = `Own HR ${(serial += 1)}`;
  const { rows } = await owner.query<{ id: number }>(
    `insert into roles (name, scope) values ($1, 'all') returning id`,
    [name],
  );
  const role = rows[0]?.id as number;
  await owner.query(
    `insert into role_permissions (role_id, permission)
     select $1, p.permission from role_permissions p join roles r on r.id = p.role_id where r.name = 'HR'`,
    [role],
  );
  const person = await make.employee({ department_id: office.id });
  await owner.query('insert into role_assignments (user_id, role_id, entity_ids) values ($1, $2, $3)', [
    person.user_id,
    role,
    entityId === null ? null : [entityId],
  ]);
  const client = await as(person.user_id);
  const take = (...permissions: string[]) =>
    owner.query('delete from role_permissions where role_id = $1 and permission = any($2)', [role, permissions]);
  return { client, take, role, person };
}

function repeats(client: Client, { url, body }: Sent) {
  const key = `replay-${(serial += 1)}`;
  return () => client.post(url, body, { 'idempotency-key': key });
}

const newPerson = () => ({
  url: '/api/employees',
  body: {
    first_name: 'Ada',
    last_name: 'Quill',
    email: `ada.quill${(serial += 1)}@example.com`,
    employee_number: `Q-${serial}`,
    entity_id: north.id,
    department_id: office.id,
    personal_email: 'hidden.quill@example.org',
    bank: { bank_name: 'Quill & Sons' },
    grade: 'Q9',
  },
});
const deactivation = { reason: 'Away for a while.' };

test('the repeat shows the record as it is read now, without private details once the right to them is gone', async () => {
  const { client, take } = await hrOfOwnRole();
  const send = repeats(client, newPerson());
  const first = await send();
  expect([first.status, first.body.data.personal_email]).toEqual([201, 'hidden.quill@example.org']);
  const same = await send();
  expect([same.status, same.headers['idempotent-replayed']]).toEqual([201, 'true']);
  const { data } = (await client.get(`/api/employees/${first.body.data.id}`)).body;
  expect(same.body).toEqual({ data, message: first.body.message });
  await take('employees.view_sensitive');
  const repeat = await send();
  expect([repeat.status, repeat.headers['idempotent-replayed']]).toEqual([201, 'true']);
  expect(repeat.bytes.toString()).not.toMatch(/hidden\.quill|Quill & Sons/);
  expect(repeat.body).toMatchObject({ message: first.body.message, data: { id: first.body.data.id, grade: 'Q9' } });
});

test('so they are after a step on a record, and nothing private is kept with the key', async () => {
  const { client, take } = await hrOfOwnRole();
  const { data } = (await client.post('/api/employees', newPerson().body)).body;
  const send = repeats(client, { url: `/api/employees/${data.id}/deactivate`, body: deactivation });
  expect((await send()).body.data.private_details).toBe('on_request');
  await take('employees.view_sensitive');
  const repeat = await send();
  expect([repeat.status, repeat.body.data.activity_status]).toEqual([200, 'inactive']);
  expect(repeat.bytes.toString()).not.toMatch(/hidden\.quill|private_details/);
  const kept = await owner.query<{ text: string }>(`select string_agg(body, '') as text from idempotency_keys`);
  expect(kept.rows[0]?.text).not.toMatch(/hidden\.quill|Quill & Sons|Q9/);
});

test('a record that left the scope is 404, and so is one that is gone', async () => {
  const { client } = await hrOfOwnRole(north.id);
  const [created, person] = [repeats(client, newPerson()), await make.employee({ department_id: office.id })];
  const step = repeats(client, { url: `/api/employees/${person.id}/deactivate`, body: deactivation });
  const { id } = (await created()).body.data as { id: number };
  expect((await step()).status).toBe(200);
  await owner.query('update employees set department_id = $1, entity_id = $2 where id = any($3)', [
    plant.id,
    south.id,
    [id, person.id],
  ]);
  expect([(await created()).status, (await step()).status]).toEqual([404, 404]);
  await owner.query('update employees set deleted_at = now(), department_id = $1, entity_id = $2 where id = $3', [
    office.id,
    north.id,
    id,
  ]);
  expect((await created()).status).toBe(404);
});

test('a record that belongs to an administrator by now is 403, and so is all without the permission', async () => {
  const { client, take } = await hrOfOwnRole();
  const person = await make.employee({ department_id: office.id });
  const send = repeats(client, { url: `/api/employees/${person.id}/deactivate`, body: deactivation });
  expect((await send()).status).toBe(200);
  await owner.query(`insert into role_assignments (user_id, role_id) select $1, id from roles where name = 'Admin'`, [
    person.user_id,
  ]);
  expect((await send()).status).toBe(403);
  const create = repeats(client, newPerson());
  expect((await create()).status).toBe(201);
  await take('employees.create');
  expect((await create()).status).toBe(403);
});

test('an answer that no read can give again is given again as long as its sender sees as much, and then refused', async () => {
  const { client, take } = await hrOfOwnRole();
  const person = await make.employee({ department_id: office.id, first_name: 'Bulkquill' });
  const body = { kind: 'move', ids: [person.id], department_id: office.id, dry_run: true };
  const send = repeats(client, { url: '/api/employees/bulk', body });
  const first = await send();
  expect([first.status, first.bytes.toString()]).toEqual([200, expect.stringContaining('Bulkquill')]);
  // a change for other users makes no difference
  await owner.query('update installation set structure_version = structure_version + 1');
  expect([(await send()).bytes.toString()]).toEqual([first.bytes.toString()]);
  await take('employees.view_sensitive');
  const repeat = await send();
  expect([repeat.status, repeat.body.errors]).toEqual([
    422,
    { idempotency_key: ['The idempotency key has already been used.'] },
  ]);
});

test('a change of the job is answered again although it moved the person, no more once the person has gone on', async () => {
  const { client } = await hrOfOwnRole();
  const person = await make.employee({ department_id: office.id });
  const other = await make.department({ entity_id: north.id });
  const today = Temporal.Now.plainDateISO('UTC').toString();
  const body = { effective_from: today, department_id: other.id, reason: 'Reorganised.' };
  const send = repeats(client, { url: `/api/employees/${person.id}/job-history`, body });
  const first = await send();
  expect(first.status).toBe(201);
  expect((await send()).bytes).toEqual(first.bytes);
  expect((await admin.put(`/api/employees/${person.id}`, { department_id: office.id })).status).toBe(200);
  expect((await send()).status).toBe(422);
});
