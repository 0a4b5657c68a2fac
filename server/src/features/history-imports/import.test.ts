import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Answer, Client } from '../../testing/client.ts';
import type { MadeEmployee } from '../../testing/make.ts';

/** Former jobs from a file fill days of an assumed job or before the first one; an undo restores the history. */

const { as, make, deps, owner } = await startApp();
const acme = await make.entity({ name: 'Acme Foods Ltd' });
const theirs = await make.entity({ name: 'Others Ltd' });
const sales = await make.department({ entity_id: acme.id, name: 'Sales' });
const closed = await make.department({ entity_id: acme.id, name: 'Telesales', status: 'inactive' });
const far = await make.department({ entity_id: theirs.id, name: 'Far' });
const limited = { roles: [{ role: 'HR', entity_ids: [acme.id] }] };
const me = await make.employee({ ...limited, department_id: sales.id });
const hr = await as(me.user_id);
const boss = await make.employee({
  department_id: sales.id,
  employee_number: 'B-1',
  first_name: 'Bea',
  last_name: 'Boss',
});

const ok = ({ status, body }: Answer) => {
  expect([200, 201], JSON.stringify(body)).toContain(status);
  return body.data;
};
const header = 'employee_number,from,to,title,department,manager,company';
let serial = 0;
async function upload(lines: readonly string[], fields: Record<string, string> = {}, client: Client = hr) {
  serial += 1;
  const file = { name: `jobs-${serial}.csv`, content: [header, ...lines].join('\n') };
  return client.upload('/api/job-history/import', file, { dry_run: '1', ...fields });
}
const rowsOf = async (id: number, client = hr) =>
  ok(await client.get(`/api/job-history/imports/${id}/rows?per_page=100`));
async function check(lines: readonly string[], fields: Record<string, string> = {}) {
  const { id } = ok(await upload(lines, fields));
  return { id: id as number, rows: await rowsOf(id) };
}
const errorsOf = ({ rows }: { rows: { errors: object }[] }) => rows.map(({ errors }) => errors);
const commit = async (id: number, client = hr) => ok(await client.post(`/api/job-history/imports/${id}/commit`));
const jobs = (person: MadeEmployee) =>
  deps.db
    .selectFrom('job_history')
    .select(['effective_from', 'effective_to', 'status', 'source', 'job_title'])
    .where('employee_id', '=', person.id)
    .orderBy('effective_from')
    .execute();
const whole = (person: MadeEmployee) =>
  deps.db.selectFrom('job_history').selectAll().where('employee_id', '=', person.id).orderBy('id').execute();

/** A person who joined long ago and whose only known job is today's. */
async function person(fields: Parameters<typeof make.employee>[0] = {}) {
  const made = await make.employee({
    department_id: sales.id,
    joining_date: '2015-01-01',
    job_title: 'Director',
    ...fields,
  });
  await owner.query('delete from job_history where employee_id = $1', [made.id]);
  await owner.query(
    `insert into job_history (employee_id, effective_from, status, changed_fields, entity_id, department_id, job_title,
                              employment_type, employment_lifecycle, created_by_name, source)
     select id, '2015-01-01', 'current', '{}', entity_id, department_id, job_title, employment_type,
            employment_lifecycle, 'System', 'assumed' from employees where id = $1`,
    [made.id],
  );
  return made;
}

