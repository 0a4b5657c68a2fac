import { permissionCatalogue } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';

/** The limits of roles name the companies and departments that the reader sees; the others have their ids only. */

const { as, make } = await startApp();
const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'Zorb Holding' })];
const buying = await make.department({ entity_id: north.id, name: 'Buying' });
const stores = await make.department({ entity_id: south.id, name: 'Zorb Stores' });
const ann = await make.employee({
  department_id: buying.id,
  roles: [
    'Employee',
    { role: 'Manager', entity_ids: [north.id, south.id] },
    { role: 'HR', department_ids: [buying.id, stores.id] },
  ],
});
const admin = await as((await make.admin()).user_id);
const northHr = await as(
  (await make.employee({ department_id: buying.id, roles: [{ role: 'HR', entity_ids: [north.id] }] })).user_id,
);

type Limits = { role: string | { name: string }; entities: unknown; departments?: unknown };
const limits = (all: readonly Limits[]) => all.map(({ entities, departments }) => ({ entities, departments }));
const data = async (client: Client, path: string) => {
  const { status, body } = await client.get(`/api${path}`);
  expect(status).toBe(200);
  return body.data;
};

const idOf = (name: string) => permissionCatalogue.find((one) => one.name === name)?.id;
const answers: Record<string, (client: Client) => Promise<Limits[]>> = {
  'the roles of a person': async (client) => (await data(client, `/employees/${ann.id}/roles`)).assignments,
  'the roles behind a permission of a person': async (client) =>
    (await data(client, `/employees/${ann.id}/roles`)).permissions.find(
      ({ name }: { name: string }) => name === 'employees.view',
    ).because,
  'the reasons for access': async (client) =>
    (await data(client, `/employees/${ann.id}/access?user_id=${ann.user_id}`)).answers.find(
      ({ action }: { action: string }) => action === 'view',
    ).because,
  'the holders of a permission': async (client) =>
    (await data(client, `/permissions/${idOf('employees.view')}/holders`)).find(
      ({ user_id }: { user_id: number }) => user_id === ann.user_id,
    ).because,
};

/** The limits of the roles Employee, HR and Manager, with the names of the places in South as the reader sees them. */
const expected = (company: string | null, department: string | null) => [
  { entities: null },
  {
    entities: [],
    departments: [
      { id: buying.id, name: 'Buying' },
      { id: stores.id, name: department },
    ],
  },
  {
    entities: [
      { id: north.id, name: 'North' },
      { id: south.id, name: company },
    ],
  },
];

for (const [title, read] of Object.entries(answers))
  test(`${title} name the companies and departments of limits as far as the reader sees them`, async () => {
    const rows = await read(admin);
    // the role for managed people does not reach its own holder
    const covering = rows.length === 2 ? 2 : 3;
    expect(limits(rows)).toEqual(expected('Zorb Holding', 'Zorb Stores').slice(0, covering));
    const seen = await read(northHr);
    expect(limits(seen)).toEqual(expected(null, null).slice(0, covering));
    expect(JSON.stringify(seen)).not.toContain('Zorb');
  });

test('HR of a department names its company and the department', async () => {
  const roles = [{ role: 'HR', department_ids: [buying.id] }];
  const limited = await make.employee({ department_id: buying.id, roles });
  const client = await as(limited.user_id);
  for (const read of Object.values(answers)) {
    const seen = await read(client);
    expect(limits(seen)).toEqual(expected(null, null).slice(0, seen.length));
  }
});

test('roles whose limits have no names can be sent back unchanged', async () => {
  const { assignments } = await data(northHr, `/employees/${ann.id}/roles`);
  const places = (all: { id: number }[] | null | undefined) => all?.map(({ id }) => id) ?? null;
  const sent = (assignments as { role_id: number; entities: { id: number }[]; departments?: { id: number }[] }[]).map(
    ({ role_id, entities, departments }) => ({
      role_id,
      entity_ids: places(entities),
      ...(departments && { department_ids: places(departments) }),
    }),
  );
  const { status } = await northHr.put(`/api/employees/${ann.id}/roles`, { assignments: sent });
  expect(status).toBe(200);
  expect((await data(northHr, `/employees/${ann.id}/roles`)).assignments).toEqual(assignments);
});
