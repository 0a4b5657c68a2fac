import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { randomBytes } from '../../crypto/crypto.ts';
import { eraseCells, expireImports } from '../../jobs/imports.ts';
import { removeDeletedFiles, sweepFiles } from '../../jobs/files.ts';
import { databaseNow } from '../../jobs/task.ts';
import { startApp } from '../../testing/app.ts';
import { archiveOf } from '../../testing/archive-fixtures.ts';
import type { Answer, Client } from '../../testing/client.ts';
import { sampleFiles, talkativePicture } from '../../testing/file-samples.ts';
import { brokenInvariants } from '../../invariants/invariants.ts';
import type { MadeEmployee } from '../../testing/make.ts';

/** Files of people from a ZIP archive: each row passes the checks of a single upload, an undo those of a deletion. */

const { as, make, deps, owner } = await startApp();
const samples = await sampleFiles();
await make.admin();
const acme = await make.entity({ name: 'Acme Foods Ltd' });
const sales = await make.department({ entity_id: acme.id });
const me = await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }], department_id: sales.id });
const hr = await as(me.user_id);
const person = () => make.employee({ department_id: sales.id });

const ok = ({ status, body }: Answer) => {
  expect([200, 201], JSON.stringify(body)).toContain(status);
  return body.data;
};
let serial = 0;
/** A unique PDF. */
const pdf = () => Buffer.concat([samples.pdf, Buffer.from(`\n%${(serial += 1)}\n%%EOF\n`)]);
const asContract = { defaults: JSON.stringify({ category: 'contract' }) };

type Files = Readonly<Record<string, Buffer | string>>;
const zip = (files: Files) => archiveOf(Object.entries(files).map(([name, content]) => ({ name, content })));
const upload = (files: Files, fields: Record<string, string> = {}, client: Client = hr) =>
  client.upload(
    '/api/attachments/import',
    { name: `files-${(serial += 1)}.zip`, content: zip(files) },
    { dry_run: '1', ...asContract, ...fields },
  );
const at = (id: number) => `/api/attachments/imports/${id}`;
const rowsOf = async (id: number, client = hr) => ok(await client.get(`${at(id)}/rows?per_page=100`));
async function check(files: Files, fields: Record<string, string> = {}, client: Client = hr) {
  const { id } = ok(await upload(files, fields, client));
  return { id: id as number, rows: await rowsOf(id, client) };
}
const errorsOf = (rows: { errors: object }[]) => rows.map(({ errors }) => errors);
const actionsOf = (rows: { action: string }[]) => rows.map(({ action }) => action);
const commit = async (id: number, client = hr) => ok(await client.post(`${at(id)}/commit`));
const filesOf = async ({ id }: MadeEmployee, client = hr) =>
  ok(await client.get(`/api/employees/${id}/attachments?per_page=100&sort_by=title`)).map(
    ({ title, category, visibility, file_name }: Record<string, string>) => [title, category, visibility, file_name],
  );
const kept = async () => (await readdir(`${deps.config.DATA_DIR}/kept`)).length;
const staged = async (...ids: number[]) =>
  (await owner.query('select count(*)::int as n from import_files where import_id = any($1)', [ids])).rows[0]
    .n as number;
const context = async (hours = 0) => ({ deps, now: (await databaseNow(deps.db)).add({ hours }) });