describe('the jobs of a file', () => {
  test('are two hundred of a person at most: each is compared with all of them', async () => {
    const one = await person();
    const day = (n: number) => Temporal.PlainDate.from('2016-01-01').add({ days: n }).toString();
    const lines = (count: number) =>
      Array.from({ length: count }, (_, n) => `${one.employee_number},${day(n)},${day(n)},Clerk,,,`);
    const many = await check(lines(201));
    const tooMany = 'A file has at most 200 jobs of a person. Check which column is the employee number.';
    expect(new Set(errorsOf(many).map((errors) => JSON.stringify(errors)))).toEqual(
      new Set([JSON.stringify({ employee_number: [tooMany] })]),
    );
    expect(new Set(errorsOf(await check(lines(200))).map((errors) => JSON.stringify(errors)))).toEqual(new Set(['{}']));
  });

  test('replace assumed days; the last row without an end is the job of today', async () => {
    const one = await person();
    const n = one.employee_number;
    const { id, rows } = await check([
      `${n},2015-01-01,2016-12-31,Trainee,Telesales,Bea Boss,`,
      `${n},2017-01-01,,Buyer,Sales,B-1,`,
      `${n},2020-05-01,,Director,,,`,
    ]);
    expect(errorsOf({ rows })).toEqual([{}, {}, {}]);
    expect(rows.map(({ action }: { action: string }) => action)).toEqual(['create', 'create', 'update']);
    expect(await commit(id)).toMatchObject({ status: 'completed', counts: { created: 2, updated: 1, failed: 0 } });
    expect(await jobs(one)).toEqual([
      {
        effective_from: '2015-01-01',
        effective_to: '2016-12-31',
        status: 'past',
        source: 'imported',
        job_title: 'Trainee',
      },
      {
        effective_from: '2017-01-01',
        effective_to: '2020-04-30',
        status: 'past',
        source: 'imported',
        job_title: 'Buyer',
      },
      {
        effective_from: '2020-05-01',
        effective_to: null,
        status: 'current',
        source: 'imported',
        job_title: 'Director',
      },
    ]);
    const [first] = await whole(one);
    expect([first?.employee_id, ...(await whole(one)).map((row) => row.reporting_manager_id)]).toContain(boss.id);
    expect((await whole(one)).map((row) => row.department_id)).toContain(closed.id);
    const then = ok(await hr.get(`/api/employees/${one.id}?as_of=2016-06-01`));
    expect(then).toMatchObject({ job_title: 'Trainee', as_of: { source: 'imported' } });
    const log = await deps.db
      .selectFrom('audit_log')
      .select(['subject_label', 'reason', 'changes'])
      .where('action', '=', 'job_history.imported')
      .execute();
    expect(log.at(-1)).toMatchObject({ reason: expect.stringContaining(`Import ${id} (`) });
    expect(log.at(-1)?.changes).toMatchObject({ effective_from: { to: '2015-01-01' } });
  });

  test('leave assumed days before them, and a gap is a warning', async () => {
    const one = await person();
    const n = one.employee_number;
    const { id, rows } = await check([`${n},2016-01-01,2016-12-31,Trainee,,,`, `${n},2018-01-01,2018-12-31,Buyer,,,`]);
    expect(rows.map(({ warnings }: { warnings: object }) => warnings)).toEqual([
      {},
      { effective_from: ['No job is known from 1 Jan 2017 to 31 Dec 2017.'] },
    ]);
    await commit(id);
    expect((await jobs(one)).map((row) => [row.effective_from, row.effective_to, row.source, row.job_title])).toEqual([
      ['2015-01-01', '2015-12-31', 'assumed', 'Director'],
      ['2016-01-01', '2016-12-31', 'imported', 'Trainee'],
      ['2018-01-01', '2018-12-31', 'imported', 'Buyer'],
      ['2019-01-01', null, 'assumed', 'Director'],
    ]);
    // the same file again changes nothing
    const again = await check([`${n},2016-01-01,2016-12-31,Trainee,,,`, `${n},2018-01-01,2018-12-31,Buyer,,,`]);
    expect(again.rows.map(({ action }: { action: string }) => action)).toEqual(['skip', 'skip']);
  });

  test('that share days with each other or a known job name both days, and nothing is written', async () => {
    const one = await person();
    const n = one.employee_number;
    const first = await check([`${n},2016-01-01,2016-12-31,Trainee,,,`]);
    await commit(first.id);
    const before = await whole(one);
    const lines = [
      `${n},2016-06-01,2017-06-30,Buyer,,,`,
      `${n},2018-01-01,2018-12-31,Buyer,,,`,
      `${n},2018-12-31,2019-12-31,Senior buyer,,,`,
    ];
    const found = await check(lines, { mode: 'atomic' });
    expect(errorsOf(found)).toEqual([
      { effective_from: ['The job from 1 Jun 2016 overlaps the known job from 1 Jan 2016.'] },
      {},
      { effective_from: ['The job from 31 Dec 2018 overlaps the one from 1 Jan 2018 in row 3.'] },
    ]);
    expect((await hr.post(`/api/job-history/imports/${found.id}/commit`)).status).toBe(422);
    expect(await whole(one)).toEqual(before);
  });

  test('with impossible days, values or references fail one by one', async () => {
    const one = await person();
    const n = one.employee_number;
    const today = Temporal.Now.plainDateISO('UTC');
    const found = await check([
      `${n},2016-01-01,2015-12-31,A,,,`,
      `${n},2014-01-01,2014-12-31,A,,,`,
      `${n},${today.add({ days: 40 }).toString()},,A,,,`,
      `${n},2017-01-01,${today.toString()},A,,,`,
      `${n},01.02.2017,2017-03-01,A,,,`,
      `${n},,2017-03-01,A,,,`,
      `${n},2018-01-01,2018-01-31,A,Nowhere,,`,
      `${n},2018-02-01,2018-02-28,A,Far,,Others Ltd`,
      `${n},2018-03-01,2018-03-31,A,,Nobody Known,`,
      `${n},2018-04-01,2018-04-30,${'x'.repeat(151)},,,`,
      `${n},2020-01-01,,Janitor,,,`,
    ]);
    expect(errorsOf(found).map((errors) => Object.keys(errors).join())).toEqual([
      'effective_to',
      'effective_from',
      'effective_from',
      'effective_to',
      'effective_from',
      'effective_from',
      'department_id',
      'entity_id',
      'reporting_manager_id',
      'job_title',
      'effective_to',
    ]);
    const texts = JSON.stringify(errorsOf(found));
    for (const expected of [
      'The job begins before the start date 1 Jan 2015.',
      'Changes on later days are planned on the person’s record.',
      'isn’t a date in the format YYYY-MM-DD',
      'No company is called “Others Ltd”',
      'Without a last day this is today’s job, but the job title of the record is different.',
    ])
      expect(texts).toContain(expected);
  });
});

