import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const app = await startApp();
const { as, make, owner } = app;
const acme = await make.entity({ name: 'Acme Foods Ltd', code: 'ACME' });
const borg = await make.entity({ name: 'Borg Systems', code: 'BORG' });
const hana = await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }], entity_id: acme.id });
const hr = await as(hana.user_id);
const numbered = (employee_number: string, entity_id = acme.id) => make.employee({ employee_number, entity_id });
const [lena, omar] = [await numbered('F1'), await numbered('F2')];
await numbered('B1', borg.id);

type Row = {
  row: number;
  status: string;
  action: string;
  errors: Record<string, string[]>;
  changes: Record<string, { from: unknown; to: unknown }> | null;
  subject_id: number | null;
};
let serial = 0;
const upload = (content: string, fields: Record<string, string> = {}, client = hr) => {
  serial += 1;
  return client.upload('/api/former-results/import', { name: `results${serial}.csv`, content }, fields);
};
const rowsOf = async (path: string): Promise<Row[]> => (await hr.get(`${path}/rows?per_page=100`)).body.data;
async function dry(content: string, fields: Record<string, string> = {}) {
  const { status, body } = await upload(content, { dry_run: '1', ...fields });
  expect([status, body.message]).toEqual([201, expect.any(String)]);
  const path = `/api/former-results/imports/${body.data.id}`;
  return { path, data: body.data, rows: await rowsOf(path) };
}
const resultsOf = async (id: number) => (await hr.get(`/api/employees/${id}/former-results`)).body.data;
const count = async () => Number((await owner.query('select count(*) from former_results')).rows[0]?.count);

// five kinds of exports: two systems with a scale in the file, one with only days, a German office, a manual workbook
test.each([
  [
    'review cycles with a start, an end and a scale',
    'Employee ID,Review cycle,Period start,Period end,Rating,Rating scale\nF1,Annual 2021,2021-01-01,2021-12-31,4,1 - 5',
    { defaults: '{"source":"Personio"}' },
    {
      period: 'Annual 2021',
      period_from: '2021-01-01',
      period_to: '2021-12-31',
      result: 4,
      scale_from: 1,
      scale_to: 5,
    },
    80,
  ],
  [
    'one day of the review',
    'Employee #,Review Date,Rating\nF1,12/31/2020,2.5',
    { defaults: '{"source":"BambooHR","scale":"1-4"}', date_format: 'MM/DD/YYYY' },
    { period: null, period_from: null, period_to: '2020-12-31', result: 2.5, scale_from: 1, scale_to: 4 },
    62.5,
  ],
  [
    'labels without numbers',
    'User ID,Form Title,Review Period Start Date,Review Period End Date,Rating Label\nF1,PMGM 2019,2019-01-01,2019-12-31,Exceeds',
    {
      defaults: '{"source":"SAP"}',
      values: '{"Rating Label":{"Exceeds":"B"}}',
    },
    { period: 'PMGM 2019', period_to: '2019-12-31', result: null, unit: null, band: 'B' },
    null,
  ],
  [
    'a German file with marks of 1 to 6, 1 the best',
    'Personalnummer;Zeitraum;Note;Skala;Quelle\nF1;1. Halbjahr 2018;"2,3";6-1;Lohnbüro',
    {},
    {
      period: '1. Halbjahr 2018',
      period_from: '2018-01-01',
      period_to: '2018-06-30',
      result: 2.3,
      scale_from: 6,
      scale_to: 1,
    },
    null,
  ],
  [
    'a workbook by hand with years and percent signs',
    'Results of Acme,,\nemployee number,year,result\nF1,2017,87.456 %',
    { defaults: '{"source":"Workbook"}' },
    { period: '2017', period_from: '2017-01-01', period_to: '2017-12-31', unit: 'percent', result: 87.456 },
    87.46,
  ],
])('imports %s', async (_what, content, fields, expected, percentage) => {
  const { status, body } = await upload(content, fields);
  expect([status, body.message]).toEqual([201, 'Import completed: 1 created, 0 updated, 0 skipped, 0 failed.']);
  const all = await resultsOf(lena.id);
  expect(all).toContainEqual(
    expect.objectContaining({
      ...expected,
      percentage,
      created_by: { user_id: hana.user_id, name: expect.any(String) },
    }),
  );
});

