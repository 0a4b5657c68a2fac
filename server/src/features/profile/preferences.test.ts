import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make, owner } = await startApp();
const person = await make.employee();
const client = await as(person.user_id);
const preferences = async () => (await client.get('/api/profile')).body.data.user.preferences as object;
const putPreferences = (value: unknown) => client.put('/api/profile', { preferences: value });

test('preferences start empty, store sent values, and clear null ones', async () => {
  expect(await preferences()).toEqual({});
  const first = await putPreferences({
    appearance: 'dark',
    density: 'compact',
    start_page: '/employees',
    lists: { employees: { columns: ['name', 'email'], density: 'comfortable' }, roles: { per_page: 50 } },
  });
  expect([first.status, first.body.message]).toEqual([200, 'Profile updated successfully.']);
  await putPreferences({ appearance: null, lists: { employees: { columns: ['name'] }, roles: null } });
  const kept = {
    density: 'compact',
    start_page: '/employees',
    lists: { employees: { columns: ['name'], density: 'comfortable' } },
  };
  expect(await preferences()).toEqual(kept);
  await client.put('/api/profile', { locale: 'de' });
  expect(await preferences()).toEqual(kept);
  await putPreferences({ lists: null });
  expect(await preferences()).toEqual({ density: 'compact', start_page: '/employees' });
});

test('an account without a person has preferences too', async () => {
  const admin = await as((await make.admin()).user_id);
  const answer = await admin.put('/api/profile', { preferences: { appearance: 'light' } });
  expect(answer.body.data.user.preferences).toEqual({ appearance: 'light' });
});

test('a change is written to the audit log, and one that changes nothing is not', async () => {
  const count = async () => (await owner.query('select count(*)::int as n from audit_log')).rows[0].n as number;
  await putPreferences({ density: 'compact' });
  const before = await count();
  await putPreferences({ density: 'compact' });
  expect(await count()).toBe(before);
  await putPreferences({ density: 'comfortable' });
  const { rows } = await owner.query('select action, changes from audit_log order by id desc limit 1');
  expect(rows[0]).toEqual({
    action: 'account.updated',
    changes: { density: { from: 'compact', to: 'comfortable' } },
  });
});

test.each([
  [{ volume: 11 }, 'preferences.volume'],
  [{ appearance: 'pink' }, 'preferences.appearance'],
  [{ start_page: 'https://elsewhere.example' }, 'preferences.start_page'],
  [{ start_page: '//elsewhere.example' }, 'preferences.start_page'],
  [{ lists: { salaries: {} } }, 'preferences.lists.salaries'],
  [{ lists: { employees: { width: 3 } } }, 'preferences.lists.employees.width'],
  [{ lists: { employees: { columns: ['x', 'x'] } } }, 'preferences.lists.employees.columns'],
  [
    { lists: { employees: { columns: Array.from({ length: 51 }, (_x, n) => `c${n}`) } } },
    'preferences.lists.employees.columns',
  ],
  ['dark', 'preferences'],
  [{ density: 'compact', appearance: ['dark'] }, 'preferences.appearance'],
])('%j is refused on %s', async (value, field) => {
  const before = await preferences();
  const answer = await putPreferences(value);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
  expect(await preferences()).toEqual(before);
});

test('all preferences together stay small', async () => {
  const columns = Array.from({ length: 50 }, (_x, n) => `column_${n}_${'x'.repeat(25)}`);
  const before = await preferences();
  const lists = ['employees', 'departments', 'entities', 'roles', 'imports', 'sessions'];
  const answer = await putPreferences({ lists: Object.fromEntries(lists.map((list) => [list, { columns }])) });
  expect([answer.status, answer.body.errors]).toEqual([
    422,
    { preferences: ['The preferences field must not be greater than 8 kilobytes.'] },
  ]);
  expect(await preferences()).toEqual(before);
});
