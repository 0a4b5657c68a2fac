import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make } = await startApp();
const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const buying = await make.department({ entity_id: north.id });
const ann = await make.employee({ department_id: buying.id, roles: ['Manager', 'Employee'] });
const admin = await as((await make.admin()).user_id);
const hr = await as((await make.employee({ entity_id: south.id, roles: ['HR'] })).user_id);
const northHr = await as(
  (await make.employee({ department_id: buying.id, roles: [{ role: 'HR', entity_ids: [north.id] }] })).user_id,
);

type Row = { role: string; role_id: number; entities: { id: number }[] | null; removable: boolean };
type Held = { assignments: Row[]; assignable: Row[] };
const held = async (client: typeof hr) => (await client.get(`/api/employees/${ann.id}/roles`)).body.data as Held;
const named = (rows: readonly Row[]) => Object.fromEntries(rows.map((row) => [row.role, row.entities]));

test('an Admin can give every role, HR every one except Admin', async () => {
  const all = { Admin: null, Employee: null, HR: null, Manager: null, TeamLead: null };
  expect(named((await held(admin)).assignable)).toEqual(all);
  const { Admin: _admin, ...others } = all;
  expect(named((await held(hr)).assignable)).toEqual(others);
});

test('HR of one company gives roles within that company only, and cannot remove one with a larger scope', async () => {
  const { assignments, assignable } = await held(northHr);
  const limit = [{ id: north.id, name: 'North' }];
  expect(named(assignable)).toEqual({ Employee: null, HR: limit, Manager: limit, TeamLead: limit });
  expect(assignments.map(({ role, removable }) => [role, removable])).toEqual([
    ['Employee', true],
    ['Manager', false],
  ]);
});

test('an offered role can be given, and another one is refused', async () => {
  const { assignments, assignable } = await held(northHr);
  const keep = assignments.map(({ role_id }) => ({ role_id }));
  const lead = assignable.find(({ role }) => role === 'TeamLead');
  const give = (entity_ids: number[] | null) =>
    northHr.put(`/api/employees/${ann.id}/roles`, {
      assignments: [...keep, { role_id: lead?.role_id, entity_ids }],
    });
  expect((await give(null)).status).toBe(403);
  expect((await give([south.id])).status).toBe(403);
  expect((await held(northHr)).assignments).toEqual(assignments);
  expect((await give([north.id])).status).toBe(200);
});
