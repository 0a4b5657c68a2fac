import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { inline, row, workbookParts, zipOf } from '../../testing/sheet-fixtures.ts';
import { writeXlsx } from '../../spreadsheets/xlsx-write.ts';
import { startApp } from '../../testing/app.ts';
import { multipart } from '../../testing/client.ts';

const { as, make, owner } = await startApp({}, { large: true });
const entity = await make.entity({ name: 'Files Ltd' });
await make.department({ entity_id: entity.id, name: 'Sales', code: 'SA' });
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);

const header = 'employee_number,first_name,last_name,email,entity,department';
const person = (n: number, rest = 'Files Ltd,Sales') => `F-${n},Ann,Lee,ann${n}@example.com,${rest}`;
const upload = (content: string | Buffer, fields: Record<string, string> = { dry_run: '1' }, name = 'people.csv') =>
  hr.upload('/api/employees/import', { name, content }, fields);
const stored = async () => (await owner.query('select count(*)::int as n from imports')).rows[0].n as number;

/** A workbook only by the declaration of its parts. */
const bookOf = (sheet: string, changes: Record<string, string> = {}) =>
  zipOf(
    workbookParts(sheet, {
      '[Content_Types].xml':
        '<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
      ...changes,
    }),
  );

async function expectRefused(answer: ReturnType<typeof upload>, message: RegExp) {
  const { status, body } = await answer;
  expect([status, Object.keys(body.errors)]).toEqual([422, ['file']]);
  expect(body.errors.file[0]).toMatch(message);
}

test.each<[string, string | Buffer, RegExp]>([
  ['another encoding', Buffer.from(`${header}\nF-1,Jos\xe9,Lee,a@example.com,Files Ltd,Sales`, 'latin1'), /UTF-8/],
  ['no content', '', /file/],
  ['a header alone', header, /^The file has a header row but no data\.$/],
  ['a heading twice', `${header},Email\n${person(1)},x`, /^The heading “Email” appears twice\.$/],
  ['a column without a heading', `${header},,x\n${person(1)},1,2`, /no heading/],
  ['an open quote', `${header}\n"F-1,Ann`, /^Line 2 opens a quotation mark that is never closed\.$/],
])('a file with %s is refused and leaves nothing', async (_what, content, message) => {
  const before = await stored();
  await expectRefused(upload(content), message);
  expect(await stored()).toBe(before);
});

test('a workbook that is a zip bomb, has a document type or macros, or is none, is refused and leaves nothing', async () => {
  const before = await stored();
  const bomb = await bookOf(row(inline(' '.repeat(8 * 1024 * 1024))));
  const entityDeclared = await bookOf('', {
    'xl/worksheets/sheet1.xml':
      '<!DOCTYPE worksheet [<!ENTITY x SYSTEM "file:///etc/passwd">]><worksheet><sheetData><row><c t="inlineStr"><is><t>&x;</t></is></c></row></sheetData></worksheet>',
  });
  for (const book of [bomb, entityDeclared, Buffer.from(header), Buffer.from('PK\u0003\u0004nothing')]) {
    const answer = await upload(book, { dry_run: '1' }, 'people.xlsx');
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['file']]);
    if (book === bomb || book === entityDeclared) expect(answer.body.message).not.toContain('of type');
    expect(JSON.stringify(answer.body)).not.toContain('root:');
  }
  await expectRefused(upload(header, { dry_run: '1' }, 'people.txt'), /csv, xlsx/);
  expect(await stored()).toBe(before);
});

test('a file of 51 MB is too large', async () => {
  const before = await stored();
  const answer = await upload(Buffer.alloc(51 * 1024 * 1024, 'a'));
  expect([answer.status, answer.body.errors]).toEqual([
    413,
    { file: ['The file field must not be greater than 51200 kilobytes.'] },
  ]);
  expect(await stored()).toBe(before);
});

test('a file of 200,001 rows is refused and leaves nothing', async () => {
  const before = await stored();
  await expectRefused(upload(`a\n${'1\n'.repeat(200_001)}`), /more than 200,000 rows/);
  expect(await stored()).toBe(before);
  expect((await owner.query('select count(*)::int as n from import_rows')).rows[0].n).toBe(0);
});

test('an interrupted upload, and a form without a file, leave nothing', async () => {
  const before = await stored();
  const { payload, headers } = multipart({ name: 'people.csv', content: `${header}\n${person(1)}\n`.repeat(50) });
  for (const part of [0, 1, payload.length >> 1, Math.floor(payload.length * 0.99)]) {
    const answer = await hr.send('POST', '/api/employees/import', { payload: payload.subarray(0, part), headers });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.file).toHaveLength(1);
  }
  expect(await stored()).toBe(before);
});

test('a missing required column is refused in a real run and requests a mapping in a dry run', async () => {
  const content = `employee_number,first_name,Nazwisko,email,entity,department\n${person(10)}`;
  const before = await stored();
  await expectRefused(upload(content, {}), /no column for the last name field/);
  expect(await stored()).toBe(before);
  const open = await upload(content);
  expect(open.body).toMatchObject({
    message: 'Match the columns of the file first.',
    data: { status: 'needs_mapping' },
  });
  const { id } = open.body.data;
  expect(open.body.data.allowed_actions).toEqual(['update', 'delete']);
  const early = await hr.post(`/api/employees/imports/${id}/commit`);
  expect([early.status, early.body.status]).toEqual([422, 'needs_mapping']);
  const wrong = await hr.put(`/api/employees/imports/${id}`, { mapping: { Nazwisko: 'surname?', Other: 'grade' } });
  expect(wrong.body.errors).toEqual({ mapping: ['The selected column matching is invalid.'] });
  const twice = await hr.put(`/api/employees/imports/${id}`, { mapping: { Nazwisko: 'email', email: 'email' } });
  expect(twice.body.errors).toEqual({ mapping: ['The column matching field has a duplicate value.'] });
  const mapped = await hr.put(`/api/employees/imports/${id}`, { mapping: { Nazwisko: 'last_name' } });
  expect(mapped.body.data).toMatchObject({ status: 'preview', counts: { valid: 1, created: 1 } });
  expect(mapped.body.data.columns[2]).toEqual({
    header: 'Nazwisko',
    field: 'last_name',
    source: 'chosen',
    sample: 'Lee',
  });
});

