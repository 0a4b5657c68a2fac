import { expect, test } from 'vitest';
import { sampleFiles } from '../../testing/file-samples.ts';
import { removeDeletedFiles, sweepFiles } from '../../jobs/files.ts';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';

const { as, make, deps, owner } = await startApp();
const samples = await sampleFiles();
const acme = await make.entity();
const department = await make.department({ entity_id: acme.id });
const boss = await make.employee({ department_id: department.id, roles: ['Manager'] });
const lena = await make.employee({ department_id: department.id, reporting_manager_id: boss.id });
const other = await make.employee({ department_id: department.id });
const hrPerson = await make.employee({ roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const manager = await as(boss.user_id);
const own = await as(lena.user_id);
const colleague = await as(other.user_id);

const path = (id: number) => `/api/employees/${id}/attachments`;
const contract = { name: 'contract.pdf', content: samples.pdf };
const add = (fields: Record<string, string> = {}, id = lena.id, client: Client = hr) =>
  client.upload(path(id), contract, { category: 'contract', ...fields });
const everything = async () => {
  const { rows } = await owner.query(
    `select (select count(*) from attachments) as files, (select count(*) from audit_log) as traces,
            (select count(*) from removed_files) as removed`,
  );
  return rows[0] as unknown;
};

test('HR adds a file, reads its record, downloads it and deletes it', async () => {
  const added = await add({ title: 'Employment contract' });
  expect([added.status, added.body.message]).toEqual([201, 'File added successfully.']);
  const { data } = added.body;
  expect(data).toMatchObject({
    employee_id: lena.id,
    category: 'contract',
    title: 'Employment contract',
    visibility: 'hr_only',
    file_name: 'contract.pdf',
    mime_type: 'application/pdf',
    size: samples.pdf.byteLength,
    uploaded_by: { user_id: hrPerson.user_id },
    download_url: `${path(lena.id)}/${data.id}/download`,
    scan_status: 'not_scanned',
    revision: 1,
    allowed_actions: ['update', 'delete'],
  });
  expect(data.checksum).toMatch(/^[0-9a-f]{64}$/);
  expect((await hr.get(`${path(lena.id)}/${data.id}`)).body.data).toEqual(data);
  const file = await hr.get(data.download_url);
  expect([file.status, file.headers['content-type'], file.headers['content-disposition']]).toEqual([
    200,
    'application/pdf',
    `attachment; filename="contract.pdf"; filename*=UTF-8''contract.pdf`,
  ]);
  expect(file.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'content-length': String(samples.pdf.byteLength),
    'cache-control': 'no-store',
  });
  expect(file.bytes.equals(samples.pdf)).toBe(true);
  expect((await hr.delete(`${path(lena.id)}/${data.id}`)).status).toBe(204);
  expect((await hr.get(data.download_url)).status).toBe(404);
  const traces = await deps.db
    .selectFrom('audit_log')
    .select('action')
    .where('subject_id', '=', data.id)
    .where('subject_type', '=', 'attachment')
    .orderBy('id')
    .execute();
  expect(traces.map(({ action }) => action)).toEqual([
    'attachment.created',
    'attachment.downloaded',
    'attachment.deleted',
  ]);
});

test('without a title the file name is the title', async () => {
  const { data } = (await add()).body;
  expect(data.title).toBe('contract.pdf');
});

const seers = { hr, manager, own, colleague };
test.each([
  ['hr_only', 'contract', ['hr']],
  ['manager', 'contract', ['hr', 'manager']],
  ['employee', 'contract', ['hr', 'own']],
  ['manager_employee', 'contract', ['hr', 'manager', 'own']],
  ['manager_employee', 'id_document', ['hr', 'own']],
  ['hr_only', 'id_document', ['hr']],
] as const)('a file for %s of the kind %s is seen by %j', async (visibility, category, expected) => {
  const { data } = (await add({ visibility, category })).body;
  const seen: string[] = [];
  for (const [name, client] of Object.entries(seers)) {
    const list = await client.get(`${path(lena.id)}?per_page=100`);
    const listed = list.status === 200 && list.body.data.some((row: { id: number }) => row.id === data.id);
    const read = await client.get(`${path(lena.id)}/${data.id}`);
    const download = await client.get(data.download_url);
    const head = await client.send('HEAD', data.download_url);
    const statuses = [read.status, download.status, head.status];
    expect(statuses).toEqual(listed ? [200, 200, 200] : [404, 404, 404]);
    if (listed) seen.push(name);
  }
  expect(seen).toEqual(expected);
});

const colleagueOfHr = await as((await make.employee({ roles: ['HR'] })).user_id);

test('on the own record HR is only the person', async () => {
  const hidden = (await add({ visibility: 'hr_only' }, hrPerson.id, colleagueOfHr)).body.data;
  const shown = (await add({ visibility: 'employee' }, hrPerson.id, colleagueOfHr)).body.data;
  const list = await hr.get(path(hrPerson.id));
  expect(list.body.data.map((row: { id: number }) => row.id)).toEqual([shown.id]);
  expect((await hr.get(hidden.download_url)).status).toBe(404);
  expect((await hr.delete(`${path(hrPerson.id)}/${hidden.id}`)).status).toBe(404);
});

test.each(['HR', 'Admin'] as const)(
  '%s adds no file to the own record, and changes and deletes none there',
  async (role) => {
    const self = await make.employee({ roles: [role] });
    const [client, keeper] = [await as(self.user_id), await as((await make.admin()).user_id)];
    const { data } = (await add({ visibility: 'employee', title: 'Warning' }, self.id, keeper)).body;
    const file = `${path(self.id)}/${data.id}`;
    expect((await keeper.get(file)).body.data.allowed_actions).toEqual(['update', 'delete']);
    const before = await everything();
    const answers = [
      await add({ visibility: 'employee', title: 'Praise' }, self.id, client),
      await client.put(file, { title: 'Praise' }),
      await client.put(file, { visibility: 'hr_only' }),
      await client.delete(file),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(await everything()).toEqual(before);
    const { body } = await client.get(file);
    expect([body.data.title, body.data.allowed_actions]).toEqual(['Warning', []]);
  },
);

test('a file is found under its own person only', async () => {
  const { data } = (await add({ visibility: 'manager_employee' })).body;
  const before = await everything();
  for (const method of ['GET', 'DELETE'] as const)
    for (const client of [hr, await as((await make.admin()).user_id)])
      expect((await client.send(method, `${path(other.id)}/${data.id}`)).status).toBe(404);
  expect((await hr.get(`${path(other.id)}/${data.id}/download`)).status).toBe(404);
  expect((await hr.delete(`${path(999_999)}/${data.id}`)).status).toBe(404);
  expect(await everything()).toEqual(before);
});

test('only HR in scope adds and deletes files, and only an Admin those of an Admin', async () => {
  const { data } = (await add({ visibility: 'manager_employee' })).body;
  const admin = await make.employee({ roles: ['Admin'] });
  const limited = await as((await make.employee({ roles: [{ role: 'HR', entity_ids: [admin.entity_id] }] })).user_id);
  const before = await everything();
  for (const client of [manager, own]) {
    expect((await add({}, lena.id, client)).status).toBe(403);
    expect((await client.delete(`${path(lena.id)}/${data.id}`)).status).toBe(403);
  }
  expect((await add({}, lena.id, limited)).status).toBe(404);
  expect((await limited.delete(`${path(lena.id)}/${data.id}`)).status).toBe(404);
  expect((await add({}, admin.id, limited)).status).toBe(403);
  expect((await add({}, 999_999)).status).toBe(404);
  expect(await everything()).toEqual(before);
});

test.each([
  ['a kind nobody knows', contract, { category: 'poem' }, 'category'],
  ['no kind', contract, {}, 'category'],
  ['a visibility nobody knows', contract, { category: 'other', visibility: 'everybody' }, 'visibility'],
  ['a page in disguise', { name: 'a.pdf', content: '<html>' }, { category: 'other' }, 'file'],
  ['a picture under another name', { name: 'a.pdf', content: samples.png }, { category: 'other' }, 'file'],
  ['macros', { name: 'a.docm', content: samples.docm }, { category: 'other' }, 'file'],
  ['nothing in it', { name: 'a.pdf', content: '' }, { category: 'other' }, 'file'],
])('%s is refused', async (_name, file, fields, field) => {
  const before = await everything();
  const answer = await hr.upload(path(lena.id), file, fields);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
  expect(await everything()).toEqual(before);
});

test('a form without a file and one with two files are refused', async () => {
  const before = await everything();
  const none = await hr.post(path(lena.id), { category: 'other' });
  expect(none.body.errors).toEqual({ file: ['The file field is required.'] });
  const huge = await hr.upload(
    path(lena.id),
    { name: 'a.pdf', content: Buffer.alloc(10 * 1_024 * 1_024 + 1, '%PDF-') },
    { category: 'other' },
  );
  expect(huge.status).toBe(413);
  expect(await everything()).toEqual(before);
});

test('a person has a limited number of files, however many arrive in parallel', async () => {
  const { id } = await make.employee();
  await owner.query(
    `insert into attachments (employee_id, category, title, file_key, file_name, mime_type, size, checksum, uploaded_by_name)
     select $1, 'other', 'x', 'many-' || n, 'x', 'text/csv', 1, 'x', 'x' from generate_series(1, 198) as n`,
    [id],
  );
  const answers = await Promise.all(Array.from({ length: 6 }, () => add({}, id)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
  expect(answers.find(({ status }) => status === 422)?.body.errors).toEqual({
    file: ['The file is one too many: a person can have at most 200.'],
  });
  await owner.query('delete from attachments where employee_id = $1', [id]);
  await owner.query(
    `insert into attachments (employee_id, category, title, file_key, file_name, mime_type, size, checksum, uploaded_by_name)
     values ($1, 'other', 'x', 'much', 'x', 'text/csv', $2, 'x', 'x')`,
    [id, 500 * 1_024 * 1_024 - 10],
  );
  expect((await add({}, id)).body.errors).toEqual({
    file: ['The file is too large: a person’s files can take up 500 MB in total.'],
  });
});

test('a file not yet found clean by the scanner is not sent', async () => {
  const { data } = (await add()).body;
  for (const [state, status] of [
    ['pending', 404],
    ['infected', 404],
    ['error', 404],
    ['clean', 200],
  ] as const) {
    await deps.db.updateTable('attachments').set({ scan_status: state }).where('id', '=', data.id).execute();
    expect([state, (await hr.get(data.download_url)).status]).toEqual([state, status]);
  }
});

test('a list is filtered, searched and sorted', async () => {
  const { id } = await make.employee();
  for (const [title, category, visibility] of [
    ['Übergabe', 'letter', 'employee'],
    ['Anstellung', 'contract', 'hr_only'],
    ['diploma', 'certificate', 'manager'],
  ] as const)
    await add({ title, category, visibility }, id);
  const titles = async (query: string) =>
    (await hr.get(`${path(id)}?${query}`)).body.data.map((row: { title: string }) => row.title);
  expect(await titles('')).toEqual(['diploma', 'Anstellung', 'Übergabe']);
  expect(await titles('sort_by=title')).toEqual(['Anstellung', 'diploma', 'Übergabe']);
  expect(await titles('sort_by=category&sort_direction=desc')).toEqual(['Übergabe', 'Anstellung', 'diploma']);
  expect(await titles('category=letter,contract')).toEqual(['Anstellung', 'Übergabe']);
  expect(await titles('visibility=manager')).toEqual(['diploma']);
  expect(await titles('search=uberg')).toEqual(['Übergabe']);
  expect((await hr.get(`${path(id)}?per_page=2&page=2`)).body.meta).toMatchObject({ total: 3, from: 3, to: 3 });
});

test('the blob of a deleted file is kept for a day, one without a row for an hour', async () => {
  const { data } = (await add()).body;
  const { file_key } = await deps.db
    .selectFrom('attachments')
    .select('file_key')
    .where('id', '=', data.id)
    .executeTakeFirstOrThrow();
  const forgotten = await deps.files.keep(await deps.files.receive([Buffer.from('left behind')], { maxBytes: 100 }));
  const there = async (key: string) => {
    const found = await deps.files.open(key);
    found?.stream.destroy();
    return found !== null;
  };
  await hr.delete(`${path(lena.id)}/${data.id}`);
  const now = Temporal.Now.instant();
  const after = (hours: number) => ({ deps, now: now.add({ hours }) });
  await sweepFiles(after(2));
  expect([await there(file_key), await there(forgotten)]).toEqual([true, false]);
  await removeDeletedFiles(after(23));
  expect(await there(file_key)).toBe(true);
  await removeDeletedFiles(after(25));
  expect(await there(file_key)).toBe(false);
  expect(await deps.db.selectFrom('removed_files').selectAll().where('file_key', '=', file_key).execute()).toEqual([]);
  // blobs that a row refers to stay
  const { rows } = await owner.query<{ file_key: string }>(
    'select file_key from attachments where length(file_key) = 32',
  );
  for (const row of rows) expect(await there(row.file_key)).toBe(true);
});