describe('the files of an archive', () => {
  test('are checked, and added to their people by folder or by name', async () => {
    const [one, two] = [await person(), await person()];
    const { id, rows } = await check({
      [`${one.employee_number}/Work contract.pdf`]: pdf(),
      [`export/${one.employee_number.toLowerCase()}/Photo.png`]: samples.png,
      [`${two.employee_number.replaceAll('_', '')}_Training plan.csv`]: 'a,b\n1,2\n',
    });
    expect(errorsOf(rows)).toEqual([{}, {}, {}]);
    expect(rows[0]).toMatchObject({
      action: 'create',
      key: expect.stringMatching(new RegExp(`^${one.employee_number} \\S+ \\S+$`)),
      subject_id: one.id,
      cells: { title: 'Work contract', file: `${one.employee_number}/Work contract.pdf`, category: '' },
    });
    expect(await filesOf(one)).toEqual([]);
    expect(await commit(id)).toMatchObject({ status: 'completed', counts: { created: 3, failed: 0 } });
    expect(await filesOf(one)).toEqual([
      ['Photo', 'contract', 'hr_only', 'Photo.png'],
      ['Work contract', 'contract', 'hr_only', 'Work contract.pdf'],
    ]);
    expect(await filesOf(two)).toHaveLength(1);
    const [file] = ok(await hr.get(`/api/employees/${one.id}/attachments?search=contract`));
    expect((await hr.get(file.download_url)).bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(file.uploaded_by).toEqual({ user_id: me.user_id, name: expect.any(String) });
    const { rows: log } = await owner.query(
      `select reason, about_employee_id::int, changes -> 'checksum' ->> 'to' as checksum from audit_log
       where action = 'attachment.created' and subject_id = $1`,
      [file.id],
    );
    expect(log).toEqual([
      { reason: expect.stringContaining(`Import ${id} (`), about_employee_id: one.id, checksum: file.checksum },
    ]);
    expect(await staged(id)).toBe(0);
    expect(await brokenInvariants(deps.db, deps.config.DATA_DIR)).toEqual([]);
  });

  test('may be in folders of their kind, and in folders of a former system, inside the folder of a person', async () => {
    const one = await person();
    const n = one.employee_number;
    const paths = [`Export/${n}/Contracts/Work.pdf`, `Export/${n}/2023/March.pdf`, `Export/${n}/2024/March.pdf`];
    const { id, rows } = await check(Object.fromEntries(paths.map((path) => [path, pdf()])), {
      defaults: JSON.stringify({ category: 'letter' }),
    });
    expect(errorsOf(rows)).toEqual([{}, {}, {}]);
    await commit(id);
    expect((await filesOf(one)).map(([title, category]: string[]) => [title, category])).toEqual([
      ['2023 – March', 'letter'],
      ['2024 – March', 'letter'],
      ['Work', 'contract'],
    ]);
  });

  test('of people out of reach are read like those of unknown numbers', async () => {
    const [mine, theirs] = [await person(), await make.employee({ department_id: (await make.department()).id })];
    const of = async (number: string) =>
      (await check({ [`${mine.employee_number}/${number}/a.pdf`]: pdf() })).rows[0].cells;
    const [unseen, unknown] = [await of(theirs.employee_number), await of('NONE-1')];
    expect([unseen.employee_number, unknown.employee_number]).toEqual([mine.employee_number, mine.employee_number]);
    expect([unseen.title, unknown.title]).toEqual([`${theirs.employee_number} – a`, 'NONE-1 – a']);
  });

  test('pass the checks of a single file', async () => {
    const one = await person();
    const n = one.employee_number;
    const { rows } = await check({
      [`${n}/page.pdf`]: '<html><script>1</script></html>',
      [`${n}/inner.zip`]: samples.zip,
      [`${n}/macros.docx`]: samples.docm,
      [`${n}/empty.csv`]: '',
      [`${n}/program.exe`]: 'MZ',
      [`${n}/large.csv`]: randomBytes(10 * 1_048_576 + 1),
      [`${n}/right.docx`]: samples.docx,
    });
    const alone = await hr.upload(
      `/api/employees/${one.id}/attachments`,
      { name: 'page.pdf', content: '<html>' },
      { category: 'other' },
    );
    const said = alone.body.errors.file[0];
    expect(errorsOf(rows)).toEqual([
      ...Array.from({ length: 5 }, () => ({ file: [said] })),
      { file: [expect.stringContaining('10240 kilobytes')] },
      {},
    ]);
    expect(said).toContain('docx');
  });

  test('keep a title that would clear a cell of a table', async () => {
    const one = await person();
    const { id, rows } = await check({ [`${one.employee_number}/-.pdf`]: pdf() });
    expect(rows[0].cells.title).toBe("'-");
    await commit(id);
    expect(await filesOf(one)).toEqual([['-', 'contract', 'hr_only', '-.pdf']]);
  });

  test('lose the metadata of pictures', async () => {
    const one = await person();
    const { id } = await check({ [`${one.employee_number}/Badge.jpg`]: await talkativePicture('image/jpeg', 6) });
    await commit(id);
    const [file] = ok(await hr.get(`/api/employees/${one.id}/attachments`));
    expect((await hr.get(file.download_url)).bytes.toString('latin1')).not.toMatch(/Secret|GPS/);
  });

  test('that the person has already are skipped, also within the archive', async () => {
    const one = await person();
    const n = one.employee_number;
    const same = pdf();
    const first = await check({ [`${n}/a.pdf`]: same, [`${n}/copy.pdf`]: same });
    expect(actionsOf(first.rows)).toEqual(['create', 'skip']);
    expect(first.rows[1].warnings).toEqual({ file: ['This person already has the same file. It is skipped.'] });
    await commit(first.id);
    const again = await check({ [`${n}/b.pdf`]: same, [`${n}/new.pdf`]: pdf() });
    expect(actionsOf(again.rows)).toEqual(['skip', 'create']);
    expect(await commit(again.id)).toMatchObject({ counts: { created: 1, skipped: 1 } });
    expect(await filesOf(one)).toHaveLength(2);
  });

  test('need a category, and a title is the name of the file where it is empty', async () => {
    const one = await person();
    const { id, rows } = await check({ [`${one.employee_number}/a.pdf`]: pdf() }, { defaults: '{}' });
    expect(errorsOf(rows)).toEqual([{ category: [expect.stringContaining('required')] }]);
    const wrong = ok(
      await hr.put(`${at(id)}/rows/1`, { cells: { category: 'secret', visibility: 'all', title: 'x'.repeat(151) } }),
    );
    expect(Object.keys(wrong.errors).toSorted()).toEqual(['category', 'title', 'visibility']);
    const right = ok(
      await hr.put(`${at(id)}/rows/1`, { cells: { category: 'Letter', visibility: 'employee', title: '' } }),
    );
    expect(right).toMatchObject({ errors: {}, action: 'create', edited: true });
    await commit(id);
    expect(await filesOf(one)).toEqual([['a.pdf', 'letter', 'employee', 'a.pdf']]);
  });

  test('count for the limit of the person: 200 files', async () => {
    const one = await person();
    await owner.query(
      `insert into attachments (employee_id, category, title, file_key, file_name, mime_type, size, checksum, uploaded_by_name)
       select $1, 'other', 'x', 'limit-' || n, 'x.csv', 'text/csv', 1, 'none', 'Test' from generate_series(1, 199) n`,
      [one.id],
    );
    const { id, rows } = await check({
      [`${one.employee_number}/a.pdf`]: pdf(),
      [`${one.employee_number}/b.pdf`]: pdf(),
    });
    expect(actionsOf(rows)).toEqual(['create', 'none']);
    expect(rows[1].errors.file[0]).toContain('200');
    expect(ok(await hr.put(`${at(id)}/rows/1`, { left_out: true })).action).toBe('skip');
    expect(actionsOf(await rowsOf(id))).toEqual(['skip', 'create']);
    await owner.query(`delete from attachments where file_key like 'limit-%'`);
    await hr.delete(at(id));
  });
});

describe('staged files', () => {
  test('are mended row by row and in many rows at once', async () => {
    const one = await person();
    const { id, rows } = await check({ 'export/a.pdf': pdf(), 'export/b.pdf': pdf(), 'other/c.pdf': pdf() });
    const unknown = ['No employee with this number. Check the number, or import the person first.'];
    expect(errorsOf(rows)).toEqual(Array.from({ length: 3 }, () => ({ employee_number: unknown })));
    expect((await hr.get(`${at(id)}/problems`)).body.data.repeated).toMatchObject([
      { field: 'employee_number', value: 'export', rows: 2 },
    ]);
    const replaced = await hr.post(`${at(id)}/replacements`, {
      field: 'employee_number',
      from: 'export',
      to: one.employee_number,
    });
    expect([replaced.status, replaced.body.data.rows]).toEqual([200, 2]);
    expect(actionsOf(await rowsOf(id))).toEqual(['create', 'create', 'none']);
    for (const cells of [{ file: 'x' }, { size: '1' }, { unknown: 'x' }]) {
      const refused = await hr.put(`${at(id)}/rows/1`, { cells });
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [`cells.${Object.keys(cells)[0]}`]]);
    }
    const errors = await hr.get(`${at(id)}/errors.csv`);
    expect(errors.body).toContain('other/c.pdf');
    expect(ok(await hr.put(at(id), { defaults: { category: 'letter', visibility: 'employee' } }))).toMatchObject({
      defaults: { category: 'letter', visibility: 'employee' },
      columns: expect.arrayContaining([expect.objectContaining({ header: 'file', field: 'file' })]),
    });
    expect(await commit(id)).toMatchObject({ counts: { created: 2, failed: 1 } });
    expect((await filesOf(one)).map(([, ...rest]: string[]) => rest.slice(0, 2))).toEqual([
      ['letter', 'employee'],
      ['letter', 'employee'],
    ]);
  });

  test('that changed their effect since the check are shown instead of written', async () => {
    const one = await person();
    const same = pdf();
    const { id } = await check({ [`${one.employee_number}/a.pdf`]: same });
    const added = await hr.upload(
      `/api/employees/${one.id}/attachments`,
      { name: 'a.pdf', content: same },
      { category: 'other' },
    );
    expect(added.status).toBe(201);
    const refused = await hr.post(`${at(id)}/commit`);
    expect([refused.status, refused.body.errors.rows]).toEqual([422, [expect.stringContaining('1')]]);
    expect(actionsOf(await rowsOf(id))).toEqual(['skip']);
    expect(await filesOf(one)).toHaveLength(1);
  });

  test('go with a discarded, an expired and a failed import, and their content a day later', async () => {
    const one = await person();
    await sweepFiles(await context());
    await removeDeletedFiles(await context(48));
    const before = await kept();
    const some = async () => (await check({ [`${one.employee_number}/a.pdf`]: pdf(), 'x/b.pdf': pdf() })).id;
    const [discarded, expired, failed] = [await some(), await some(), await some()];
    const ids = [discarded, expired, failed];
    expect([await kept(), await staged(...ids)]).toEqual([before + 6, 6]);
    expect((await hr.delete(at(discarded))).status).toBe(204);
    await owner.query('update imports set expires_at = now() where id = $1', [expired]);
    await expireImports(await context());
    await eraseCells(await context());
    await owner.query(`update imports set status = 'failed' where id = $1`, [failed]);
    expect(await staged(...ids)).toBe(0);
    await sweepFiles(await context(2));
    expect(await kept()).toBe(before + 6);
    await removeDeletedFiles(await context(25));
    expect(await kept()).toBe(before);
    expect(await filesOf(one)).toEqual([]);
  });

  test('are not swept while their import waits', async () => {
    const one = await person();
    const { id } = await check({ [`${one.employee_number}/a.pdf`]: pdf() });
    await sweepFiles(await context(2));
    expect(await commit(id)).toMatchObject({ counts: { created: 1 } });
    const [file] = ok(await hr.get(`/api/employees/${one.id}/attachments`));
    expect((await hr.get(file.download_url)).status).toBe(200);
  });

  test('are written all together or not at all where that is asked for', async () => {
    const one = await person();
    const { id } = await check({ [`${one.employee_number}/a.pdf`]: pdf(), 'x/b.pdf': pdf() }, { mode: 'atomic' });
    expect((await hr.post(`${at(id)}/commit`)).status).toBe(422);
    ok(await hr.put(`${at(id)}/rows/2`, { left_out: true }));
    expect(await commit(id)).toMatchObject({ status: 'completed', counts: { created: 1, skipped: 1 } });
    expect(await filesOf(one)).toHaveLength(1);
    expect(await staged(id)).toBe(0);
  });
});

test('a sample archive can be downloaded and read again', async () => {
  const sample = await hr.get('/api/attachments/import/sample');
  expect([sample.status, sample.headers['content-type']]).toEqual([200, 'application/zip']);
  const file = { name: 'sample.zip', content: sample.bytes };
  const { id } = ok(await hr.upload('/api/attachments/import', file, { dry_run: '1', ...asContract }));
  const rows = await rowsOf(id);
  const said = rows.map(({ cells }: { cells: Record<string, string> }) => [cells.employee_number, cells.title]);
  expect(said).toEqual([
    ['1001', 'First aid'],
    ['1001', 'Equipment'],
    ['1002', 'Training plan'],
  ]);
  expect(rows[0].cells.category).toBe('certificate');
  await hr.delete(at(id));
});

test('without a dry run the files are added at once', async () => {
  const one = await person();
  const answer = await upload({ [`${one.employee_number}/a.pdf`]: pdf() }, { dry_run: '0' });
  expect(ok(answer)).toMatchObject({ status: 'completed', counts: { created: 1 } });
  expect(await filesOf(one)).toHaveLength(1);
});
