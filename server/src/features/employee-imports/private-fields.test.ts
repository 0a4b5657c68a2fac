import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Answer, Client } from '../../testing/client.ts';

/** Address, emergency contact and bank account in files: who can import or read them, and what an undo restores. */

const { as, make, deps, owner } = await startApp();
const acme = await make.entity({ name: 'Acme Foods Ltd' });
const sales = await make.department({ entity_id: acme.id, name: 'Sales' });
const hr = await as((await make.employee({ entity_id: acme.id, roles: ['HR'] })).user_id);
const otherHr = await as((await make.employee({ entity_id: acme.id, roles: ['HR'] })).user_id);

let serial = 0;
/** A user whose role imports for all people, with other permissions. */
async function importer(...more: string[]) {
  serial += 1;
  const person = await make.employee({ entity_id: acme.id, roles: [] });
  const usual = ['employees.view', 'employees.update', 'employees.import', 'employees.create', 'employees.export'];
  await owner.query(
    `with made as (insert into roles (name, scope) values ($1, 'all') returning id),
          given as (insert into role_permissions (role_id, permission) select id, unnest($2::text[]) from made)
     insert into role_assignments (user_id, role_id) select $3, id from made`,
    [`Importer ${serial}`, [...usual, ...more], person.user_id],
  );
  return as(person.user_id);
}
const clerk = await importer();