const header = 'employee_number,period,period_from,period_to,result,scale,band,source';

test('each row error names its column, and nothing is written', async () => {
  const before = await count();
  const { rows, path } = await dry(
    [
      header,
      'F2,,2023-01-01,2023-12-31,5.5,1-5,,X',
      'F2,,2023-01-01,2023-12-30,101,percent,,X',
      'F2,,2023-06-01,2023-01-31,4,1-5,,X',
      'F2,,2023-01-01,2999-12-31,4,1-5,,X',
      'F2,,,2023-12-29,,,Z,X',
      'F2,,,2023-12-28,,,,X',
      'F2,Annual review,,,4,1-5,,X',
      'F2,,,2023-12-27,4,,,X',
      'F2,,,2023-12-26,four,1-5,,X',
      'F2,,,2023-12-25,4 %,1-5,,X',
      'F2,,,2023-12-24,4,best,,X',
      'F2,,,31.12.2023,4,1-5,,X',
      'F2,,,2023-12-23,4,1-5,,',
      ',,,2023-12-22,4,1-5,,X',
      'F2,,,2023-12-21,4,1-5,,X',
      'f2,,,2023-12-21,3,1-5,,x',
    ].join('\n'),
    { mode: 'atomic' },
  );
  expect(rows.map(({ errors }) => errors)).toEqual([
    { result: ['The result 5.5 is outside its scale from 1 to 5.'] },
    { result: ['The result 101 is outside its scale from 0 to 100.'] },
    { period_to: [expect.stringContaining('first day of the period')] },
    { period_to: [expect.stringContaining('future')] },
    { band: ['“Z” isn’t a performance band of this company. Use one of: A, B, C, D.'] },
    { result: ['Enter a result or a band.'] },
    { period_to: ['“Annual review” doesn’t say when the period ended. Add its last day.'] },
    { scale: [expect.stringContaining('Add the scale')] },
    { result: ['“four” isn’t a result. Use a number with up to three decimals.'] },
    { scale: ['The result is a percentage, but its scale is in points.'] },
    { scale: [expect.stringContaining('“best” isn’t a scale.')] },
    { period_to: ['“31.12.2023” isn’t a date in the format YYYY-MM-DD.'] },
    { source: [expect.any(String)] },
    { employee_number: [expect.any(String)] },
    { period_to: ['Rows 16 and 17 have the same employee, period and source.'] },
    { period_to: ['Rows 16 and 17 have the same employee, period and source.'] },
  ]);
  expect((await hr.post(`${path}/commit`)).status).toBe(422);
  expect(await count()).toBe(before);
});

test('unknown people, people of another company and oneself get the same message', async () => {
  const { rows: own } = await owner.query('select employee_number from employees where id = $1', [hana.id]);
  const { rows } = await dry(
    [header, ...['none', 'B1', own[0]?.employee_number].map((one) => `${one},,,2023-12-31,4,1-5,,X`)].join('\n'),
  );
  const unknown = { employee_number: ['No employee with this number. Check the number, or import the person first.'] };
  expect(rows.map(({ errors }) => errors)).toEqual([unknown, unknown, unknown]);
});

test('bands are those of the company by name, and its letters', async () => {
  await owner.query(`update entities set kpi_band_a_name = 'Exceeds', kpi_band_b_name = 'Meets' where id = $1`, [
    acme.id,
  ]);
  await upload([header, 'F2,2015,,,,,meets,X', 'F2,2014,,,90 %,,a,X'].join('\n'));
  expect((await resultsOf(omar.id)).map(({ band }: { band: string }) => band)).toEqual(['Meets', 'Exceeds']);
  await owner.query(`update entities set kpi_band_a_name = 'A', kpi_band_b_name = 'B' where id = $1`, [acme.id]);
  // stored results keep the band name of their import
  expect((await resultsOf(omar.id)).map(({ band }: { band: string }) => band)).toEqual(['Meets', 'Exceeds']);
  const { path } = await dry([header, 'F2,2013,,,,,Übertrifft,X'].join('\n'));
  expect((await hr.get(`${path}/values`)).body.data).toEqual([
    expect.objectContaining({
      field: 'band',
      choices: ['A', 'B', 'C', 'D'],
      values: [{ text: 'Übertrifft', rows: 1, value: 'B', source: 'suggested' }],
    }),
  ]);
});

