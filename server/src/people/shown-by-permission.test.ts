import { employeeFieldGroups, employeeRows, fieldsShownBy } from '@tenure/contract';
import type { Permission } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';

/** Holders of a permission see of another person what the role page says about it. */

const { as, deps, make } = await startApp();
const admin = await as((await make.admin()).user_id);
const other = await make.employee();

async function seenWith(permissions: Permission[], reveal = ''): Promise<string[]> {
  const name = `Reader ${permissions.length}${permissions.at(-1)}`.slice(0, 60);
  const role = await admin.post('/api/roles', { name, scope: 'all', permissions });
  const { user_id } = await make.employee({ roles: [] });
  await deps.db.insertInto('role_assignments').values({ user_id, role_id: role.body.data.id }).execute();
  const reader = await as(user_id);
  return Object.keys((await reader.get(`/api/employees/${other.id}${reveal}`)).body.data);
}

const named = (permission: Permission) => (fieldsShownBy[permission] ?? []).filter((name) => name in employeeRows);

test('viewing people shows the fields named for it, and no private ones', async () => {
  const seen = await seenWith(['employees.view']);
  expect(named('employees.view').filter((name) => !seen.includes(name))).toEqual([]);
  expect(named('employees.view_sensitive').filter((name) => seen.includes(name))).toEqual([]);
});

test('viewing private details shows the private fields', async () => {
  const seen = await seenWith(['employees.view', 'employees.view_sensitive'], '?reveal=private');
  expect(named('employees.view_sensitive').filter((name) => !seen.includes(name))).toEqual([]);
  expect(named('employees.view_sensitive')).toEqual([...employeeFieldGroups.private]);
});

test('the parts of a bank account are named', () => {
  expect(fieldsShownBy['employees.view_sensitive']).toContain('bank_iban');
});
