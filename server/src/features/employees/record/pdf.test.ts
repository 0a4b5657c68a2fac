import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import type { Client } from '../../../testing/client.ts';

/** The PDF of a person shows its reader the fields of the detail page, and no private ones. */

const { as, deps, make, owner } = await startApp();

const acme = await make.entity({ name: 'Acme Foods Ltd', address: '1 Mill Road, Leeds' });
const buying = await make.department({ entity_id: acme.id, name: 'Purchasing' });
const boss = await make.employee({ entity_id: acme.id, roles: ['Manager'], first_name: 'Omar', last_name: 'Diaz' });
const lena = await make.employee({
  department_id: buying.id,
  first_name: 'Lena',
  last_name: 'Park',
  email: 'lena.park@acme.example',
  job_title: 'Buyer',
  grade: 'T2',
  phone: '+44 113 496 0101',
  reporting_manager_id: boss.id,
  employment_type: 'part_time',
  employment_lifecycle: 'probationary',
  joining_date: '2026-02-02',
  nationality: 'Utopian',
  personal_email: 'lena@home.example',
  mobile: '+44 7700 900101',
  bank: { iban: 'GB00123456781234' },
});
const hrPerson = await make.employee({ roles: ['HR'] });
const directory = await deps.db
  .insertInto('roles')
  .values({ name: 'Directory', scope: 'own' })
  .returning('id')
  .executeTakeFirstOrThrow();
await deps.db
  .insertInto('role_permissions')
  .values(['employees.view', 'employees.view_all'].map((permission) => ({ role_id: directory.id, permission })))
  .execute();
const watcher = await make.employee();
await deps.db
  .insertInto('role_assignments')
  .values({ user_id: watcher.user_id, role_id: directory.id, entity_ids: null })
  .execute();
const stranger = await make.employee();
const [own, manager, hr, card, outside] = (await Promise.all(
  [lena, boss, hrPerson, watcher, stranger].map(({ user_id }) => as(user_id)),
)) as [Client, Client, Client, Client, Client];

const url = `/api/employees/${lena.id}/pdf`;
async function printed(client: Client, headers = {}): Promise<string> {
  const { status, bytes } = await client.get(url, headers);
  expect(status).toBe(200);
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  return text.replaceAll(/\s+/g, ' ');
}
const onCard = ['Lena Park', 'Buyer', 'Purchasing', 'lena.park@acme.example', 'Omar Diaz', 'Active'];
const ofWork = ['T2', 'Part time', '+44 113 496 0101', '2 February 2026', 'On probation'];
const hidden = ['Utopian', 'lena@home.example', '900101', '1234', 'IBAN', 'Nationality'];
const traces = async () => {
  const { rows } = await owner.query(
    `select actor_id from audit_log where action = 'employee.downloaded' and subject_id = $1 order by id`,
    [lena.id],
  );
  return (rows as { actor_id: string }[]).map(({ actor_id }) => Number(actor_id));
};

test.each([
  ['HR', () => hr],
  ['the manager', () => manager],
  ['the person', () => own],
])('for %s it has letterhead, card and employment, and no private field', async (_who, client) => {
  const text = await printed(client());
  for (const part of ['Acme Foods Ltd 1 Mill Road, Leeds', 'Page 1 of 1 · ', ...onCard, ...ofWork])
    expect(text).toContain(part);
  for (const part of hidden) expect(text).not.toContain(part);
});

test('for a reader of the card it has the card only', async () => {
  const text = await printed(card);
  for (const part of onCard) expect(text).toContain(part);
  for (const part of [...ofWork, ...hidden, 'Grade', 'Employment status']) expect(text).not.toContain(part);
});

test('private details are not in it on request either', async () => {
  const { status, bytes } = await hr.get(`${url}?reveal=private`);
  if (status === 200) {
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
    for (const part of hidden) expect(text).not.toContain(part);
  }
  expect([200, 422]).toContain(status);
});

test('it is in the language of the reader, and named after the person', async () => {
  const text = await printed(own, { 'Accept-Language': 'de' });
  for (const part of ['Teilzeit', '2. Februar 2026', 'Seite 1 von 1']) expect(text).toContain(part);
  const { headers } = await own.get(url);
  expect(headers['content-type']).toBe('application/pdf');
  expect(String(headers['content-disposition'])).toContain('Lena Park');
});

test('who is out of scope gets nothing, and downloads of others are recorded', async () => {
  expect((await outside.get(url)).status).toBe(404);
  expect((await (await as()).get(url)).status).toBe(401);
  const before = await traces();
  await printed(own);
  expect(await traces()).toEqual(before);
  await printed(manager);
  expect(await traces()).toEqual([...before, boss.user_id]);
});
