import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';

const { as, make, deps } = await startApp();
const acme = await make.entity({ name: 'Acme Foods Ltd', code: 'ACME' });
const sales = await make.department({ entity_id: acme.id, name: 'The name field is required.' });
const hr = await as((await make.employee({ roles: ['HR'], department_id: sales.id })).user_id);
const guest = await as();

const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.4' };
const language = ({ headers }: { headers: Record<string, unknown> }) => [headers['content-language'], headers['vary']];

test('who asks for nothing, or for a language that is not shipped, reads English', async () => {
  for (const headers of [{}, { 'accept-language': 'fr-CH, *;q=0.5' }, { 'accept-language': 'en;q=0.9,de;q=0.1' }]) {
    const answer = await hr.get('/api/entities/999999', headers);
    expect(answer.body).toEqual({ message: 'Not found.' });
    expect(language(answer)).toEqual(['en', 'Origin, Accept-Language']);
  }
});

test('refusals, fields and successes are in German for who prefers it', async () => {
  const missing = await hr.get('/api/entities/999999', german);
  expect(missing.body).toEqual({ message: 'Nicht gefunden.' });
  expect(language(missing)).toEqual(['de', 'Origin, Accept-Language']);
  expect((await guest.get('/api/me', german)).body).toEqual({ message: 'Sie sind nicht angemeldet.' });
  expect((await guest.get('/api/nothing', german)).body).toEqual({ message: 'Nicht gefunden.' });
  const wrong = await hr.post('/api/entities', { code: 'a' }, german);
  expect(wrong.status).toBe(422);
  expect(wrong.body.errors.name).toEqual(['„Name“ ist erforderlich.']);
  expect(wrong.body.message).toMatch(/^„Name“ ist erforderlich\. \(und (1 weiterer Fehler|\d weitere Fehler)\)$/);
  const taken = await hr.post('/api/entities', { name: 'acme foods ltd', country: 'GB', timezone: 'UTC' }, german);
  expect([taken.status, taken.body.errors.name]).toEqual([422, ['„Name“ ist schon vergeben.']]);
  const made = await hr.post('/api/entities', { name: 'Globex', country: 'DE', timezone: 'Europe/Berlin' }, german);
  expect([made.status, made.body.message]).toEqual([201, 'Das Unternehmen wurde angelegt.']);
});

test('what people wrote stays as it is', async () => {
  const read = await hr.get(`/api/departments/${sales.id}`, german);
  expect(read.body.message).toBe('Vorgang erfolgreich.');
  expect(read.body.data.name).toBe('The name field is required.');
  const refused = await hr.send('DELETE', `/api/departments/${sales.id}`, { headers: german });
  expect(refused.status).toBe(422);
  expect(refused.body.errors.department[0]).toMatch(
    /^The name field is required\. kann nicht gelöscht werden\. Noch vorhanden: 1 Person\b/,
  );
  expect((await hr.get(`/api/departments/${sales.id}`)).status).toBe(200);
});

test('an answer repeated for its key is in the language of the caller', async () => {
  const body = { name: 'Initech', country: 'DE', timezone: 'Europe/Berlin' };
  const key = { 'idempotency-key': 'one-company' };
  const first = await hr.post('/api/entities', body, key);
  expect(first.body.message).toBe('Company created successfully.');
  const again = await hr.post('/api/entities', body, { ...key, ...german });
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect([again.headers['content-language'], again.body]).toEqual([
    'de',
    { ...first.body, message: 'Das Unternehmen wurde angelegt.' },
  ]);
});

test('rows of an import and the file of its errors are in the language of the reader', async () => {
  const content = `employee_number,first_name,last_name,email,entity,department\nX-1,Ann,,nope,Acme Foods Ltd,Nowhere`;
  const checked = await hr.upload('/api/employees/import', { name: 'people.csv', content }, { dry_run: '1' });
  const path = `/api/employees/imports/${checked.body.data.id}`;
  const [english] = (await hr.get(`${path}/rows`)).body.data;
  const [row] = (await hr.get(`${path}/rows`, german)).body.data;
  expect(english.errors.email).toEqual(['The email field must be a valid email address.']);
  expect(row.errors.email).toEqual(['„E-Mail“ muss eine gültige E-Mail-Adresse sein.']);
  expect(row.cells).toEqual(english.cells);
  const file = await hr.get(`${path}/errors.csv`, german);
  expect(file.body).toContain('„E-Mail“ muss eine gültige E-Mail-Adresse sein.');
  expect(file.body.split('\n', 1)[0]).toBe((await hr.get(`${path}/errors.csv`)).body.split('\n', 1)[0]);
});

test('too many tries to sign in are refused in German too', async () => {
  const { email } = await deps.db.selectFrom('users').select('email').orderBy('id').executeTakeFirstOrThrow();
  let answer = await guest.post('/api/login', { email, password: 'wrong' }, german);
  expect(answer.body.errors.email).toEqual(['Diese Anmeldedaten stimmen nicht.']);
  while (answer.status === 422) answer = await guest.post('/api/login', { email, password: 'wrong' }, german);
  expect(answer.status).toBe(429);
  expect(answer.body.message).toMatch(/^Zu viele Anmeldeversuche\. Bitte versuchen Sie es in \d+ Sekunden erneut\.$/);
});