test('a row is mended on the screen, and its twin is right again', async () => {
  const { rows, path } = await dry([header, 'F2,2012,,,4,1-5,,X', 'F2,2012,,,3,1-5,,X'].join('\n'));
  expect(rows.map(({ status }) => status)).toEqual(['failed', 'failed']);
  const fixed = await hr.put(`${path}/rows/3`, { cells: { period: '2011' } });
  expect([fixed.status, fixed.body.data.status]).toEqual([200, 'valid']);
  expect((await rowsOf(path)).map(({ status }) => status)).toEqual(['valid', 'valid']);
  expect((await hr.post(`${path}/commit`)).body.message).toContain('2 created');
});

test('an existing result is an error, kept or replaced, and an undo restores it for seven days', async () => {
  const first = [header, 'F2,2010,,,4,1-5,,Old', 'F2,2009,,,3,1-5,,Old'].join('\n');
  await upload(first);
  const again = (await dry(first)).rows;
  expect(again[0]?.errors).toEqual({ period_to: ['This person already has a result from Old for these days.'] });
  expect((await dry(first, { on_conflict: 'skip' })).rows.map(({ action }) => action)).toEqual(['skip', 'skip']);
  const second = [header, 'F2,2010,,,4.5,1-5,,old', 'F2,2009,,,3,1-5,,Old', 'F2,2008,,,2,1-5,,Old'].join('\n');
  const { body } = await upload(second, { on_conflict: 'update' });
  expect(body.message).toBe('Import completed: 1 created, 1 updated, 1 skipped, 0 failed.');
  const of = async () =>
    (await resultsOf(omar.id))
      .filter(({ source }: { source: string }) => source.toLowerCase() === 'old')
      .map(({ period, result, percentage, source }: Record<string, unknown>) => [period, result, percentage, source]);
  expect(await of()).toEqual([
    ['2010', 4.5, 90, 'old'],
    ['2009', 3, 60, 'Old'],
    ['2008', 2, 40, 'Old'],
  ]);
  expect(body.data.allowed_actions).toContain('undo');
  const undone = await hr.post(`/api/former-results/imports/${body.data.id}/undo`);
  expect([undone.status, undone.body.data.status]).toEqual([200, 'undone']);
  expect(await of()).toEqual([
    ['2010', 4, 80, 'Old'],
    ['2009', 3, 60, 'Old'],
  ]);
});

test('of two imports of the same results at once one adds them, and none fails', async () => {
  const rows = (result: number) => ['F1', 'F2'].map((number) => `${number},2002,,,${result},1-5,,Twice`);
  const files = [[header, ...rows(4)].join('\n'), [header, ...rows(3).toReversed()].join('\n')];
  const [one, other] = [await dry(files[0] as string), await dry(files[1] as string)];
  const before = await count();
  await Promise.all([one, other].map(({ path }) => hr.post(`${path}/commit`)));
  expect(await count()).toBe(before + 2);
  const ended = await Promise.all([one, other].map(async ({ path }) => (await hr.get(path)).body.data));
  // the other import reports the results that now exist: as errors, or as another preview if it was later
  expect(ended.map(({ status }) => status)).not.toContain('failed');
  expect(new Set(ended.map(({ counts }) => counts.failed))).toEqual(new Set([0, 2]));
});

test('an undo leaves what was corrected since, and needs the right to the person', async () => {
  const { body } = await upload([header, 'F2,2007,,,4,1-5,,U', 'F2,2006,,,4,1-5,,U'].join('\n'));
  const [latest] = (await hr.get(`/api/employees/${omar.id}/former-results?source=U`)).body.data;
  const reason = 'The paper file says otherwise';
  await hr.put(`/api/employees/${omar.id}/former-results/${latest.id}`, { result: 3, reason });
  const path = `/api/former-results/imports/${body.data.id}`;
  await owner.query('update employees set reporting_manager_id = null where id = $1', [omar.id]);
  const undone = await hr.post(`${path}/undo`);
  expect(undone.body.data).toMatchObject({ status: 'partly_undone', kept_rows: [{ row: 2, reason: 'changed_since' }] });
  const refused = await hr.post(`${path}/undo`);
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { rows: ['The record from row 2 has been changed since the import.'] },
  ]);
  await owner.query(`update imports set undo_until = now() - interval '1 second' where id = $1`, [body.data.id]);
  expect((await hr.post(`${path}/undo`)).status).toBe(422);
});

