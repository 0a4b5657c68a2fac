import type { Consequences } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from './testing/app.ts';
import type { Client } from './testing/client.ts';

const { as, make, deps, owner } = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });

const [north, south, empty] = [await make.entity(), await make.entity(), await make.entity()];
const buying = await make.department({ entity_id: north.id, name: 'Buying' });
const team = await make.department({ entity_id: north.id, name: 'Team', parent_id: buying.id });
const stores = await make.department({ entity_id: south.id });
const unused = await make.department({ entity_id: north.id });
const hrPerson = await make.employee({ department_id: stores.id, roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const northHr = await as(
  (await make.employee({ department_id: team.id, roles: [{ role: 'HR', entity_ids: [north.id] }] })).user_id,
);
const boss = await make.employee({ department_id: buying.id, last_name: 'Boss' });
const report = await make.employee({ department_id: buying.id, last_name: 'Report', reporting_manager_id: boss.id });
await make.employee({ department_id: buying.id, reporting_manager_id: boss.id, activity_status: 'inactive' });
await deps.db.updateTable('departments').set({ manager_id: boss.id }).where('id', '=', buying.id).execute();

async function of(client: Client, path: string): Promise<Consequences> {
  const { status, body } = await client.get(`/api${path}/consequences`);
  expect([path, status]).toEqual([path, 200]);
  return body.data;
}
const counts = ({ items }: Consequences) => Object.fromEntries(items.map(({ kind, count }) => [kind, count]));
const reason = 'The site is closed for good';

test('what is in the way of a department is what its delete and its deactivation say', async () => {
  const found = await of(northHr, `/departments/${buying.id}`);
  expect(counts(found)).toEqual({ people: 3, active_people: 2, departments: 1 });
  expect(found.items.find(({ kind }) => kind === 'active_people')).toMatchObject({
    text: '2 active people',
    examples: [
      { id: boss.id, name: expect.stringContaining('Boss') },
      { id: report.id, name: expect.stringContaining('Report') },
    ],
    blocks: ['deactivate'],
  });
  expect(found.delete).toEqual({ possible: false, message: 'There are still 3 people and 1 department.' });
  expect(found.deactivate).toEqual({ possible: false, message: 'There are still 2 active people.' });
  expect((await northHr.delete(`/api/departments/${buying.id}`)).status).toBe(422);
  expect((await northHr.put(`/api/departments/${buying.id}`, { status: 'inactive' })).status).toBe(422);
});

test('where nothing is in the way, the step succeeds', async () => {
  const free = await of(northHr, `/departments/${unused.id}`);
  expect(free).toEqual({
    delete: { possible: true, message: null },
    deactivate: { possible: true, message: null },
    items: [],
  });
  expect((await northHr.put(`/api/departments/${unused.id}`, { status: 'inactive' })).status).toBe(200);
  expect((await of(northHr, `/departments/${unused.id}`)).deactivate.possible).toBe(false);
  expect((await northHr.delete(`/api/departments/${unused.id}`)).status).toBe(204);
  expect((await of(hr, `/entities/${empty.id}`)).delete.possible).toBe(true);
  expect((await hr.delete(`/api/entities/${empty.id}`)).status).toBe(204);
});

test('of a company it tells departments, people, and what would lose its place', async () => {
  await owner.query(
    `insert into imports (type, status, file_name, file_size, file_hash, format, dry_run, mode, on_conflict, date_format,
                          defaults, create_departments, columns, created_by, created_by_name)
     values ('employees', 'preview', 'x.csv', 1, 'x', 'csv', true, 'partial', 'fail', 'YYYY-MM-DD',
             jsonb_build_object('entity_id', $1::bigint), false, '[]', $2, 'x')`,
    [north.id, hrPerson.user_id],
  );
  const found = await of(hr, `/entities/${north.id}`);
  expect(counts(found)).toEqual({ departments: 2, people: 4, active_people: 3, pending_imports: 1, limited_roles: 1 });
  expect([found.delete.possible, found.deactivate.possible]).toEqual([false, true]);
  expect((await of(northHr, `/entities/${north.id}`)).delete).toEqual({
    possible: false,
    message: 'This action is unauthorized.',
  });
});

test('of a person it tells what must be handed over, as the refusals do', async () => {
  const found = await of(northHr, `/employees/${boss.id}`);
  expect(counts(found)).toEqual({ departments_managed: 1, direct_reports: 1, inactive_reports: 1 });
  expect(found.items[0]).toMatchObject({
    examples: [{ id: buying.id, name: 'Buying' }],
    blocks: ['delete', 'deactivate'],
  });
  expect([found.delete.possible, found.deactivate.possible]).toEqual([false, false]);
  const refused = await northHr.post(`/api/employees/${boss.id}/deactivate`, { reason });
  expect([refused.status, refused.body.message]).toEqual([
    422,
    'Someone else must take these over first: 1 department and 1 direct report.',
  ]);
  const plain = await of(northHr, `/employees/${report.id}`);
  expect([plain.delete.possible, plain.deactivate.possible]).toEqual([true, true]);
  expect((await northHr.post(`/api/employees/${report.id}/deactivate`, { reason })).status).toBe(200);
  expect((await of(northHr, `/employees/${report.id}`)).deactivate.message).toBe('This person is already inactive.');
});

test("the own record, an administrator's and the last administrator's have different refusals", async () => {
  expect((await of(hr, `/employees/${hrPerson.id}`)).delete.message).toBe('This action is unauthorized.');
  const last = await make.employee({ department_id: stores.id, roles: ['Admin'] });
  expect((await of(hr, `/employees/${last.id}`)).deactivate.message).toBe('This action is unauthorized.');
  const other = await make.employee({ department_id: stores.id, roles: ['Admin'] });
  expect((await of(await as(other.user_id), `/employees/${last.id}`)).deactivate.possible).toBe(true);
});

test('of a person who reaches further than the caller the same refusal is said as the step gives', async () => {
  const wide = await make.employee({ department_id: team.id, roles: ['HR'] });
  const found = await of(northHr, `/employees/${wide.id}`);
  const unauthorized = { possible: false, message: 'This action is unauthorized.' };
  expect([found.delete, found.deactivate]).toEqual([unauthorized, unauthorized]);
  expect((await northHr.post(`/api/employees/${wide.id}/deactivate`, { reason })).status).toBe(403);
  expect((await northHr.delete(`/api/employees/${wide.id}`)).status).toBe(403);
  expect((await of(hr, `/employees/${wide.id}`)).deactivate.possible).toBe(true);
});

test('only who may take the step sees what it would meet, and nothing outside of the scope', async () => {
  for (const path of [`/employees/${hrPerson.id}`, `/departments/${stores.id}`, `/entities/${south.id}`])
    expect((await northHr.get(`/api${path}/consequences`)).status).toBe(404);
  const manager = await as((await make.employee({ department_id: buying.id, roles: ['Manager'] })).user_id);
  for (const path of [`/employees/${boss.id}`, `/departments/${buying.id}`, `/entities/${north.id}`])
    expect((await manager.get(`/api${path}/consequences`)).status).toBe(403);
});

test('HR learns the number of files of another person, and of the own ones only of those that are shown', async () => {
  const keep = (employee_id: number, visibility: string) =>
    deps.db
      .insertInto('attachments')
      .values({
        employee_id,
        visibility,
        category: 'other',
        title: 'Paper',
        file_key: `key-${employee_id}-${visibility}`,
        file_name: 'paper.pdf',
        mime_type: 'application/pdf',
        size: 1,
        checksum: 'a'.repeat(64),
        uploaded_by_name: 'Another',
      })
      .execute();
  for (const visibility of ['hr_only', 'manager', 'employee', 'manager_employee'])
    await Promise.all([keep(hrPerson.id, visibility), keep(report.id, visibility)]);
  expect(counts(await of(hr, `/employees/${report.id}`)).attachments).toBe(4);
  expect(counts(await of(hr, `/employees/${hrPerson.id}`)).attachments).toBe(2);
});