describe('people', () => {
  test('who are unknown and those out of reach get the same message', async () => {
    const stranger = await make.employee({ department_id: far.id, employee_number: 'FAR-1' });
    const found = await check([
      `FAR-1,2016-01-01,2016-12-31,A,,,`,
      `NONE-1,2016-01-01,2016-12-31,A,,,`,
      `,2016-01-01,,A,,,`,
    ]);
    expect(errorsOf(found)).toEqual([
      { employee_number: ['No employee has the number “FAR-1”.'] },
      { employee_number: ['No employee has the number “NONE-1”.'] },
      { employee_number: ['The employee number field is required.'] },
    ]);
    expect(JSON.stringify(found.rows)).not.toContain(stranger.email);
  });

  test('of whom the importer may not change the past are refused: the own record and administrators', async () => {
    const admin = await person({ roles: ['Admin'] });
    const found = await check([
      `${me.employee_number},2016-01-01,2016-12-31,A,,,`,
      `${admin.employee_number},2016-01-01,2016-12-31,A,,,`,
    ]);
    expect(errorsOf(found)).toEqual(
      [1, 2].map(() => ({ employee_number: ['You don’t have permission to import this row.'] })),
    );
    const manager = await as((await make.employee({ roles: ['Manager'], department_id: sales.id })).user_id);
    expect((await upload([`x,2016-01-01,,A,,,`], {}, manager)).status).toBe(403);
    expect((await manager.get(`/api/job-history/imports/${found.id}`)).status).toBe(403);
    // an import of people is not found among imports of former jobs
    expect((await hr.get(`/api/employees/imports/${found.id}`)).status).toBe(404);
  });
});

test('a row is corrected on the screen, and the rows of its person are checked again', async () => {
  const one = await person();
  const n = one.employee_number;
  const { id, rows } = await check([`${n},2016-01-01,2017-12-31,A,,,`, `${n},2017-01-01,2018-12-31,B,,,`]);
  expect(rows[1].status).toBe('failed');
  ok(await hr.put(`/api/job-history/imports/${id}/rows/2`, { cells: { effective_to: '2016-12-31' } }));
  expect((await rowsOf(id)).map(({ status }: { status: string }) => status)).toEqual(['valid', 'valid']);
  const errors = await hr.get(`/api/job-history/imports/${id}/errors.csv`);
  expect(errors.status).toBe(200);
});

