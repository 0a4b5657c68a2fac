import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { mailServer } from '../../testing/mail-server.ts';

const { deliver, received, port } = await mailServer();
const { as, make, deps } = await startApp({ SMTP_URL: `smtp://127.0.0.1:${port}` });
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const password = 'An0ther#Phrase';
const inGerman = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };
const inEnglish = { 'accept-language': 'en-GB,en;q=0.9' };

async function germanCompany() {
  const entity = (await hr.post('/api/entities', { name: `Werk ${Math.random()}`, locale: 'de' })).body.data;
  const department = await make.department({ entity_id: entity.id });
  return { entity, department };
}

let serial = 0;
/** A person whom HR adds to a department, without a password. */
async function added(department: { id: number; entity_id: number }, fields: object = {}) {
  serial += 1;
  const body = { first_name: 'Lena', last_name: `Park ${serial}`, email: `lena.${serial}@werk.example`, ...fields };
  const answer = await hr.post('/api/employees', {
    entity_id: department.entity_id,
    department_id: department.id,
    employment_lifecycle: 'confirmed',
    joining_date: '2026-01-05',
    ...body,
  });
  expect(answer.status).toBe(201);
  return answer.body.data as { id: number; user: { id: number } };
}
const languageOf = async (userId: number) => (await (await as(userId)).get('/api/me')).body.data.user.locale;
const signIn = async (email: string, headers: Record<string, string> = {}) =>
  (await (await as()).post('/login', { email, password }, headers)).status;

test('a company has a language, English unless it says another, and only a tag of one', async () => {
  const { entity } = await germanCompany();
  expect(entity.locale).toBe('de');
  expect((await hr.post('/api/entities', { name: 'Plain Foods' })).body.data.locale).toBe('en');
  const wrong = await hr.put(`/api/entities/${entity.id}`, { locale: 'not a language' });
  expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['locale']]);
});

test('people are invited in the language of their company', async () => {
  const { department } = await germanCompany();
  const lena = await added(department);
  expect((await hr.post(`/api/employees/${lena.id}/invite`)).status).toBe(200);
  await deliver(deps);
  expect(received.at(-1)?.source).toContain('Guten Tag Lena');
});

test('the first address of a person makes an account in the language of the company', async () => {
  const { department } = await germanCompany();
  const { id } = await added(department, { email: null });
  const { user } = (await hr.put(`/api/employees/${id}`, { email: 'late@werk.example' })).body.data;
  expect(await languageOf(user.id)).toBe('de');
});

test('an import makes accounts in the language of each company', async () => {
  const { entity, department } = await germanCompany();
  const plain = (await hr.post('/api/entities', { name: 'Plain Imports' })).body.data;
  const header = 'employee_number,first_name,last_name,email,entity,department';
  const lines = [
    `I-1,Uwe,Import,uwe@import.example,${entity.name},${department.name}`,
    `I-2,Ann,Import,ann@import.example,${plain.name},Buying`,
  ];
  const upload = await hr.upload(
    '/api/employees/import',
    { name: 'people.csv', content: [header, ...lines].join('\n') },
    { create_departments: '1' },
  );
  expect(upload.body.data).toMatchObject({ status: 'completed' });
  const users = (await hr.get('/api/employees?search=Import&per_page=100')).body.data;
  const languages = users.map(async ({ id }: { id: number }) =>
    languageOf((await hr.get(`/api/employees/${id}`)).body.data.user.id),
  );
  expect(await Promise.all(languages)).toEqual(['en', 'de']);
});

test('another language of a company is that of people who have not signed in and chose none', async () => {
  const { entity, department } = await germanCompany();
  const [waiting, choosing] = [await added(department), await added(department)];
  await (await as(choosing.user.id)).put('/api/profile', { locale: 'de' });
  const known = await make.employee({ department_id: department.id, password });
  expect(await signIn(known.email, inGerman)).toBe(200);
  expect((await hr.put(`/api/entities/${entity.id}`, { locale: 'en' })).status).toBe(200);
  const people = [waiting.user.id, choosing.user.id, known.user_id];
  expect(await Promise.all(people.map(languageOf))).toEqual(['en', 'de', 'de']);
});

test('a sign-in notes the language of the browser until the person chooses one', async () => {
  const { user_id, email } = await make.employee({ password });
  expect(await signIn(email, inGerman)).toBe(200);
  expect(await languageOf(user_id)).toBe('de');
  for (const headers of [{}, { 'accept-language': 'tlh, *;q=0.1' }, { 'accept-language': 'xx' }])
    expect(await signIn(email, headers)).toBe(200);
  expect(await languageOf(user_id)).not.toBe('tlh');
  expect(await signIn(email, inEnglish)).toBe(200);
  expect(await languageOf(user_id)).toBe('en');
  const own = await as(user_id);
  const isChosen = async () => (await own.get('/api/me')).body.data.user.locale_chosen;
  expect(await isChosen()).toBe(false);
  // English is already in use, and now the user has chosen it
  expect((await own.put('/api/profile', { locale: 'en' })).status).toBe(200);
  expect(await isChosen()).toBe(true);
  expect(await signIn(email, inGerman)).toBe(200);
  expect(await languageOf(user_id)).toBe('en');
});
