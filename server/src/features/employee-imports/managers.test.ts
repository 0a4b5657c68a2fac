import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import type { FileKeys } from './file-keys.ts';
import { findManagerOf } from './managers.ts';

const { as, make, owner } = await startApp();
const [ours, theirs] = [await make.entity({ name: 'Ours' }), await make.entity({ name: 'Theirs' })];
const crew = await make.department({ entity_id: ours.id, name: 'Crew' });
const others = await make.department({ entity_id: theirs.id, name: 'Others' });
const limited = { role: 'HR', entity_ids: [ours.id] };
const hr = await as((await make.employee({ roles: [limited], department_id: crew.id })).user_id);
const everywhere = await as((await make.employee({ roles: ['HR'] })).user_id);

const person = (name: [string, string], employee_number: string, department_id = crew.id) =>
  make.employee({ first_name: name[0], last_name: name[1], employee_number, department_id });
const simon = await person(['Simon', 'Røup'], 'M-1');
await person(['Kim', 'Lee'], 'M-2');
await person(['Kim', 'Lee'], 'M-3', (await make.department({ entity_id: ours.id, name: 'Dock' })).id);
await person(['Kim', 'Lee'], 'M-4', others.id);
const far = await person(['Far', 'Away'], 'M-5', others.id);
await make.employee({ first_name: 'Gone', last_name: 'Person', department_id: crew.id, activity_status: 'inactive' });

const header = 'employee_number,first_name,last_name,email,entity,department,reporting_manager';
let serial = 0;
const line = (name: string, manager: string, number = '') => {
  serial += 1;
  return `${number},${name},n${serial}@example.com,Ours,Crew,"${manager}"`;
};

async function check(client: Client, lines: string[], fields: Record<string, string> = {}) {
  const content = [header, ...lines].join('\n');
  const answer = await client.upload(
    '/api/employees/import',
    { name: 'm.csv', content },
    { dry_run: '1', on_conflict: 'update', ...fields },
  );
  expect(answer.status).toBe(201);
  const { data } = (await client.get(`/api/employees/imports/${answer.body.data.id}/rows?per_page=100`)).body;
  return { ...answer.body.data, errors: data.map(({ errors }: { errors: object }) => errors) };
}
const managerOf = async (last_name: string) =>
  (await owner.query(`select reporting_manager_id as id from employees where last_name = $1`, [last_name])).rows[0]
    ?.id as string;
const refusal = (message: string) => ({ reporting_manager_id: [message] });
const unknown = (name: string) => refusal(`No employee matches “${name}”. Use an employee number, email or full name.`);

test('a manager is found by full name, written either way, with the file before its rows have numbers', async () => {
  const found = await check(hr, [
    line('Ben,One', 'Simon Røup'),
    line('Ben,Two', 'ROUP,  simon'),
    line('Ben,Three', ' Anna  Chief '),
    line('Ben,Four', 'Two, Ben'),
    line('Anna,Chief', 'M-1'),
  ]);
  expect(found.errors).toEqual([{}, {}, {}, {}, {}]);
  const done = await hr.post(`/api/employees/imports/${found.id}/commit`, { plan_hash: found.plan_hash });
  expect(done.body.data.counts).toMatchObject({ created: 5, failed: 0 });
  const idOf = async (name: string) =>
    (await owner.query(`select id from employees where last_name = $1`, [name])).rows[0]?.id as string;
  expect(await managerOf('One')).toBe(String(simon.id));
  expect(await managerOf('Two')).toBe(String(simon.id));
  expect(await managerOf('Three')).toBe(await idOf('Chief'));
  expect(await managerOf('Four')).toBe(await idOf('Two'));
});

test('of several with a name all candidates are named that the importer sees, and no other', async () => {
  const lines = () => [line('Cara,One', 'Kim Lee'), line('Cara,Two', 'Gone Person'), line('Cara,Three', 'Far Away')];
  expect((await check(hr, lines())).errors).toEqual([
    refusal('Several people are called “Kim Lee”: M-2 (Crew), M-3 (Dock). Use the employee number or email.'),
    unknown('Gone Person'),
    unknown('Far Away'),
  ]);
  // a person of another company only matches if no one in the row's company does
  const seen = await check(everywhere, lines());
  expect(seen.errors).toEqual([
    refusal('Several people are called “Kim Lee”: M-2 (Crew), M-3 (Dock). Use the employee number or email.'),
    unknown('Gone Person'),
    {},
  ]);
  const row = (await everywhere.get(`/api/employees/imports/${seen.id}/rows?status=valid`)).body.data[0];
  expect(row.row).toBe(4);
  expect(far.id).toBeGreaterThan(0);
});

test('a row of a person who exists is the same person, and a corrected name is checked again', async () => {
  const found = await check(hr, [
    line('Simon,Røup', '', 'M-1').replace(/n\d+@example.com/, simon.email),
    line('Dora,One', 'Simon Roup'),
    line('Dora,Two', 'Ed Twin'),
    line('Ed,Twin', ''),
    line('Ed,Twins', ''),
  ]);
  expect(found.errors).toEqual([{}, {}, {}, {}, {}]);
  await hr.put(`/api/employees/imports/${found.id}/rows/6`, { cells: { last_name: 'Twin' } });
  const failed = (await hr.get(`/api/employees/imports/${found.id}/rows?status=failed`)).body.data;
  expect(failed.map(({ row, errors }: { row: number; errors: object }) => [row, errors])).toEqual([
    [4, { reporting_manager_id: [expect.stringMatching(/^Several people are called “Ed Twin”: n\d+@/)] }],
  ]);
});

test('of thousands of rows with the name of a manager, few are looked at', () => {
  let looked = 0;
  const rows = Array.from({ length: 5_000 }, (_, index) => index + 1);
  const namesakes = rows.map((row) => ({
    get row() {
      looked += 1;
      return row;
    },
    number: undefined,
    email: undefined,
    label: String(row),
  }));
  const keys: FileKeys = {
    rows,
    numbers: new Map(),
    emails: new Map(),
    names: new Map([['ann lee', namesakes]]),
    managers: new Map(),
    departments: new Map(),
  };
  const context = { managers: { byKey: new Map(), byName: new Map() }, keys };
  expect(findManagerOf(context, 'Ann Lee', { person: undefined, entityId: ours.id })).toEqual({
    error: expect.objectContaining({ key: 'imports.several_managers' }),
  });
  expect(looked).toBeLessThan(20);
});