test('a commit with another effect than shown is refused', async () => {
  const one = await person();
  const { id } = await check([`${one.employee_number},2016-01-01,2016-12-31,A,,,`]);
  const reason = 'Entered by hand meanwhile';
  ok(
    await hr.post(`/api/employees/${one.id}/past-jobs`, {
      effective_from: '2016-06-01',
      effective_to: '2016-06-30',
      job_title: 'B',
      reason,
    }),
  );
  expect((await hr.post(`/api/job-history/imports/${id}/commit`)).status).toBe(422);
  expect((await rowsOf(id))[0].errors.effective_from).toHaveLength(1);
});

describe('the jobs of leavers', () => {
  const lifecycles = async (who: { id: number }) =>
    (
      await owner.query(
        `select effective_from::text, effective_to::text, job_title, employment_lifecycle from job_history
         where employee_id = $1 order by 1`,
        [who.id],
      )
    ).rows.map((row: object) => Object.values(row));

  test('end with the last working day, also where the end of employment was entered before', async () => {
    const one = await person();
    const leaving = { type: 'resigned', last_working_date: '2019-12-31', reason: 'Moved to another city' };
    ok(await hr.post(`/api/employees/${one.id}/separate`, leaving));
    const n = one.employee_number;
    const { id, rows } = await check([
      `${n},2015-01-01,2016-12-31,Trainee,,,`,
      `${n},2017-01-01,2019-12-31,Director,,,`,
    ]);
    expect(errorsOf({ rows })).toEqual([{}, {}]);
    await commit(id);
    expect(await lifecycles(one)).toEqual([
      ['2015-01-01', '2016-12-31', 'Trainee', 'confirmed'],
      ['2017-01-01', '2019-12-30', 'Director', 'confirmed'],
      ['2019-12-31', null, 'Director', 'resigned'],
    ]);
    const other = await person();
    ok(await hr.post(`/api/employees/${other.id}/separate`, leaving));
    const wrong = [',2020-01-15,Director,,,', ',2019-12-31,Seller,,,'];
    const refused = await Promise.all(wrong.map((rest) => check([`${other.employee_number},2017-01-01${rest}`])));
    for (const found of refused) expect(Object.keys(errorsOf(found)[0] ?? {})).toEqual(['effective_from']);
  });

  test('are not said to have been resigned before the end', async () => {
    const one = await person({ employment_lifecycle: 'resigned', last_working_date: '2019-12-31' });
    const { id } = await check([
      `${one.employee_number},2015-01-01,2016-12-31,Trainee,,,`,
      `${one.employee_number},2017-01-01,2019-12-31,Director,,,`,
    ]);
    await commit(id);
    expect(await lifecycles(one)).toEqual([
      ['2015-01-01', '2016-12-31', 'Trainee', 'confirmed'],
      ['2017-01-01', '2019-12-31', 'Director', 'confirmed'],
      ['2020-01-01', null, 'Director', 'resigned'],
    ]);
  });
});

