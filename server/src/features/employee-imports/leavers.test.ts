import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make, owner } = await startApp();
const entity = await make.entity({ name: 'Northwind', code: 'NW' });
await make.department({ entity_id: entity.id, name: 'Sales' });
const hr = await as((await make.employee({ entity_id: entity.id, roles: ['HR'] })).user_id);
const day = (offset: number) => Temporal.Now.plainDateISO('UTC').add({ days: offset }).toString();

const header =
  'employee_number,first_name,last_name,entity,department,joining_date,employment_lifecycle,activity_status,notice_date,last_working_date,probation_end_date';
const importWith = async (settings: Record<string, string>, lines: readonly string[]) => {
  const file = { name: 'leavers.csv', content: [header, ...lines].join('\n') };
  const { body } = await hr.upload('/api/employees/import', file, settings);
  expect(body.data).toMatchObject({ status: 'completed', counts: { created: lines.length } });
};
const importRows = (...lines: string[]) => importWith({}, lines);
const idOf = async (number: string) => (await hr.get(`/api/employees?search=${number}`)).body.data[0].id as number;
const lifecycleOn = async (id: number, on: string) => {
  const { status, body } = await hr.get(`/api/employees/${id}?as_of=${on}`);
  return status === 200 ? body.data.employment_lifecycle : status;
};

test('an imported leaver had not resigned before the notice or the last day', async () => {
  await importRows(
    'L-1,Ada,Ames,NW,Sales,2015-01-01,resigned,inactive,2020-04-01,2020-06-30,',
    'L-2,Ben,Bole,NW,Sales,2015-01-01,terminated,inactive,,2020-06-30,',
    `L-3,Cleo,Cole,NW,Sales,${day(-20)},resigned,active,${day(-3)},${day(30)},${day(100)}`,
    `L-4,Dan,Dole,NW,Sales,${day(-900)},resigned,active,,${day(30)},`,
  );
  const ada = await idOf('L-1');
  expect([
    await lifecycleOn(ada, '2019-05-01'),
    await lifecycleOn(ada, '2020-03-31'),
    await lifecycleOn(ada, '2020-04-01'),
    await lifecycleOn(ada, '2020-06-30'),
  ]).toEqual(['confirmed', 'confirmed', 'resigned', 'resigned']);
  const ben = await idOf('L-2');
  expect([await lifecycleOn(ben, '2020-06-29'), await lifecycleOn(ben, '2020-06-30')]).toEqual([
    'confirmed',
    'terminated',
  ]);
  const cleo = await idOf('L-3');
  expect([await lifecycleOn(cleo, day(-4)), await lifecycleOn(cleo, day(-3))]).toEqual(['probationary', 'resigned']);
  const dan = await idOf('L-4');
  expect([await lifecycleOn(dan, day(-1)), await lifecycleOn(dan, day(0))]).toEqual(['confirmed', 'resigned']);
  const listed = (await hr.get('/api/employees?as_of=2019-05-01&employment_lifecycle=resigned')).body;
  expect(listed.meta.total).toBe(0);
});

test('with the status by dates, those of a new person say whether they are confirmed or leaving', async () => {
  await importWith({ defaults: '{"employment_lifecycle":"by_dates"}' }, [
    'S-1,Ida,Ibe,NW,Sales,2015-01-01,,inactive,,2020-06-30,',
    `S-2,Jon,Jup,NW,Sales,2015-01-01,,,${day(-3)},${day(30)},`,
    'S-3,Kai,Kurz,NW,Sales,2015-01-01,,,,,',
    `S-4,Lea,Lang,NW,Sales,${day(-20)},,,,,`,
    'S-5,Mia,Muth,NW,Sales,2015-01-01,probationary,,,,',
    'S-6,Nils,Nau,NW,Sales,2015-01-01,,,,,2015-06-30',
  ]);
  await importRows('S-7,Oda,Ott,NW,Sales,2015-01-01,,,,,');
  const { body } = await hr.get('/api/employees?search=S-&sort_by=employee_number');
  const shown = body.data as { employee_number: string; employment_lifecycle: string; activity_status: string }[];
  expect(shown.map((one) => [one.employee_number, one.employment_lifecycle, one.activity_status])).toEqual([
    ['S-1', 'resigned', 'inactive'],
    ['S-2', 'resigned', 'active'],
    ['S-3', 'confirmed', 'active'],
    ['S-4', 'probationary', 'active'],
    ['S-5', 'probationary', 'active'],
    ['S-6', 'confirmed', 'active'],
    ['S-7', 'probationary', 'active'],
  ]);
  const { rows } = await owner.query(
    `select key, warnings from import_rows where key like 'S-%' and warnings ? 'employment_lifecycle' order by key`,
  );
  expect(rows.map(({ key }: { key: string }) => key)).toEqual(['S-1', 'S-2', 'S-3', 'S-6']);
});

