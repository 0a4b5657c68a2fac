import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { chainAuditLog } from '../audit-chain.ts';
import { connect } from '../db/connect.ts';
import { startApp } from '../testing/app.ts';
import { brokenInvariants } from './invariants.ts';

const { as, make, database, deps } = await startApp();
const { db: owner } = connect({ url: database.ownerUrl, max: 2 });
const folder = deps.config.DATA_DIR;
const acme = await make.entity();
const office = await make.department({ entity_id: acme.id });
const hr = await as((await make.employee({ roles: ['HR'], department_id: office.id })).user_id);
await make.admin();

afterAll(() => owner.destroy());

async function hire(number: string) {
  const { status, body } = await hr.post('/api/employees', {
    first_name: 'Ada',
    last_name: 'Moss',
    email: `${number}@example.com`,
    employee_number: number,
    entity_id: acme.id,
    department_id: office.id,
  });
  expect(status).toBe(201);
  return body.data as { id: number };
}
const [ada, ben] = [await hire('INV-1'), await hire('INV-2')];
await hr.put(`/api/employees/${ada.id}`, { job_title: 'Engineer', reporting_manager_id: ben.id });
await hr.upload(
  `/api/employees/${ada.id}/attachments`,
  { name: 'a.pdf', content: '%PDF-1.7\n%%EOF\n' },
  { category: 'other' },
);
await hr.upload(
  '/api/employees/import',
  {
    name: 'one.csv',
    content: `employee_number,first_name,last_name,email,entity,department\nI1,Ann,Lee,i1@example.com,${acme.name},${office.name}`,
  },
  {},
);

test('data that came about in order breaks nothing', async () => {
  expect(await brokenInvariants(owner, folder)).toEqual([]);
});

test('every row of the audit log is chained as soon as no transaction of the server may still come before it', async () => {
  const unchained = async () => {
    await chainAuditLog(owner);
    const { rows } = await sql<{ count: number }>`
      select count(*) from audit_log a where not exists (select from audit_chain c where c.audit_id = a.id)`.execute(
      owner,
    );
    return rows[0]?.count;
  };
  await expect.poll(unchained).toBe(0);
});

const loose = 'alter table employees disable trigger user; alter table departments disable trigger user;';

test.each<[rule: string, plant: string]>([
  ['a head count differs', `${loose} update employees set activity_status = 'inactive'`],
  ['differs from the current row', `update employees set job_title = 'Pilot' where id = ${ada.id}`],
  ['without a job history', `delete from job_history where employee_id = ${ben.id}`],
  [
    'without a job history',
    `insert into audit_log (actor_name, action, subject_type, subject_id)
     values ('Nobody', 'employee.created', 'employee', ${ben.id})`,
  ],
  [
    'has a gap',
    `update job_history set effective_from = effective_from - 9, effective_to = effective_to - 9 where status = 'past'`,
  ],
  ['a job period differs', `update job_periods set job_title = 'Pilot' where employee_id = ${ada.id}`],
  ['a job period differs', 'delete from job_periods'],
  ['reports to himself', `update employees set reporting_manager_id = ${ada.id} where id = ${ben.id}`],
  ['an account belongs to nobody', `insert into users (email) values ('left@example.com')`],
  [
    'an account without an address',
    `alter table employees drop constraint employees_account_check; update employees set email = null where id = ${ada.id}`,
  ],
  [
    'a person has no role',
    `delete from role_assignments where user_id = (select user_id from employees where id = ${ada.id})`,
  ],
  [
    'taken twice',
    `drop index employees_employee_number_key; update employees set employee_number = 'inv-1' where id = ${ben.id}`,
  ],
  [
    'is an administrator',
    `alter table role_assignments disable trigger user; delete from role_assignments where role_id = 1`,
  ],
  [
    'worked on by nobody',
    `alter table imports disable trigger user;
     update imports set status = 'processing', leased_until = now() - interval '1 hour'`,
  ],
  ['counts other rows', `update import_rows set status = 'failed'`],
  ['created nobody', `update import_rows set subject_id = 0`],
  [
    'held by nobody',
    `do $$ begin perform graphile_worker.add_job('note'); end $$;
     update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now() - interval '1 hour'`,
  ],
  [
    'given up',
    `do $$ begin perform graphile_worker.add_job('note'); end $$; update graphile_worker._private_jobs set attempts = max_attempts`,
  ],
  [
    'refers to nothing',
    `alter table attachments drop constraint attachments_employee_id_fkey; update attachments set employee_id = 0;
     alter table attachments add constraint attachments_employee_id_fkey foreign key (employee_id) references employees not valid`,
  ],
  [
    'not as it was written',
    `alter table audit_log disable trigger user; update audit_log set actor_name = 'Somebody' where action = 'employee.updated'`,
  ],
  ['is gone', `update attachments set file_key = repeat('0', 32)`],
  ['another size', 'update attachments set size = size + 1'],
  ['is another', `update attachments set checksum = repeat('0', 64)`],
])('%s: seen when planted', async (rule, plant) => {
  const transaction = await owner.startTransaction().execute();
  try {
    await sql.raw(plant).execute(transaction);
    expect((await brokenInvariants(transaction, folder)).join('\n')).toContain(rule);
  } finally {
    await transaction.rollback().execute();
  }
});

test('a file that belongs to nothing is seen once it is old', async () => {
  const stray = join(folder, 'incoming', 'cut-off');
  await writeFile(stray, 'cut off');
  expect(await brokenInvariants(owner, folder)).toEqual([]);
  expect(await brokenInvariants(owner, folder, Date.now() + 3_700_000)).toEqual([
    'incoming/cut-off belongs to nothing',
  ]);
  await rm(stray);
});
