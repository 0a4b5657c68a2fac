import type { Permission } from '@tenure/contract';
import { expect, test } from 'vitest';
import { sampleFiles } from '../../testing/file-samples.ts';
import { startApp } from '../../testing/app.ts';
import type { Answer, Client } from '../../testing/client.ts';

/** Values hidden on a record are hidden from the same readers in the copies that the log has. */

const { as, make, owner } = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
const samples = await sampleFiles();
const acme = await make.entity();
const hrPerson = await make.employee({ entity_id: acme.id, roles: ['HR'] });
const hr = await as(hrPerson.user_id);

/** A reader of the whole log, whose role has these permissions. */
async function reader(...permissions: Permission[]) {
  const { rows } = await owner.query<{ id: number }>(
    `insert into roles (name, scope) values ($1, 'all') returning id`,
    [`Reader ${permissions.join(' ')}`],
  );
  await owner.query('insert into role_permissions (role_id, permission) select $1, unnest($2::text[])', [
    rows[0]?.id,
    ['audit.view', ...permissions],
  ]);
  const person = await make.employee({ entity_id: acme.id });
  await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [person.user_id, rows[0]?.id]);
  return as(person.user_id);
}
const auditor = await reader();
const withRecords = await reader('employees.view');
const withPrivate = await reader('employees.view', 'employees.view_sensitive');
const withFiles = await reader('employees.view', 'employees.update');

/** Everything that the log returns to a reader, from every endpoint. */
async function logOf(client: Client, search: string) {
  const urls = [
    '/api/audit-log?per_page=100',
    '/api/audit-log/export',
    `/api/audit-log?search=${search}`,
    `/api/audit-log/export?search=${search}`,
  ];
  const answers = await Promise.all(urls.map((url) => client.get(url)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const [list, file, found, foundFile] = answers as [Answer, Answer, Answer, Answer];
  const one = await client.get(`/api/audit-log/${list.body.data[0].id}`);
  const text = [list, file, one].map((answer) => answer.bytes.toString()).join('\n');
  return { text, found: found.body.meta.total as number, rows: foundFile.bytes.toString().trim().split('\n').length };
}

test('the reason of a departure or absence is visible to readers of private details', async () => {
  const [leaver, away] = [await make.employee({ entity_id: acme.id }), await make.employee({ entity_id: acme.id })];
  const separation = { type: 'resigned', last_working_date: '2099-01-31', reason: 'Zorbleave is why' };
  expect((await hr.post(`/api/employees/${leaver.id}/separate`, separation)).status).toBe(200);
  expect((await hr.post(`/api/employees/${away.id}/deactivate`, { reason: 'Zorbaway is why' })).status).toBe(200);
  for (const client of [auditor, withRecords, withFiles])
    expect((await logOf(client, 'x')).text).not.toMatch(/Zorbleave|Zorbaway/);
  for (const client of [withPrivate, hr]) expect((await logOf(client, 'x')).text).toMatch(/Zorbleave[^]*|Zorbaway/);
});

test('current and former jobs are visible to readers of the record', async () => {
  const person = await make.employee({ entity_id: acme.id });
  expect((await hr.put(`/api/employees/${person.id}`, { grade: 'Zorbgrade' })).status).toBe(200);
  expect((await logOf(auditor, 'x')).text).not.toContain('Zorbgrade');
  expect((await logOf(auditor, 'x')).text).toContain('"grade":{"from":null,"to":"[hidden]"}');
  for (const client of [withRecords, hr]) expect((await logOf(client, 'x')).text).toContain('Zorbgrade');
});

test('the name of a file is visible and searchable for HR only, also after its deletion', async () => {
  const person = await make.employee({ entity_id: acme.id, first_name: 'Una' });
  const path = `/api/employees/${person.id}/attachments`;
  const add = async (title: string, category: string) => {
    const added = await hr.upload(path, { name: `${title}.pdf`, content: samples.pdf }, { title, category });
    expect(added.status).toBe(201);
    return added.body.data.id as number;
  };
  const gone = await add('Zorbgone', 'letter');
  await add('Zorbletter', 'letter');
  await add('Zorbpassport', 'id_document');
  expect((await hr.delete(`${path}/${gone}`)).status).toBe(204);
  for (const client of [auditor, withRecords, withPrivate]) {
    const { text, found, rows } = await logOf(client, 'zorbletter');
    expect(text).not.toMatch(/Zorbletter|Zorbpassport|Zorbgone/);
    expect(text).toContain('attachment.created');
    expect([found, rows]).toEqual([0, 1]);
  }
  const files = await logOf(withFiles, 'zorbletter');
  expect([files.text.includes('Zorbletter'), files.text.includes('Zorbpassport'), files.found]).toEqual([
    true,
    false,
    1,
  ]);
  const all = await logOf(hr, 'zorbletter');
  expect(all.text).toMatch(/Zorbpassport[^]*Zorbletter|Zorbletter[^]*Zorbpassport/);
  expect([all.text.includes('Zorbgone'), all.found, all.rows]).toEqual([true, 1, 2]);
});

test('HR reads nothing of files about themselves that are hidden from them', async () => {
  const other = await as((await make.employee({ entity_id: acme.id, roles: ['HR'] })).user_id);
  const path = `/api/employees/${hrPerson.id}/attachments`;
  const add = (title: string, visibility: string) =>
    other.upload(path, { name: `${title}.pdf`, content: samples.pdf }, { title, category: 'letter', visibility });
  const kept = await add('Zorbkept', 'hr_only');
  await add('Zorbgiven', 'employee');
  for (const gone of [false, true]) {
    const { text, found } = await logOf(hr, 'zorbkept');
    expect([text.includes('Zorbkept'), text.includes('Zorbgiven'), found]).toEqual([false, true, 0]);
    expect((await logOf(other, 'zorbkept')).text).toContain('Zorbkept');
    if (!gone) expect((await other.delete(`${path}/${kept.body.data.id}`)).status).toBe(204);
  }
});

test('a private view is visible to its owner, a shared one to all', async () => {
  const add = (name: string, is_shared: boolean) =>
    hr.post('/api/saved-views', { name, resource: 'employees', query: { search: `${name}query` }, is_shared });
  expect((await add('Zorbprivate', false)).status).toBe(201);
  expect((await add('Zorbshared', true)).status).toBe(201);
  const { text, found } = await logOf(auditor, 'zorbprivate');
  expect([text.includes('Zorbprivate'), text.includes('Zorbshared'), found]).toEqual([false, true, 0]);
  expect((await logOf(hr, 'zorbprivate')).found).toBe(1);
});