test('former jobs of an imported leaver fill the assumed days, and an undo brings these back', async () => {
  await importRows('M-1,Eve,Ende,NW,Sales,2015-01-01,resigned,inactive,2020-04-01,2020-06-30,');
  const eve = await idOf('M-1');
  const jobs = await hr.upload('/api/job-history/import', {
    name: 'jobs.csv',
    content: [
      'employee_number,effective_from,effective_to,job_title',
      'M-1,2015-01-01,2017-12-31,Clerk',
      'M-1,2018-01-01,2020-06-30,Head',
    ].join('\n'),
  });
  expect(jobs.body.data).toMatchObject({ status: 'completed', counts: { failed: 0, created: 2 } });
  const history = (await hr.get(`/api/employees/${eve}/job-history`)).body.data as Record<string, unknown>[];
  const days = history
    .map(({ effective_from, effective_to, job_title, employment_lifecycle }) => [
      effective_from,
      effective_to,
      job_title,
      employment_lifecycle,
    ])
    .toSorted(([one], [other]) => String(one).localeCompare(String(other)));
  expect(days).toMatchObject([
    ['2015-01-01', '2017-12-31', 'Clerk', 'confirmed'],
    ['2018-01-01', '2020-06-30', 'Head', 'confirmed'],
    ['2020-07-01', null, null, 'resigned'],
  ]);
  const undone = await hr.post(`/api/job-history/imports/${jobs.body.data.id}/undo`, {});
  expect(undone.body.data.status).toBe('undone');
  expect([await lifecycleOn(eve, '2018-05-01'), await lifecycleOn(eve, '2020-04-01')]).toEqual([
    'confirmed',
    'resigned',
  ]);
});

test('a job of the file that lasts until today keeps the notice', async () => {
  await importRows(`N-1,Flo,Falk,NW,Sales,2015-01-01,resigned,active,${day(-40)},${day(30)},`);
  const flo = await idOf('N-1');
  const jobs = await hr.upload('/api/job-history/import', {
    name: 'today.csv',
    content: ['employee_number,effective_from,effective_to,job_title', 'N-1,2016-01-01,,'].join('\n'),
  });
  expect(jobs.body.data).toMatchObject({ status: 'completed', counts: { failed: 0, updated: 1 } });
  expect([
    await lifecycleOn(flo, '2015-06-01'),
    await lifecycleOn(flo, '2016-06-01'),
    await lifecycleOn(flo, day(-41)),
    await lifecycleOn(flo, day(-40)),
  ]).toEqual(['confirmed', 'confirmed', 'confirmed', 'resigned']);
});

test('the undo of an import leaves nothing of a leaver', async () => {
  const { body } = await hr.upload('/api/employees/import', {
    name: 'one.csv',
    content: [header, 'O-1,Gil,Graf,NW,Sales,2015-01-01,resigned,inactive,2020-04-01,2020-06-30,'].join('\n'),
  });
  const gil = await idOf('O-1');
  const undone = await hr.post(`/api/employees/imports/${body.data.id}/undo`, {});
  expect(undone.body.data.status).toBe('undone');
  expect((await hr.get(`/api/employees/${gil}`)).status).toBe(404);
});

test('leavers whom a former release imported are mended, and their import can still be undone', async () => {
  const line = 'Ida,Iske,NW,Sales,2015-01-01,resigned,inactive,2020-04-01,2020-06-30,';
  const { body } = await hr.upload('/api/employees/import', {
    name: 'former.csv',
    content: [header, `P-1,${line}`, `P-2,${line}`].join('\n'),
  });
  const [one, moved] = [await idOf('P-1'), await idOf('P-2')];
  const left = (await make.employee({ entity_id: entity.id })).id;
  await owner.query(
    `update job_history set effective_from = '2019-01-01', employment_lifecycle = 'confirmed' where employee_id = $1`,
    [left],
  );
  const separation = { type: 'resigned', last_working_date: day(20), notice_date: day(0), reason: 'Moves away' };
  expect((await hr.post(`/api/employees/${left}/separate`, separation)).status).toBe(200);
  // one row with the lifecycle of the end from the first day on, or two rows after a former job was added
  await owner.query(`delete from job_history where employee_id = any($1) and status = 'past'`, [[one, moved]]);
  await owner.query(`update job_history set effective_from = '2015-01-01' where employee_id = any($1)`, [[one, moved]]);
  await owner.query(
    `insert into job_history (employee_id, effective_from, effective_to, status, changed_fields, entity_id, department_id,
       employment_type, employment_lifecycle, created_by_name, source)
     select employee_id, '2015-01-01', '2017-12-31', 'past', '{}', entity_id, department_id, employment_type,
       employment_lifecycle, 'System', 'imported' from job_history where employee_id = $1`,
    [moved],
  );
  await owner.query(
    `update job_history set effective_from = '2018-01-01' where employee_id = $1 and status = 'current'`,
    [moved],
  );
  const of = (id: number) =>
    owner
      .query(
        `select effective_from::text, effective_to::text, status, employment_lifecycle from job_history
         where employee_id = $1 order by effective_from`,
        [id],
      )
      .then(({ rows }) => rows.map((row) => Object.values(row)));
  const before = await of(left);
  expect(await lifecycleOn(one, '2016-01-01')).toBe('resigned');
  const mend = await readFile(
    new URL('../../../migrations/20261130_1101_imported_leavers.sql', import.meta.url),
    'utf8',
  );
  // the second run finds none of them
  for (let run = 0; run < 2; run += 1) {
    await owner.query(mend);
    expect(await of(one)).toEqual([
      ['2015-01-01', '2020-03-31', 'past', 'confirmed'],
      ['2020-04-01', null, 'current', 'resigned'],
    ]);
    expect(await of(moved)).toEqual([
      ['2015-01-01', '2017-12-31', 'past', 'confirmed'],
      ['2018-01-01', '2020-03-31', 'past', 'confirmed'],
      ['2020-04-01', null, 'current', 'resigned'],
    ]);
    expect(await of(left)).toEqual(before);
  }
  const undone = await hr.post(`/api/employees/imports/${body.data.id}/undo`, {});
  expect(undone.body.data.status).toBe('undone');
});