describe('an undo', () => {
  test('puts back exactly what was, except for people whose jobs have changed since', async () => {
    const [one, two] = [await person(), await person()];
    const before = [await whole(one), await whole(two)];
    const { id } = await check([
      `${one.employee_number},2016-01-01,2016-12-31,A,,,`,
      `${one.employee_number},2017-01-01,2017-12-31,B,,,`,
      `${two.employee_number},2015-01-01,2016-12-31,A,,,`,
    ]);
    await commit(id);
    ok(
      await hr.post(`/api/employees/${two.id}/past-jobs`, {
        effective_from: '2018-01-01',
        effective_to: '2018-12-31',
        job_title: 'C',
        reason: 'Added by hand since the import',
      }),
    );
    const changed = await whole(two);
    const undone = ok(await hr.post(`/api/job-history/imports/${id}/undo`));
    expect(undone).toMatchObject({ status: 'partly_undone', kept_rows: [{ row: 4, reason: 'changed_since' }] });
    expect(await whole(one)).toEqual(before[0]);
    expect(await whole(two)).toEqual(changed);
    expect((await rowsOf(id)).map(({ status }: { status: string }) => status)).toEqual(['undone', 'undone', 'created']);
  });

  test('keeps the rows of people whose former department or manager is gone', async () => {
    const office = await make.department({ entity_id: acme.id, name: 'Office' });
    const lead = await make.employee({ department_id: sales.id });
    const [one, two, three] = [await person(), await person(), await person()];
    const wasIn = (who: MadeEmployee, field: 'department_id' | 'reporting_manager_id', id: number) =>
      owner.query(`update job_history set ${field} = $1 where employee_id = $2`, [id, who.id]);
    await wasIn(one, 'department_id', office.id);
    await wasIn(two, 'reporting_manager_id', lead.id);
    await Promise.all(
      [one, two, three].map(async ({ id }) =>
        ok(await hr.post(`/api/employees/${id}/job-history`, { effective_from: '2020-01-01', job_title: 'Head' })),
      ),
    );
    const { id } = await check(
      [one, two, three].map((who) => `${who.employee_number},2015-01-01,2019-12-31,A,Sales,B-1,`),
    );
    expect((await commit(id)).counts).toMatchObject({ created: 3, failed: 0 });
    expect((await hr.delete(`/api/departments/${office.id}`)).status).toBe(204);
    await owner.query('delete from job_history where employee_id = $1', [lead.id]);
    await owner.query('delete from employees where id = $1', [lead.id]);
    const undone = ok(await hr.post(`/api/job-history/imports/${id}/undo`));
    expect(undone).toMatchObject({
      status: 'partly_undone',
      kept_rows: [
        { row: 2, reason: 'not_valid' },
        { row: 3, reason: 'not_valid' },
      ],
    });
    expect((await jobs(three))[0]).toMatchObject({ source: 'assumed' });
    expect((await jobs(one))[0]).toMatchObject({ source: 'imported' });
    const again = await hr.post(`/api/job-history/imports/${id}/undo`);
    expect(again.body.errors.rows).toEqual([
      'The previous values of the person in row 2 are no longer valid.',
      'The previous values of the person in row 3 are no longer valid.',
    ]);
  });

  test('is refused to users who may not change the past of these people', async () => {
    const one = await person();
    const { id } = await check([`${one.employee_number},2016-01-01,2016-12-31,A,,,`]);
    await commit(id);
    const after = await whole(one);
    await owner.query(
      `with made as (insert into roles (name, scope) values ('Only import', 'all') returning id)
       insert into role_permissions (role_id, permission)
       select id, unnest(array['employees.view', 'employees.import']) from made`,
    );
    const clerk = await make.employee({ roles: [], department_id: sales.id });
    await owner.query(
      `insert into role_assignments (user_id, role_id) select $1, id from roles where name = 'Only import'`,
      [clerk.user_id],
    );
    const refused = await (await as(clerk.user_id)).post(`/api/job-history/imports/${id}/undo`);
    expect(refused.status).toBe(422);
    expect(await whole(one)).toEqual(after);
  });
});

test('the sample is read as it is, and words of other systems are matched', async () => {
  const one = await person();
  for (const format of ['csv', 'xlsx']) {
    const sample = await hr.get(`/api/job-history/import/sample?format=${format}`);
    const file = { name: `sample.${format}`, content: sample.bytes };
    const found = ok(await hr.upload('/api/job-history/import', file, { dry_run: '1' }));
    expect(found.columns.every(({ field }: { field: string | null }) => field !== null)).toBe(true);
  }
  const content = `Personalnummer,Von,Bis,Stelle,Employment type\n${one.employee_number},2016-01-01,2016-12-31,A,Teilzeit`;
  const { id, revision } = ok(
    await hr.upload('/api/job-history/import', { name: 'de.csv', content }, { dry_run: '1' }),
  );
  const [column] = ok(await hr.get(`/api/job-history/imports/${id}/values`));
  expect(column).toMatchObject({ field: 'employment_type', values: [{ text: 'Teilzeit' }] });
  ok(
    await hr.put(`/api/job-history/imports/${id}`, {
      values: { 'Employment type': { Teilzeit: column.choices[1] } },
      revision,
    }),
  );
  expect((await rowsOf(id))[0]).toMatchObject({ status: 'valid', action: 'create' });
});
