import { employeeRows } from '@tenure/contract';
import type { FieldRow } from '@tenure/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Actor } from '../../access/actor.ts';
import { rightsOf } from '../../access/rights.ts';
import { startApp } from '../../testing/app.ts';
import { employeeFields } from '../../people/fields.ts';
import { loadPeople } from './people.ts';

// If the import did not read a field, the comparison would see it as empty, and the write would clear it.

const { make, deps } = await startApp();
const entity = await make.entity();
const boss = await make.employee({ entity_id: entity.id });

/** A value of each kind of field. */
function valueOf(name: string, row: FieldRow): unknown {
  if (row.kind === 'text' || row.kind === 'email') return `of ${name}`.slice(0, 10);
  if (row.kind === 'phone') return '+44 113 1';
  if (row.kind === 'day') return '2019-01-01';
  return undefined;
}

/** A value for every form field. */
const filled: Record<string, unknown> = {
  ...Object.fromEntries(Object.entries(employeeRows).map(([name, row]) => [name, valueOf(name, row)])),
  employee_number: 'FULL-1',
  email: 'full.person@example.com',
  activity_status: 'active',
  employment_lifecycle: 'confirmed',
  employment_type: 'intern',
  // always false for a person who has already started
  early_access: false,
  probation_end_date: '2019-06-30',
  date_of_birth: '1990-02-28',
  gender: 'female',
  marital_status: 'widowed',
  address: { line1: '1', line2: '2', city: 'C', state: 'S', postal_code: 'P', country: 'A' },
  emergency_contact: { name: 'N', relation: 'R', phone: '+44 113 2' },
  bank: { bank_name: 'B', branch: 'R', account_title: 'T', account_number: '1', iban: 'I' },
};

test('every person an import can change is read with all fields', async () => {
  const { entity_id, department_id } = boss;
  const known: Record<string, unknown> = { ...filled, entity_id, department_id, reporting_manager_id: boss.id };
  const stored = Object.fromEntries(employeeFields.map((name) => [name, known[name]]));
  expect(employeeFields.filter((name) => stored[name] === undefined)).toEqual([]);
  const { email, ...columns } = stored;
  const { id } = await make.employee({ email: email as string, entity_id, department_id });
  const set = Object.entries(columns).map(([name, value]) => {
    const text = typeof value === 'object' ? JSON.stringify(value) : value;
    return sql`${sql.ref(name)} = ${text}`;
  });
  await sql`update employees set ${sql.join(set)} where id = ${id}`.execute(deps.db);
  const { user_id } = await make.admin();
  const admin = { ...(await rightsOf(deps.rights, deps.db, user_id, 'any')), user_id, employee_id: null } as Actor;
  const people = await loadPeople(deps.db, admin, new Map([['full-1', {}]]));
  const { values } = people.get('full-1') ?? { values: {} };
  expect(Object.keys(values).sort()).toEqual([...employeeFields].sort());
  expect(values).toEqual(stored);
});