test('other delimiters, a byte order mark and quoted line breaks are read; a wrong delimiter is one strange column', async () => {
  for (const delimiter of [';', '\t']) {
    const content = `\uFEFF${header}\r\n${person(20)}\r\n`.replaceAll(',', delimiter);
    expect((await upload(content)).body.data.counts).toMatchObject({ total: 1, valid: 1 });
  }
  const quoted = await upload(`${header},job_title\n${person(21)},"Head\nof desk"\n${person(22)},x`);
  const rows = await hr.get(`/api/employees/imports/${quoted.body.data.id}/rows`);
  expect(rows.body.data.map((one: { row: number }) => one.row)).toEqual([2, 4]);
  const piped = await upload(`${header}\n${person(23)}`.replaceAll(',', '|'));
  expect(piped.body.data).toMatchObject({
    status: 'needs_mapping',
    columns: [{ header: header.replaceAll(',', '|') }],
  });
});

test('a formula is an error of its cell, and a typed correction fixes it', async () => {
  const cells = ['F-30', 'Ann', 'Lee', 'ann30@example.com', 'Files Ltd', 'Sales'].map(inline);
  const formula = '<c t="str"><f>CONCAT("A","nn")</f><v>Ann</v></c>';
  const book = await bookOf(row(...header.split(',').map(inline)) + row(cells[0] ?? '', formula, ...cells.slice(2)));
  const checked = await upload(book, { dry_run: '1' }, 'people.xlsx');
  const { id } = checked.body.data;
  const rows = await hr.get(`/api/employees/imports/${id}/rows`);
  expect(rows.body.data[0].errors).toEqual({
    first_name: ['The first name field contains a formula. Replace it with its value.'],
  });
  const fixed = await hr.put(`/api/employees/imports/${id}/rows/2`, { cells: { first_name: 'Ann' } });
  expect(fixed.body.data).toMatchObject({ status: 'valid', errors: {} });
});

test('skipped cells are reported: columns once each, surplus cells in their rows', async () => {
  const checked = await upload(
    `${header},Shoe size,password\n${person(40)},,\n${person(41)},42,secret\n${person(42)},43,,7`,
  );
  const { id, counts } = checked.body.data;
  expect(counts).toMatchObject({ valid: 3, warnings: 2 });
  const rows = await hr.get(`/api/employees/imports/${id}/rows?has_warnings=1`);
  expect(rows.body.data.map(({ warnings }: { warnings: object }) => Object.keys(warnings).toSorted())).toEqual([
    ['Shoe size', 'password'],
    ['row'],
  ]);
});

test('failed rows are downloaded as a file that can be corrected and uploaded again', async () => {
  const title = '"=cmd|calc"';
  const checked = await upload(
    `${header},job_title,Shoe size\n${person(50, 'Files Ltd,Nowhere')},${title},42\n${person(51)},Clerk,43`,
  );
  const file = await hr.get(`/api/employees/imports/${checked.body.data.id}/errors.csv`);
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
  const lines = file.bytes.toString('utf8').replace('\uFEFF', '').trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe(`"${[...header.split(','), 'job_title', 'Shoe size', 'errors'].join('","')}"`);
  expect(lines[1]).toContain(
    `"'=cmd|calc","42","No department of this company is called “Nowhere”. Select a department or create it first."`,
  );
  const corrected = file.bytes.toString('utf8').replace('Nowhere', 'sa');
  const again = await upload(corrected, {});
  expect(again.body.data.counts).toMatchObject({ created: 1, failed: 0 });
  expect((await hr.get('/api/employees?search=F-50')).body.data[0].job_title).toBe('=cmd|calc');
});

test('the sample file has two rows that import once the company and department exist', async () => {
  const example = await make.entity({ name: 'Example Foods Ltd' });
  await make.department({ entity_id: example.id, name: 'Purchasing' });
  for (const format of ['csv', 'xlsx']) {
    const sample = await hr.get(`/api/employees/import/sample?format=${format}`);
    expect(sample.headers['content-disposition']).toContain(`employees-sample.${format}`);
    const checked = await upload(sample.bytes, { dry_run: '1' }, `sample.${format}`);
    expect(checked.body.data.counts).toMatchObject({ total: 2, valid: 2 });
  }
});

test('a workbook with native dates and numbers is read like form input', async () => {
  const columns = [...header.split(','), 'joining_date', 'grade'].map((heading) => ({ header: heading }));
  const book = await buffer(
    writeXlsx(columns, [[7_001, 'Ann', 'Lee', 'ann70@example.com', entity.id, 'Sales', '2024-02-29', 7]]),
  );
  const done = await upload(book, { on_conflict: 'fail' }, 'people.xlsx');
  expect(done.body.data.counts).toMatchObject({ created: 1 });
  expect((await hr.get('/api/employees?search=7001')).body.data[0]).toMatchObject({
    employee_number: '7001',
    joining_date: '2024-02-29',
    grade: '7',
  });
});