test('imports of the same results are undone one after the other, the latest first', async () => {
  const all = async () =>
    (
      await owner.query(
        'select employee_id, period, result, scale_to, percentage, source from former_results order by id',
      )
    ).rows;
  const [before, dates] = [await all(), ['F1,2001', 'F2,2001']];
  const content = (result: number) => [header, ...dates.map((one) => `${one},,,${result},1-5,,Chain`)].join('\n');
  const ids: number[] = [];
  const states: object[] = [before];
  for (const result of [4, 3, 2]) {
    const { body } = await upload(content(result), { on_conflict: 'update' });
    ids.unshift(body.data.id);
    states.unshift(await all());
  }
  const early = await hr.post(`/api/former-results/imports/${ids[1]}/undo`);
  expect([early.status, Object.keys(early.body.errors)]).toEqual([422, ['rows']]);
  for (const [index, id] of ids.entries()) {
    const { status, body } = await hr.post(`/api/former-results/imports/${id}/undo`);
    expect([index, status, body.data?.status, body.errors]).toEqual([index, 200, 'undone', undefined]);
    expect(await all()).toEqual(states[index + 1]);
  }
});

test('a correction between two imports keeps the first one after the second is undone', async () => {
  const content = (result: number) => `${header}\nF1,2000,,,${result},1-5,,Between`;
  const first = (await upload(content(4))).body.data;
  const [{ id }] = (await hr.get(`/api/employees/${lena.id}/former-results?source=Between`)).body.data;
  await hr.put(`/api/employees/${lena.id}/former-results/${id}`, { result: 3, reason: 'Typing mistake' });
  const second = (await upload(content(2), { on_conflict: 'update' })).body.data;
  expect((await hr.post(`/api/former-results/imports/${second.id}/undo`)).body.data.status).toBe('undone');
  expect((await hr.post(`/api/former-results/imports/${first.id}/undo`)).status).toBe(422);
  const [left] = (await hr.get(`/api/employees/${lena.id}/former-results?source=Between`)).body.data;
  expect(left).toMatchObject({ id, result: 3 });
});

test('managers cannot import, and other HR does not see the import', async () => {
  const manager = await as((await make.employee({ roles: ['Manager'], entity_id: acme.id })).user_id);
  expect((await upload(`${header}\nF2,2005,,,4,1-5,,X`, {}, manager)).status).toBe(403);
  const other = await as(
    (await make.employee({ roles: [{ role: 'HR', entity_ids: [borg.id] }], entity_id: borg.id })).user_id,
  );
  const { data } = await dry(`${header}\nF2,2005,,,4,1-5,,X`);
  expect((await other.get(`/api/former-results/imports/${data.id}`)).status).toBe(404);
});

test('the sample is a file that the import reads', async () => {
  for (const format of ['csv', 'xlsx']) {
    const sample = await hr.get(`/api/former-results/import/sample?format=${format}`);
    expect(sample.status).toBe(200);
    const name = `sample.${format}`;
    const { body } = await hr.upload('/api/former-results/import', { name, content: sample.bytes }, { dry_run: '1' });
    const unknown = { employee_number: [expect.stringContaining('No employee')] };
    const rows = await rowsOf(`/api/former-results/imports/${body.data.id}`);
    expect(rows.map(({ errors }) => errors)).toEqual([unknown, unknown, unknown]);
  }
});

test('the errors are a file, and the audit log names the import', async () => {
  const { path, data } = await dry([header, 'F2,2004,,,9,1-5,,X', 'F2,2003,,,4,1-5,,X'].join('\n'));
  expect((await hr.get(`${path}/errors.csv`)).bytes.toString()).toContain('outside its scale');
  await hr.post(`${path}/commit`);
  const { rows } = await owner.query(
    `select about_employee_id::int as about, actor_id::int as actor from audit_log
     where action = 'former_result.created' and reason like $1`,
    [`Import ${data.id} %`],
  );
  expect(rows).toEqual([{ about: omar.id, actor: hana.user_id }]);
});
