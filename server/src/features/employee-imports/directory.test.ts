import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';

/** The directory finds the people of an import, for users who can see the import. */

const { as, make, owner } = await startApp();
const [ours, theirs] = [await make.entity({ name: 'Ours' }), await make.entity({ name: 'Theirs' })];
const crew = await make.department({ entity_id: ours.id, name: 'Crew' });
await make.department({ entity_id: theirs.id, name: 'Others' });
const packer = (employee_number: string, last_name: string) =>
  make.employee({ department_id: crew.id, employee_number, first_name: 'Kit', last_name, job_title: 'Packer' });
const [known, same] = [await packer('D-0', 'Known'), await packer('D-9', 'Same')];
const everywhere = await as((await make.employee({ roles: ['HR'] })).user_id);
const limited = await as((await make.employee({ roles: [{ role: 'HR', entity_ids: [ours.id] }] })).user_id);
const manager = await as((await make.employee({ roles: ['Manager'] })).user_id);

const header = 'employee_number,first_name,last_name,email,entity,department,job_title';

async function importPeople(client: Client, lines: string[]): Promise<number> {
  const answer = await client.upload(
    '/api/employees/import',
    { name: `d-${lines.length}.csv`, content: [header, ...lines].join('\n') },
    { on_conflict: 'update' },
  );
  expect(answer.body.data.status).toBe('completed');
  return answer.body.data.id;
}
const found = async (client: Client, query: string) => {
  const { status, body } = await client.get(`/api/employees?${query}&per_page=100`);
  expect(status).toBe(200);
  expect(body.meta.total).toBe(body.data.length);
  return body.data.map((row: { employee_number: string }) => row.employee_number);
};

const whole = await importPeople(everywhere, [
  `D-1,Ann,Zett,d1@example.com,Ours,Crew,Packer`,
  `D-2,Bob,Abel,d2@example.com,Theirs,Others,Packer`,
  `D-0,Kit,Known,${known.email},Ours,Crew,Head packer`,
  `D-9,Kit,Same,${same.email},Ours,Crew,Packer`,
  `D-3,Bad,,d3@example.com,Ours,Crew,Packer`,
]);
const own = await importPeople(limited, [`D-4,Cy,Moss,d4@example.com,Ours,Crew,Packer`]);

test('added or changed people only, in the order of the directory', async () => {
  expect(await found(everywhere, `import_id=${whole}`)).toEqual(['D-2', 'D-0', 'D-1']);
  expect(await found(everywhere, `import_id=${whole}&entity_id=${ours.id}`)).toEqual(['D-0', 'D-1']);
  expect(await found(everywhere, `import_id=${whole}&search=zett`)).toEqual(['D-1']);
  expect(await found(everywhere, `import_id=${whole},${own}&sort_by=employee_number`)).toEqual([
    'D-0',
    'D-1',
    'D-2',
    'D-4',
  ]);
  expect(await found(everywhere, 'import_id=987654')).toEqual([]);
});

test('an import hidden from the user, or a user without import permission, finds no person', async () => {
  expect(await found(limited, `import_id=${own}`)).toEqual(['D-4']);
  expect(await found(limited, `import_id=${whole}`)).toEqual([]);
  expect(await found(manager, `import_id=${whole}`)).toEqual([]);
});

test('those among them without a password, or without a sign-in', async () => {
  const lacking = (client: Client, more = '') => found(client, `missing=sign_in&sort_by=employee_number${more}`);
  const account = (number: string, set: string) =>
    owner.query(`update users u set ${set} from employees e where e.user_id = u.id and e.employee_number = $1`, [
      number,
    ]);
  expect(await lacking(everywhere, `&import_id=${whole}`)).toEqual(['D-0', 'D-1', 'D-2']);
  await account('D-0', "password_hash = 'set', last_login_at = now()");
  await account('D-1', "password_hash = 'set'");
  expect(await lacking(everywhere, `&import_id=${whole}`)).toEqual(['D-1', 'D-2']);
  // rehired: signed in long ago, and has had no password since
  await account('D-0', 'password_hash = null');
  await account('D-1', 'last_login_at = now()');
  expect(await lacking(everywhere, `&import_id=${whole}`)).toEqual(['D-0', 'D-2']);
  // people who cannot sign in are not missing a password
  await owner.query("update employees set activity_status = 'inactive' where employee_number = 'D-2'");
  expect(await lacking(everywhere, `&import_id=${whole}`)).toEqual(['D-0']);
  await owner.query("update employees set activity_status = 'active' where employee_number = 'D-2'");
  // other people are found if their accounts are visible
  expect(await lacking(limited)).toEqual(expect.arrayContaining(['D-0', 'D-4', 'D-9']));
  expect(await lacking(limited)).not.toContain('D-2');
  expect(await lacking(manager)).not.toContain('D-0');
});

test('an export takes the same people', async () => {
  const { bytes } = await everywhere.get(`/api/employees/export?import_id=${whole}&format=csv`);
  const text = bytes.toString();
  const numbers = ['D-0', 'D-1', 'D-2', 'D-3', 'D-4', 'D-9'].filter((number) => text.includes(number));
  expect(numbers).toEqual(['D-0', 'D-1', 'D-2']);
});

test('an undone import finds no person', async () => {
  expect((await limited.post(`/api/employees/imports/${own}/undo`)).status).toBe(200);
  await expect.poll(async () => (await limited.get(`/api/employees/imports/${own}`)).body.data.status).toBe('undone');
  expect(await found(limited, `import_id=${own}`)).toEqual([]);
});
