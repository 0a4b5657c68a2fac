import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import type { MadeEmployee } from '../testing/make.ts';
import { waitingLocks } from '../testing/waiting-locks.ts';

/** An import does exactly what it showed: a row whose outcome changes while the import is written fails instead. */

const { as, make, owner } = await startApp();
const acme = await make.entity();
const sales = await make.department({ entity_id: acme.id });
const hr = await as(
  (await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }], department_id: sales.id })).user_id,
);

const kinds = {
  'former-results': {
    header: 'employee_number,period_to,result,scale,source',
    row: (number: string) => `${number},2021-12-31,3,1-5,Paper`,
    meanwhile: `insert into former_results (employee_id, created_by_name, period_to, unit, result, scale_from, scale_to,
                                            percentage, source)
                values ($1, 'HR', '2021-12-31', 'points', 2, 1, 5, 25, 'Paper')`,
    written: `select result = 3 as is_ours from former_results where employee_id = $1`,
  },
  'job-history': {
    header: 'employee_number,from,to,title',
    row: (number: string) => `${number},2016-01-01,2016-12-31,Trainee`,
    meanwhile: `update job_history set source = 'entered' where employee_id = $1`,
    written: `select true as is_ours from job_history where employee_id = $1 and job_title = 'Trainee'`,
  },
  employees: {
    header: 'employee_number,job_title',
    row: (number: string) => `${number},Buyer`,
    meanwhile: `update employees set job_title = 'Auditor' where id = $1`,
    written: `select job_title = 'Buyer' as is_ours from employees where id = $1`,
  },
} as const;

type Kind = keyof typeof kinds;

/** Checks a file with a row for each of two people, and commits it while another writer locks and changes the first. */
async function importWhile(kind: Kind, mode: string, [first, second]: readonly [MadeEmployee, MadeEmployee]) {
  const { header, row, meanwhile } = kinds[kind];
  const content = [header, ...[first, second].map((one) => row(one.employee_number))].join('\n');
  const checked = await hr.upload(
    `/api/${kind}/import`,
    { name: `${mode}.csv`, content },
    { mode, on_conflict: 'update', dry_run: '1' },
  );
  const shown = (await hr.get(`/api/${kind}/imports/${checked.body.data.id}/rows`)).body.data;
  expect(shown.map(({ errors }: { errors: object }) => errors)).toEqual([{}, {}]);
  const path = `/api/${kind}/imports/${checked.body.data.id}`;
  const other = await owner.connect();
  try {
    await other.query('begin');
    await other.query('select from employees where id = $1 for update', [first.id]);
    await other.query(meanwhile, [first.id]);
    const commit = hr.post(`${path}/commit`);
    await expect.poll(() => waitingLocks(owner), { interval: 10 }).not.toEqual([]);
    await other.query('commit');
    return { answer: await commit, rows: (await hr.get(`${path}/rows`)).body.data };
  } finally {
    other.release();
  }
}

const isWritten = async (kind: Kind, { id }: MadeEmployee) =>
  (await owner.query<{ is_ours: boolean }>(kinds[kind].written, [id])).rows.some(({ is_ours }) => is_ours);

test.each((Object.keys(kinds) as Kind[]).flatMap((kind) => [[kind, 'partial'] as const, [kind, 'atomic'] as const]))(
  '%s, %s',
  async (kind, mode) => {
    const joined = { department_id: sales.id, joining_date: '2015-01-01', job_title: 'Clerk' };
    const people = [await make.employee(joined), await make.employee(joined)] as const;
    await owner.query(
      `insert into job_history (employee_id, effective_from, status, changed_fields, entity_id, department_id, job_title,
                                employment_type, employment_lifecycle, created_by_name, source)
       select id, '2015-01-01', 'current', '{}', entity_id, department_id, job_title, employment_type,
              employment_lifecycle, 'System', 'assumed' from employees where id = any($1)`,
      [people.map(({ id }) => id)],
    );
    const { answer, rows } = await importWhile(kind, mode, people);
    expect([answer.status, answer.body.data.status]).toEqual([200, mode === 'atomic' ? 'failed' : 'completed']);
    expect([await isWritten(kind, people[0]), await isWritten(kind, people[1])]).toEqual([false, mode === 'partial']);
    if (mode === 'partial')
      expect(rows[0]).toMatchObject({
        status: 'failed',
        errors: { row: [expect.stringContaining('data has changed')] },
      });
  },
);
