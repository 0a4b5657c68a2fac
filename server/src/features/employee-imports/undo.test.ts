import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { provisioning } from '../../testing/provisioning.ts';

const app = await startApp();
const { as, make, deps, owner } = app;
const probation = probationMaker(app);
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);

/** A hash of the data of all people. */
async function fingerprint(): Promise<string> {
  const { rows } = await owner.query(`
    select md5(string_agg(line::text, E'\n' order by line::text)) as sum from (
      select to_jsonb(e) - 'revision' - 'updated_at' || jsonb_build_object('t', 'e') as line from employees e
      -- an undo keeps who set an address, and when, because mail may have gone there before
      union all select to_jsonb(u) - '{updated_at,session_epoch,access_version,address_set_by,address_changed_at}'::text[]
                from users u
      union all select to_jsonb(a) from role_assignments a
      union all select to_jsonb(d) from departments d
      union all select to_jsonb(h) - 'revision' - 'updated_at' from job_history h) as all_lines (line)`);
  return rows[0].sum as string;
}

let serial = 0;

async function importPeople(lines: string[], fields: Record<string, string> = {}) {
  serial += 1;
  const upload = await hr.upload(
    '/api/employees/import',
    { name: `people-${serial}.csv`, content: lines.join('\n') },
    { create_departments: '1', ...fields },
  );
  expect(upload.body.data.status).toBe('completed');
  return upload.body.data.id as number;
}

const header = 'employee_number,first_name,last_name,email,entity,department,reporting_manager,job_title,role';

test('added people are removed and changed people are as before', async () => {
  const entity = await make.entity();
  const department = await make.department({ entity_id: entity.id, name: 'Sales' });
  const kim = await make.employee({ department_id: department.id, employee_number: 'U-1', job_title: 'Clerk' });
  const before = await fingerprint();
  const id = await importPeople(
    [
      header,
      `U-1,Kim,New,kim.new@example.com,${entity.name},Marketing,U-2,Head of desk,Manager`,
      `U-2,Ann,Top,ann.top@example.com,${entity.name},Marketing,,Director,`,
      `,Bob,Low,bob.low@example.com,${entity.name},Sales,U-1,,`,
    ],
    { on_conflict: 'update' },
  );
  const changed = await hr.get(`/api/employees/${kim.id}`);
  expect(changed.body.data).toMatchObject({
    first_name: 'Kim',
    email: 'kim.new@example.com',
    job_title: 'Head of desk',
  });
  expect(changed.body.data.roles.map(({ name }: { name: string }) => name)).toEqual(['Manager']);
  expect(await fingerprint()).not.toBe(before);
  const undo = await hr.post(`/api/employees/imports/${id}/undo`);
  expect([undo.status, undo.body.data.status]).toEqual([200, 'undone']);
  expect(undo.body.data.allowed_actions).toEqual([]);
  expect(await fingerprint()).toBe(before);
  const rows = await hr.get(`/api/employees/imports/${id}/rows`);
  expect(rows.body.data.map(({ status }: { status: string }) => status)).toEqual(['undone', 'undone', 'undone']);
  const again = await hr.post(`/api/employees/imports/${id}/undo`);
  expect(again.body.errors.status).toEqual(['An import that is undone can’t be undone.']);
});

test('a department stays that a rule of a connection names', async () => {
  const entity = await make.entity();
  const id = await importPeople([header, `U-9,Max,Rule,max.rule@example.com,${entity.name},Ruled,,,`]);
  const named = async () => (await owner.query(`select id from departments where name = 'Ruled'`)).rows;
  const [ruled] = await named();
  const entra = await provisioning(app)();
  await owner.query(
    `insert into scim_role_rules (connection_id, value, role_id, entity_ids, department_ids)
     select $1, 'hr', id, '{}', array[$2::bigint] from roles where name = 'HR'`,
    [entra.id, ruled.id],
  );
  expect((await hr.post(`/api/employees/imports/${id}/undo`)).status).toBe(200);
  expect(await named()).toEqual([ruled]);
});

