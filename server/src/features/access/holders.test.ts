import { permissionCatalogue } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make, deps } = await startApp();
const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const account = await make.admin();
const admin = await as(account.user_id);
const hrPerson = await make.employee({ roles: ['HR'], entity_id: south.id, first_name: 'Hana', last_name: 'Ito' });
const limitedPerson = await make.employee({
  roles: ['Employee', { role: 'HR', entity_ids: [north.id] }],
  entity_id: north.id,
  first_name: 'Noor',
  last_name: 'Aziz',
});
const boss = await make.employee({ roles: ['Manager'], entity_id: south.id, first_name: 'Omar', last_name: 'Diaz' });
const gone = await make.employee({ roles: ['HR'], entity_id: south.id, activity_status: 'inactive' });
await make.employee({ roles: ['HR'], activity_status: 'inactive', deleted_at: '2026-01-01T00:00:00Z' });
const [hr, limited] = [await as(hrPerson.user_id), await as(limitedPerson.user_id)];

const idOf = (name: string) => permissionCatalogue.find((one) => one.name === name)?.id ?? 0;
const holders = async (client: typeof hr, name: string, query = '') =>
  (await client.get(`/api/permissions/${idOf(name)}/holders?${query}`)).body;
type Row = { user_id: number };
const users = async (client: typeof hr, name: string, query = '') =>
  ((await holders(client, name, query)).data as Row[]).map(({ user_id }) => user_id);

test('holders of a permission are listed with the roles it comes from and their scope', async () => {
  const { data, meta } = await holders(admin, 'employees.view', 'search=noor');
  expect(meta.total).toBe(1);
  expect(data).toEqual([
    {
      user_id: limitedPerson.user_id,
      name: 'Noor Aziz',
      is_service: false,
      employee: { id: limitedPerson.id, employee_number: limitedPerson.employee_number, name: 'Noor Aziz' },
      entity: { id: north.id, name: 'North' },
      department: { id: limitedPerson.department_id, name: expect.any(String) },
      may_sign_in: true,
      because: [
        { role_id: expect.any(Number), role: 'Employee', scope: 'own', managed_depth: 'direct', entities: null },
        {
          role_id: expect.any(Number),
          role: 'HR',
          scope: 'all',
          managed_depth: 'direct',
          entities: [{ id: north.id, name: 'North' }],
        },
      ],
    },
  ]);
});

test('accounts without a person and of leavers are included, those of deleted people are not', async () => {
  const { data } = await holders(admin, 'audit.view');
  expect(data).toHaveLength(4);
  expect(data.find((row: Row) => row.user_id === account.user_id)).toMatchObject({
    employee: null,
    entity: null,
    may_sign_in: true,
  });
  expect(data.find((row: Row) => row.user_id === gone.user_id)).toMatchObject({ may_sign_in: false });
});

test('the list has filters, orders and pages', async () => {
  expect(await users(admin, 'audit.view', `entity_id=${north.id}`)).toEqual([limitedPerson.user_id]);
  const { id } = await deps.db.selectFrom('roles').select('id').where('name', '=', 'Manager').executeTakeFirstOrThrow();
  expect(await users(admin, 'departments.view', `role_id=${id}`)).toEqual([boss.user_id]);
  expect(await users(admin, 'rbac.manage')).toEqual([account.user_id]);
  const first = await holders(admin, 'audit.view', 'sort_by=entity_name&per_page=1');
  expect([first.meta.total, first.data[0].user_id]).toEqual([4, limitedPerson.user_id]);
  expect(await users(admin, 'audit.view', 'sort_by=entity_name&sort_direction=desc&per_page=1&page=4')).toEqual([
    account.user_id,
  ]);
});

test('HR of one company sees holders of its own people only', async () => {
  expect(await users(hr, 'audit.view')).toHaveLength(4);
  expect(await users(limited, 'audit.view')).toEqual([limitedPerson.user_id]);
  expect((await holders(limited, 'rbac.manage')).meta.total).toBe(0);
});

test('a user who neither manages nor assigns roles is refused, and an unknown permission is 404', async () => {
  const path = `/api/permissions/${idOf('audit.view')}/holders`;
  for (const person of [boss, await make.employee({ entity_id: south.id })])
    expect((await (await as(person.user_id)).get(path)).status).toBe(403);
  expect((await hr.get('/api/permissions/999/holders')).status).toBe(404);
});
