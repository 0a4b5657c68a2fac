import { describe, expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';

/** One address has many lookalike spellings; only one account can have any of them. */

const { as, make, owner } = await startApp();
const password = 'Str0ng!Passw0rd';
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const acme = await make.entity({ code: 'ACME' });
const crew = await make.department({ entity_id: acme.id, name: 'Crew' });
const zoe = await make.employee({ department_id: crew.id, email: 'zoë.park@acme.example', password });

const wide = (text: string) =>
  text.replaceAll(/[a-z.@]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0));
/** Spellings that fold to the same address. */
const same = [
  ['decomposed', 'zoë.park@acme.example'.normalize('NFD')],
  ['full width', wide('zoë.park@acme.example')],
  ['a full-width at sign', 'zoë.park＠acme.example'],
  ['capitals', 'ZOË.PARK@ACME.EXAMPLE'],
  ['mathematical letters', '𝐳oë.park@acme.example'],
] as const;
/** Spellings with invisible characters. */
const hidden = [
  ['zero width', 'zoë.pa\u200brk@acme.example'],
  ['right to left', '\u202ezoë.park@acme.example'],
  ['a soft hyphen', 'zoë.pa\u00adrk@acme.example'],
  ['a joiner', 'zoë.pa\u2060rk@acme.example'],
  ['a variation selector', 'zoë.park\ufe0f@acme.example'],
  ['a byte order mark inside', 'zoë.\ufeffpark@acme.example'],
  ['a control character', 'zoë.park\u0085@acme.example'],
  ['a private character', 'zoë.park\ue000@acme.example'],
] as const;

const taken = ['The email has already been taken.'];
const invalid = ['The email field must be a valid email address.'];
const person = (email: string) => ({
  email,
  first_name: 'Zoe',
  last_name: 'Parker',
  entity_id: acme.id,
  department_id: crew.id,
});
const accounts = async () => (await owner.query('select email from users order by id')).rows as unknown;

describe.each([...same.map((one) => [...one, taken] as const), ...hidden.map((one) => [...one, invalid] as const)])(
  'an address spelt with %s',
  (_what, email, refusal) => {
    test('is refused in the form, for a new person and an update', async () => {
      const before = await accounts();
      const other = await make.employee({ department_id: crew.id });
      const added = await hr.post('/api/employees', person(email));
      expect([added.status, added.body.errors]).toEqual([422, { email: refusal }]);
      const changed = await hr.put(`/api/employees/${other.id}`, { email });
      expect([changed.status, changed.body.errors]).toEqual([422, { email: refusal }]);
      await owner.query('delete from employees where id = $1', [other.id]);
      await owner.query('delete from users where id = $1', [other.user_id]);
      expect(await accounts()).toEqual(before);
    });

    test('is refused in an import', async () => {
      const content = ['first_name,last_name,email,entity,department', `Zoe,Parker,${email},ACME,Crew`].join('\n');
      const upload = await hr.upload('/api/employees/import', { name: 'people.csv', content }, { dry_run: '1' });
      const { data } = (await hr.get(`/api/employees/imports/${upload.body.data.id}/rows`)).body;
      expect([data[0].status, Object.keys(data[0].errors)]).toEqual(['failed', ['email']]);
    });
  },
);

test('two spellings of one address in an import are found', async () => {
  const rows = same
    .slice(0, 3)
    .map(([, email]) => `Zed,Moss,${email.replace('zo', 'zed').replace('ｚｏ', 'ｚｅｄ')},ACME,Crew`);
  const content = ['first_name,last_name,email,entity,department', ...rows].join('\n');
  const upload = await hr.upload('/api/employees/import', { name: 'people.csv', content }, { dry_run: '1' });
  const { data } = (await hr.get(`/api/employees/imports/${upload.body.data.id}/rows`)).body;
  for (const row of data) expect(row.errors.email?.[0]).toContain('have the same email');
});

test('an address is stored folded, and each of its spellings signs in', async () => {
  const added = await hr.post('/api/employees', person(wide('new.one@acme.example')));
  expect([added.status, added.body.data.email]).toEqual([201, 'new.one@acme.example']);
  for (const [what, email] of same) {
    const answer = await (await as()).post('/login', { email, password });
    expect([what, answer.status]).toEqual([what, 200]);
  }
  for (const [, email] of hidden)
    expect((await (await as()).post('/login', { email, password })).body.errors).toEqual({ email: invalid });
  expect((await hr.get(`/api/employees/${zoe.id}`)).body.data.email).toBe('zoë.park@acme.example');
});

test('the database refuses a second spelling too', async () => {
  for (const [, email] of [...same.slice(0, 2), ...hidden.slice(0, 3)])
    await expect(owner.query('insert into users (email) values (lower($1))', [email])).rejects.toThrow(
      /users_email_folded_key/,
    );
});