test('rows of people who were changed, signed in, or have files or reports since stay, and the others are undone', async () => {
  const entity = await make.entity();
  const place = `${entity.name},Crew`;
  const id = await importPeople([
    header,
    ...['edited', 'seen', 'filed', 'leading', 'named', 'untouched', 'promoted'].map(
      (name, index) => `V-${index},${name},Test,${name}@example.com,${place},,,`,
    ),
  ]);
  const people = await hr.get(`/api/employees?entity_id=${entity.id}&sort_by=employee_number`);
  const [edited, seen, filed, leading, named, , promoted] = people.body.data;
  expect((await hr.put(`/api/employees/${edited.id}`, { job_title: 'Changed' })).status).toBe(200);
  await deps.db
    .updateTable('users')
    .set({ last_login_at: new Date(Date.now() + 1_000).toISOString() })
    .where('id', '=', seen.user.id)
    .execute();
  await owner.query(
    `insert into attachments (employee_id, category, title, file_key, file_name, mime_type, size, checksum, uploaded_by_name)
     values ($1, 'other', 'x', 'k', 'x.pdf', 'application/pdf', 1, 'c', 'Test')`,
    [filed.id],
  );
  await owner.query('update departments set manager_id = $1 where entity_id = $2', [leading.id, entity.id]);
  await make.employee({ department_id: leading.department_id, reporting_manager_id: named.id });
  const manager = await deps.db
    .selectFrom('roles')
    .select('id')
    .where('name', '=', 'Manager')
    .executeTakeFirstOrThrow();
  expect((await hr.put(`/api/employees/${promoted.id}/roles`, { assignments: [{ role_id: manager.id }] })).status).toBe(
    200,
  );
  const before = await fingerprint();
  const undo = await hr.post(`/api/employees/imports/${id}/undo`);
  expect([undo.status, undo.body.data.kept_rows]).toEqual([
    200,
    [
      { row: 2, reason: 'changed_since' },
      { row: 3, reason: 'signed_in' },
      { row: 4, reason: 'has_files' },
      { row: 5, reason: 'heads_department' },
      { row: 6, reason: 'manages_others' },
      { row: 8, reason: 'changed_since' },
    ],
  ]);
  expect(undo.body.data).toMatchObject({ status: 'partly_undone', kept_count: 6 });
  const left = await hr.get(`/api/employees?entity_id=${entity.id}&sort_by=employee_number`);
  expect(left.body.data.map(({ first_name }: { first_name: string }) => first_name)).toEqual(
    expect.not.arrayContaining(['untouched']),
  );
  const again = await fingerprint();
  expect(again).not.toBe(before);
  const refused = await hr.post(`/api/employees/imports/${id}/undo`);
  expect(refused.status).toBe(422);
  expect(refused.body.errors.rows).toEqual([
    'The person in row 2 has been changed since the import.',
    'The person in row 3 has signed in or has a password.',
    'The person in row 4 has documents.',
    'The person in row 5 heads a department.',
    'Other people report to the person in row 6.',
    'The person in row 8 has been changed since the import.',
  ]);
  expect(await fingerprint()).toBe(again);
  expect((await hr.get(`/api/employees/imports/${id}`)).body.data.status).toBe('partly_undone');
});

test('rows of people with an absence, as deputies, or with a corrected job history stay', async () => {
  const entity = await make.entity();
  const other = await make.employee({ entity_id: entity.id });
  const place = `${entity.name},Crew`;
  const id = await importPeople([
    `${header},joining_date`,
    `Y-1,Ida,Away,ida.away@example.com,${place},,,,`,
    `Y-2,Dan,Deputy,dan.deputy@example.com,${place},,,Manager,`,
    `Y-3,Eli,Past,eli.past@example.com,${place},,Clerk,,2020-01-01`,
  ]);
  const people = await hr.get(`/api/employees?entity_id=${entity.id}&sort_by=employee_number&search=Y-`);
  const [ida, dan, eli] = people.body.data as { id: number }[];
  const moved = await importPeople([header, `Y-3,Eli,Past,eli.past@example.com,${place},,Head clerk,`], {
    on_conflict: 'update',
  });
  const ask = async (path: string, body: object) => expect((await hr.post(path, body)).status).toBe(201);
  const covered = { deputy_id: dan?.id, deputy_tasks: ['kpi_reviews'] };
  await ask(`/api/employees/${ida?.id}/absences`, { first_day: dayFromNow(1) });
  await ask(`/api/employees/${other.id}/absences`, { first_day: dayFromNow(1), last_day: dayFromNow(9), ...covered });
  const jobs = (await hr.get(`/api/employees/${eli?.id}/job-history?status=past`)).body.data;
  const corrected = { job_title: 'Junior clerk', reason: 'As the contract says' };
  expect((await hr.put(`/api/employees/${eli?.id}/job-history/${jobs[0].id}`, corrected)).status).toBe(200);
  const before = await fingerprint();
  const refusedOf = async (one: number) => (await hr.post(`/api/employees/imports/${one}/undo`)).body.errors?.rows;
  expect(await refusedOf(moved)).toEqual(['The person in row 2 has been changed since the import.']);
  expect(await refusedOf(id)).toEqual([
    'The person in row 2 has been changed since the import.',
    'The person in row 3 has been changed since the import.',
    'The person in row 4 has been changed since the import.',
  ]);
  expect(await fingerprint()).toBe(before);
});