const ok = ({ status, body }: Answer) => {
  expect([200, 201], JSON.stringify(body)).toContain(status);
  return body.data;
};
const header = 'employee_number,first_name,last_name,email,entity,department';
const place = 'Acme Foods Ltd,Sales';
async function upload(client: Client, content: string, fields: Record<string, string> = {}) {
  serial += 1;
  const file = { name: `private-${serial}.csv`, content };
  return client.upload('/api/employees/import', file, { on_conflict: 'update', ...fields });
}
const stored = (id: number) =>
  deps.db
    .selectFrom('employees')
    .select(['address', 'emergency_contact', 'bank'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const rowsOf = async (client: Client, id: number) => ok(await client.get(`/api/employees/imports/${id}/rows`));

const lena = () =>
  make.employee({
    department_id: sales.id,
    address: { line1: 'Zqold street 1', city: 'Zqoldtown' },
    bank: { bank_name: 'Zqoldbank', iban: 'DE89370400440532013000' },
  });

test('headings in both languages are read as the parts of a field; the other parts stay', async () => {
  const person = await lena();
  const content = `Personalnummer,Straße,PLZ,Ort,Notfallnummer,Kontoinhaber,IBAN
${person.employee_number},Neue Gasse 2,01069,-,+49 351 1,Lena Park,DE02120300000000202051`;
  const found = ok(await upload(hr, content));
  expect(found).toMatchObject({ status: 'completed', counts: { updated: 1, failed: 0 } });
  expect(found.columns.map(({ field }: { field: string }) => field)).toEqual([
    'employee_number',
    'address_line1',
    'address_postal_code',
    'address_city',
    'emergency_contact_phone',
    'bank_account_title',
    'bank_iban',
  ]);
  expect(await stored(person.id)).toMatchObject({
    address: { line1: 'Neue Gasse 2', city: null, postal_code: '01069' },
    emergency_contact: { phone: '+49 351 1', name: null },
    bank: { bank_name: 'Zqoldbank', account_title: 'Lena Park', iban: 'DE02120300000000202051' },
  });
  // the log says that they changed, not how
  const entry = await deps.db
    .selectFrom('audit_log')
    .select('changes')
    .where('action', '=', 'employee.updated')
    .where('subject_id', '=', person.id)
    .executeTakeFirstOrThrow();
  expect(Object.keys(entry.changes ?? {}).sort()).toEqual(['address', 'bank', 'emergency_contact']);
  expect(JSON.stringify(entry.changes)).not.toMatch(/Gasse|Zqold|DE02|351/);
  ok(await hr.post(`/api/employees/imports/${found.id}/undo`));
  expect(await stored(person.id)).toMatchObject({
    address: { line1: 'Zqold street 1', city: 'Zqoldtown', postal_code: null },
    emergency_contact: null,
    bank: { bank_name: 'Zqoldbank', account_title: null, iban: 'DE89370400440532013000' },
  });
});

test('a new person is added with them, and an impossible part names its column', async () => {
  const content = `${header},address_city,emergency_contact_phone,bank_iban
N-1,Ann,Lee,n1@example.com,${place},Leeds,+44 1,GB00
N-2,Ann,Lee,n2@example.com,${place},${'x'.repeat(151)},call me,${'1'.repeat(61)}`;
  const found = ok(await upload(hr, content));
  expect(found.counts).toMatchObject({ created: 1, failed: 1 });
  const [, wrong] = await rowsOf(hr, found.id);
  expect(wrong.errors).toEqual({
    address_city: ['The city field must not be greater than 150 characters.'],
    emergency_contact_phone: ['The contact phone field format is invalid.'],
    bank_iban: ['The IBAN field must not be greater than 60 characters.'],
  });
  const made = await deps.db
    .selectFrom('employees')
    .select('id')
    .where('employee_number', '=', 'N-1')
    .executeTakeFirstOrThrow();
  expect(await stored(made.id)).toMatchObject({ address: { city: 'Leeds' }, bank: { iban: 'GB00' } });
});

test('without the permission a column is refused when it is chosen, and its cells when it is found', async () => {
  const person = await lena();
  const content = `employee_number,job_title,home,bank_iban
${person.employee_number},Buyer,Zqsecret,DE02`;
  const chosen = await upload(clerk, content, { mapping: JSON.stringify({ home: 'address_city' }) });
  expect([chosen.status, chosen.body.errors]).toEqual([
    422,
    { mapping: ['You don’t have permission to set the city.'] },
  ]);
  const withDefault = await upload(clerk, content, { defaults: JSON.stringify({ address_city: 'Leeds' }) });
  expect([withDefault.status, withDefault.body.errors]).toEqual([
    422,
    { defaults: ['You don’t have permission to set the city.'] },
  ]);
  const found = ok(await upload(clerk, content, { dry_run: '1' }));
  const [row] = await rowsOf(clerk, found.id);
  expect(row).toMatchObject({
    status: 'failed',
    errors: { bank_iban: ['You don’t have permission to set the IBAN.'] },
  });
  expect(row.cells).not.toHaveProperty('bank_iban');
  const remapped = await clerk.put(`/api/employees/imports/${found.id}`, {
    mapping: { bank_iban: 'bank_iban' },
    revision: found.revision,
  });
  expect(remapped.status).toBe(422);
});

test('a permission lost after the check refuses the commit, and nothing is written', async () => {
  const person = await lena();
  const client = await importer('employees.view_sensitive');
  const content = `employee_number,address_city\n${person.employee_number},Leeds`;
  const { id } = ok(await upload(client, content, { dry_run: '1' }));
  await owner.query(
    `delete from role_permissions where permission = 'employees.view_sensitive'
     and role_id = (select id from roles where name like 'Importer %' order by id desc limit 1)`,
  );
  await owner.query(`update roles set description = 'changed' where name like 'Importer %'`);
  const refused = await client.post(`/api/employees/imports/${id}/commit`);
  expect(refused.status).toBe(422);
  const [row] = await rowsOf(client, id);
  expect(row.errors).toEqual({ address_city: ['You don’t have permission to set the city.'] });
  expect(await stored(person.id)).toMatchObject({ address: { city: 'Zqoldtown' } });
});

test('staged private values are read by their uploader, and by readers of all private details without bank', async () => {
  const person = await lena();
  const content = `employee_number,address_city,gender,bank_iban
${person.employee_number},Zqnewtown,Zqgender,Zqiban1234`;
  const defaults = JSON.stringify({ address_country: 'Zqcountry' });
  const { id } = ok(await upload(hr, content, { dry_run: '1', defaults }));
  const everythingOf = async (client: Client) => {
    const paths = ['', '/rows', '/problems', '/values', '/errors.csv'];
    const answers = await Promise.all(paths.map((path) => client.get(`/api/employees/imports/${id}${path}`)));
    const list = await client.get('/api/employees/imports?per_page=100');
    expect([...answers, list].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    return [...answers, list].map(({ bytes }) => bytes.toString()).join('\n');
  };
  const [mine, colleagues, clerks] = [await everythingOf(hr), await everythingOf(otherHr), await everythingOf(clerk)];
  for (const value of ['Zqnewtown', 'Zqgender', 'Zqcountry', 'Zqiban1234']) expect(mine).toContain(value);
  for (const value of ['Zqnewtown', 'Zqgender', 'Zqcountry']) expect(colleagues).toContain(value);
  expect(colleagues).not.toContain('Zqiban');
  expect(clerks).not.toMatch(/Zqnewtown|Zqgender|Zqcountry|Zqiban/);
  const [row] = await rowsOf(clerk, id);
  expect(row.errors.gender).toEqual(['Only people with access to private details can read this error.']);
  const errors = parse((await clerk.get(`/api/employees/imports/${id}/errors.csv`)).bytes, { bom: true });
  expect(errors[0]).toEqual(['employee_number', 'errors']);
});

test('the preview shows stored account numbers masked', async () => {
  const person = await lena();
  const content = `employee_number,bank_iban,bank_bank_name\n${person.employee_number},DE02120300000000202051,Nord`;
  const { id } = ok(await upload(hr, content, { dry_run: '1' }));
  const [row] = await rowsOf(hr, id);
  expect(row.changes).toEqual({
    bank_iban: { from: '****3000', to: '****2051' },
    bank_bank_name: { from: 'Zqoldbank', to: 'Nord' },
  });
});

test('an undo puts back private values only for users who may set them', async () => {
  const person = await lena();
  const content = `employee_number,address_city\n${person.employee_number},Leeds`;
  const { id } = ok(await upload(hr, content));
  const refused = await clerk.post(`/api/employees/imports/${id}/undo`);
  expect(refused.status).toBe(422);
  expect(await stored(person.id)).toMatchObject({ address: { city: 'Leeds' } });
  ok(await hr.post(`/api/employees/imports/${id}/undo`));
  expect(await stored(person.id)).toMatchObject({ address: { city: 'Zqoldtown' } });
});

/** Texts as people write them, including notations specific to files. */
const texts = fc
  .oneof(
    fc.string({ maxLength: 40, unit: 'grapheme' }),
    fc.string({ maxLength: 40, unit: fc.constantFrom('a', '|', '"', ',', ';', '\n', ' ', '-', "'", '=') }),
    fc.constantFrom('=1+1', '00123', 'true', "'-", '-', '2026-01-01', '@sum', '****1234'),
  )
  .map((text) => text.trim())
  .filter((text) => text !== '' && !/[\p{Cc}--\n]/v.test(text) && text.isWellFormed());
const perhaps = fc.option(texts, { nil: undefined });
const parts = fc.record({
  address: fc.record({ line1: perhaps, line2: perhaps, city: perhaps, state: perhaps, country: perhaps }),
  emergency_contact: fc.record({ name: perhaps, relation: perhaps }),
  bank: fc.record({ bank_name: perhaps, branch: perhaps, account_number: perhaps, iban: perhaps }),
});

test('an export of any private details imported again changes nothing', async () => {
  const person = await make.employee({ department_id: sales.id, employee_number: 'RT-1' });
  await fc.assert(
    fc.asyncProperty(parts, fc.constantFrom('csv', 'xlsx'), async (sent, format) => {
      const client = await importer('employees.view_sensitive');
      const { revision } = ok(await client.get(`/api/employees/${person.id}`));
      ok(await client.put(`/api/employees/${person.id}`, { ...sent, revision }));
      const before = await stored(person.id);
      const file = await client.get(`/api/employees/export?id=${person.id}&reveal=bank&format=${format}`);
      serial += 1;
      const again = { name: `again-${serial}.${format}`, content: file.bytes };
      const found = ok(await client.upload('/api/employees/import', again, { on_conflict: 'update' }));
      expect(found.counts).toMatchObject({ total: 1, skipped: 1, failed: 0 });
      expect(await stored(person.id)).toEqual(before);
    }),
    { numRuns: 20 },
  );
});
