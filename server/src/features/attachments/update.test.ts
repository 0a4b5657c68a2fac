import { expect, test } from 'vitest';
import { sampleFiles } from '../../testing/file-samples.ts';
import { startApp } from '../../testing/app.ts';
import { givenRoles } from '../../testing/given-roles.ts';

const { as, make, deps, owner } = await startApp();
const { roleWith, give } = givenRoles({ owner });
const samples = await sampleFiles();
const acme = await make.entity();
const department = await make.department({ entity_id: acme.id });
const boss = await make.employee({ department_id: department.id, roles: ['Manager'] });
const lena = await make.employee({ department_id: department.id, reporting_manager_id: boss.id });
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const manager = await as(boss.user_id);

const path = `/api/employees/${lena.id}/attachments`;
const added = async (fields: Record<string, string> = {}) =>
  (await hr.upload(path, { name: 'letter.pdf', content: samples.pdf }, { category: 'letter', ...fields })).body.data;
const traces = (id: number) =>
  deps.db
    .selectFrom('audit_log')
    .select(['action', 'changes', 'subject_label'])
    .where('subject_type', '=', 'attachment')
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute();

test('title, kind and visibility change, and the change is recorded', async () => {
  const { id } = await added({ title: 'Letter' });
  const answer = await hr.put(`${path}/${id}`, { title: 'Praise', visibility: 'manager', revision: 1 });
  expect([answer.status, answer.body.message]).toEqual([200, 'File updated successfully.']);
  expect(answer.body.data).toMatchObject({ title: 'Praise', category: 'letter', visibility: 'manager', revision: 2 });
  expect((await manager.get(`${path}/${id}`)).body.data).toMatchObject({ title: 'Praise', allowed_actions: [] });
  const [, change] = await traces(id);
  expect(change).toEqual({
    action: 'attachment.updated',
    subject_label: expect.stringMatching(/: Praise$/),
    changes: { title: { from: 'Letter', to: 'Praise' }, visibility: { from: 'hr_only', to: 'manager' } },
  });
});

test('without a title the file name is the title again, and a change without effect is not recorded', async () => {
  const { id } = await added({ title: 'Letter' });
  expect((await hr.put(`${path}/${id}`, { title: '' })).body.data.title).toBe('letter.pdf');
  expect((await hr.put(`${path}/${id}`, { title: 'letter.pdf' })).body.data.revision).toBe(2);
  expect((await traces(id)).map(({ action }) => action)).toEqual(['attachment.created', 'attachment.updated']);
});

test('a file name that is longer than a title is cut, as it is when the file is added', async () => {
  const letter = { name: `${'n'.repeat(200)}.pdf`, content: samples.pdf };
  const { id, title } = (await hr.upload(path, letter, { category: 'letter' })).body.data;
  expect(title).toBe('n'.repeat(150));
  await hr.put(`${path}/${id}`, { title: 'Letter' });
  expect((await hr.put(`${path}/${id}`, { title: null })).body.data.title).toBe(title);
  const labels = (await traces(id)).map(({ subject_label }) => subject_label?.split(': ')[1]);
  expect(labels).toEqual([title, 'Letter', title]);
});

test('a title of characters that have two code units is recorded', async () => {
  for (const title of ['😀'.repeat(150), `x${'😀'.repeat(149)}`]) {
    const answer = await hr.upload(path, { name: 'x.pdf', content: samples.pdf }, { category: 'letter', title });
    expect([answer.status, answer.body.data?.title]).toEqual([201, title]);
    const labels = (await traces(answer.body.data.id)).map(({ subject_label }) => subject_label);
    expect(labels).toEqual([expect.stringMatching(/^[^😀]+: x?😀+$/u)]);
  }
});

test.each([
  ['a stale revision', { title: 'Other', revision: 9 }, 422],
  ['a visibility nobody knows', { visibility: 'everybody' }, 422],
  ['no kind', { category: null }, 422],
  ['a title that is too long', { title: 'x'.repeat(151) }, 422],
])('%s is refused', async (_name, body, status) => {
  const before = await added();
  expect((await hr.put(`${path}/${before.id}`, body)).status).toBe(status);
  expect((await hr.get(`${path}/${before.id}`)).body.data).toEqual(before);
});

test('a user without permission to change people cannot change their files', async () => {
  const before = await added({ visibility: 'manager_employee' });
  for (const client of [manager, await as(lena.user_id)])
    expect((await client.put(`${path}/${before.id}`, { title: 'Mine' })).status).toBe(403);
  expect((await hr.put(`/api/employees/${boss.id}/attachments/${before.id}`, { title: 'x' })).status).toBe(404);
  expect((await hr.get(`${path}/${before.id}`)).body.data).toEqual(before);
});

test('without access to private details nothing is or becomes an identity document', async () => {
  const clerk = await make.employee({ roles: [] });
  await give(clerk.user_id, await roleWith('Filing', 'all', ['employees.view', 'employees.update']), [acme.id]);
  const client = await as(clerk.user_id);
  const before = await added();
  const content = { name: 'passport.pdf', content: samples.pdf };
  const files = async () => (await hr.get(`${path}?per_page=100`)).body;
  const all = await files();
  const refused = [
    await client.upload(path, content, { category: 'id_document' }),
    await client.put(`${path}/${before.id}`, { category: 'id_document' }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([403, 403]);
  expect(await files()).toEqual(all);
  expect((await client.put(`${path}/${before.id}`, { category: 'contract' })).status).toBe(200);
  expect((await client.upload(path, content, { category: 'letter' })).status).toBe(201);
});