test('the probation end is not restored during a review of it', async () => {
  const entity = await make.entity();
  const kim = await probation.person({ entity_id: entity.id, employee_number: 'X-1' });
  const lines = [
    'employee_number,first_name,last_name,email,entity,department,probation_end_date',
    `X-1,Kim,New,${kim.email},${entity.name},Crew,${dayFromNow(20)}`,
  ];
  const id = await importPeople(lines, { on_conflict: 'update' });
  const { id: reviewId } = await probation.review({ employee: kim, status: 'submitted' });
  const refused = async (why: string) => {
    const before = await fingerprint();
    const undo = await hr.post(`/api/employees/imports/${id}/undo`);
    expect(undo.body.errors.rows).toEqual([`The person in row 2 ${why}.`]);
    expect(await fingerprint()).toBe(before);
  };
  await refused('has probation reviews');
  const signature = { method: 'typed', typed_name: 'Hana Ito' };
  expect((await hr.post(`/api/probation-reviews/${reviewId}/approve`, { signature })).status).toBe(200);
  await refused('has been changed since the import');
  const again = await importPeople([lines[0] as string, (lines[1] as string).replace('Kim', 'Kimberley')], {
    on_conflict: 'update',
  });
  expect((await hr.post(`/api/employees/imports/${again}/undo`)).status).toBe(200);
});

test('an import can be undone within seven days by its uploader and by users with scope `all`', async () => {
  const entity = await make.entity();
  const id = await importPeople([header, `W-1,Eve,Late,eve.late@example.com,${entity.name},Crew,,,`]);
  const limited = await as((await make.employee({ roles: [{ role: 'HR', entity_ids: [entity.id] }] })).user_id);
  expect((await limited.post(`/api/employees/imports/${id}/undo`)).status).toBe(404);
  await owner.query(`update imports set undo_until = now() - interval '1 second' where id = $1`, [id]);
  const late = await hr.post(`/api/employees/imports/${id}/undo`);
  expect(late.body.errors.status).toEqual(['You can undo an import for seven days only.']);
  expect((await hr.get(`/api/employees/imports/${id}`)).body.data.allowed_actions).toEqual([]);
  await owner.query(`update imports set undo_until = now() + interval '1 minute' where id = $1`, [id]);
  const other = await as((await make.employee({ roles: ['HR'] })).user_id);
  const undo = await other.post(`/api/employees/imports/${id}/undo`);
  expect(undo.body).toMatchObject({ data: { status: 'undone' } });
  expect(undo.body.data).toMatchObject({ status: 'undone', undone_by: { user_id: expect.any(Number) } });
  expect((await hr.get(`/api/employees?entity_id=${entity.id}`)).body.meta.total).toBe(0);
});

test('the import before an undone one can be undone next', async () => {
  const entity = await make.entity();
  await make.department({ entity_id: entity.id, name: 'Sales' });
  const before = await fingerprint();
  const first = await importPeople([header, `C-1,Kim,New,kim.c1@example.com,${entity.name},Sales,,Clerk,`]);
  const second = await importPeople(
    [header, `C-1,Kim,Newer,kim.c2@example.com,${entity.name},Sales,,Director,Manager`],
    {
      on_conflict: 'update',
    },
  );
  const refused = await hr.post(`/api/employees/imports/${first}/undo`);
  expect(refused.body.data ?? refused.body).not.toMatchObject({ status: 'undone' });
  expect((await hr.post(`/api/employees/imports/${second}/undo`)).body.data.status).toBe('undone');
  expect((await hr.post(`/api/employees/imports/${first}/undo`)).body.data.status).toBe('undone');
  expect(await fingerprint()).toBe(before);
});

test('a change between two imports keeps the first one after the second is undone', async () => {
  const entity = await make.entity();
  await make.department({ entity_id: entity.id, name: 'Sales' });
  const first = await importPeople([header, `C-2,Kim,New,kim.c3@example.com,${entity.name},Sales,,Clerk,`]);
  const [{ id }] = (await hr.get('/api/employees?search=C-2')).body.data;
  expect((await hr.put(`/api/employees/${id}`, { job_title: 'Buyer' })).status).toBe(200);
  const second = await importPeople([header, `C-2,Kim,Newer,kim.c3@example.com,${entity.name},Sales,,Director,`], {
    on_conflict: 'update',
  });
  expect((await hr.post(`/api/employees/imports/${second}/undo`)).body.data.status).toBe('undone');
  const { body } = await hr.post(`/api/employees/imports/${first}/undo`);
  expect(body.data?.status).not.toBe('undone');
  expect((await hr.get(`/api/employees/${id}`)).body.data).toMatchObject({ last_name: 'New', job_title: 'Buyer' });
});

test('an undo that many rows prevent names ten of them and says how many more there are', async () => {
  const entity = await make.entity();
  const lines = Array.from({ length: 12 }, (_, n) => `D-${n},Kim,D${n},kim.d${n}@example.com,${entity.name},Sales,,,`);
  const id = await importPeople([header, ...lines]);
  await owner.query(`update employees set job_title = 'Changed' where entity_id = $1`, [entity.id]);
  const { status, body } = await hr.post(`/api/employees/imports/${id}/undo`);
  expect([status, body.errors.rows.length, body.errors.rows.at(-1)]).toEqual([422, 11, '2 more rows prevent it.']);
});
