import { shownOnHome } from '@tenure/contract';
import type { HomeNews } from '@tenure/contract';
import { afterEach, describe, expect, test } from 'vitest';
import type { Actor } from '../../access/actor.ts';
import { startApp } from '../../testing/app.ts';
import { readColleagues } from './colleagues.ts';

const app = await startApp();
const { as, make, owner } = app;
const north = await make.entity({ name: 'North' });
const south = await make.entity({ name: 'South' });
const today = Temporal.Now.plainDateISO('UTC');
const ago = (duration: Temporal.DurationLike) => today.subtract(duration).toString();
const ahead = (days: number) => today.add({ days }).toString();
const yearsAgo = (years: number, days = 0) => today.add({ days }).subtract({ years }).toString();
type Fields = Parameters<typeof make.employee>[0];
const person = (name: string, fields: Fields = {}) =>
  make.employee({
    entity_id: north.id,
    first_name: name,
    last_name: 'Known',
    joining_date: yearsAgo(3, 100),
    ...fields,
  });

const reader = await person('Reader', { joining_date: ago({ months: 3 }) });
const boss = await person('Boss', { roles: ['Manager'], joining_date: ago({ months: 3 }) });
const [employee, hr] = [
  await as(reader.user_id),
  await as((await person('Hr', { roles: ['HR'], joining_date: ago({ months: 3 }) })).user_id),
];
const news = async (client = employee): Promise<HomeNews> => (await client.get('/api/home')).body.data;
const names = (list: { people: { name: string }[] }) => list.people.map(({ name }) => name);
const agree = async (userId: number) => (await as(userId)).put('/api/profile', { preferences: { birthday: 'shown' } });
const made: number[] = [];
const here = async (name: string, fields: Fields = {}) => {
  const one = await person(name, fields);
  made.push(one.id);
  return one;
};
afterEach(async () => {
  await owner.query(`update employees set activity_status = 'inactive' where id = any($1)`, [made.splice(0)]);
});

test('new colleagues are those of two weeks, with what the directory shows of them and the day', async () => {
  const fresh = await here('Fresh', { joining_date: ago({ days: 3 }), job_title: 'Buyer' });
  await here('Edge', { joining_date: ago({ days: 14 }) });
  await here('Older', { joining_date: ago({ days: 15 }) });
  await here('South', { joining_date: ago({ days: 1 }), entity_id: south.id });
  const { started } = await news();
  expect([names(started), started.total]).toEqual([['Edge Known', 'Fresh Known'], 2]);
  expect(started.people[1]).toEqual({
    id: fresh.id,
    name: 'Fresh Known',
    job_title: 'Buyer',
    department: { id: fresh.department_id, name: expect.any(String) },
    profile_picture_url: null,
    day: ago({ days: 3 }),
  });
});

test('anniversaries are full years within two weeks, with the day of this year', async () => {
  await here('Today', { joining_date: yearsAgo(5) });
  await here('Soon', { joining_date: yearsAgo(1, 14) });
  await here('Later', { joining_date: yearsAgo(1, 15) });
  await here('Past', { joining_date: yearsAgo(2, -1) });
  await here('New', { joining_date: ago({ days: 0 }) });
  const { anniversaries } = await news();
  expect(anniversaries.people.map(({ name, day, years }) => [name, day, years])).toEqual([
    ['Today Known', ahead(0), 5],
    ['Soon Known', ahead(14), 1],
  ]);
});

test.each([
  // [today, first working day, what the page shows]
  ['2026-12-28', '2020-01-05', ['2027-01-05', 7]],
  ['2026-12-28', '2020-12-28', ['2026-12-28', 6]],
  ['2026-12-28', '2020-02-01', undefined],
  ['2027-02-13', '2024-02-29', undefined],
  ['2027-02-14', '2024-02-29', ['2027-02-28', 3]],
  ['2027-02-20', '2024-02-29', ['2027-02-28', 3]],
  ['2028-02-15', '2024-02-29', ['2028-02-29', 4]],
  ['2026-12-17', '2020-12-31', ['2026-12-31', 6]],
  ['2026-12-18', '2020-01-01', ['2027-01-01', 7]],
  ['2027-02-28', '2024-02-29', ['2027-02-28', 3]],
  ['2028-02-20', '2024-02-29', ['2028-02-29', 4]],
  ['2027-03-01', '2024-02-29', undefined],
])('on %s a start on %s returns as it should', async (day, joining_date, expected) => {
  const one = await here('Due', { joining_date });
  const place = { entity_id: north.id, department_id: null, today: day };
  const actor = { grants: [], superiors: [], employee_id: null } as unknown as Actor;
  const { anniversaries } = await readColleagues({ ...app.deps, actor }, place, true);
  const found = anniversaries.people.find(({ id }) => id === one.id);
  expect(found && [found.day, found.years]).toEqual(expected);
});

describe('a birthday', () => {
  const soon = yearsAgo(30, 4);
  test('is shown to colleagues of the company once the person agreed, without the year', async () => {
    const one = await here('Born', { date_of_birth: soon });
    expect((await news()).birthdays).toEqual({ people: [], total: 0 });
    expect((await agree(one.user_id)).status).toBe(200);
    const { birthdays } = await news();
    expect(birthdays.people).toMatchObject([{ name: 'Born Known', day: ahead(4) }]);
    expect(JSON.stringify(birthdays)).not.toContain(soon.slice(0, 4));
    const { rows } = await owner.query(
      `select changes from audit_log where action = 'account.updated' and subject_id = $1`,
      [one.user_id],
    );
    expect(rows).toEqual([{ changes: { birthday: { from: null, to: 'shown' } } }]);
    await (await as(one.user_id)).put('/api/profile', { preferences: { birthday: null } });
    expect((await news()).birthdays.total).toBe(0);
    expect((await employee.put('/api/profile', { preferences: { birthday: 'hidden' } })).status).toBe(422);
  });

  test('of a person who is not in the directory or works elsewhere is not shown', async () => {
    const suspended = await here('Off', { date_of_birth: soon });
    const elsewhere = await here('South', { date_of_birth: soon, entity_id: south.id });
    for (const one of [suspended, elsewhere]) await agree(one.user_id);
    await owner.query(`update employees set activity_status = 'inactive' where id = $1`, [suspended.id]);
    expect((await news()).birthdays.total).toBe(0);
  });
});

test('a start to come is shown to those who see the record only', async () => {
  const next = await here('Next', { reporting_manager_id: boss.id });
  await owner.query(`update employees set activity_status = 'joining', joining_date = $2 where id = $1`, [
    next.id,
    ahead(9),
  ]);
  expect((await news()).starting).toEqual({ people: [], total: 0 });
  for (const client of [hr, await as(boss.user_id)])
    expect((await news(client)).starting.people).toMatchObject([
      { id: next.id, day: ahead(9), profile_picture_url: null },
    ]);
});

test('long lists are cut and counted, the own department first', async () => {
  const { department_id } = reader;
  for (let n = 0; n < shownOnHome; n += 1) await here(`Far${n}`, { joining_date: ago({ days: 1 }) });
  await here('Near', { joining_date: ago({ days: 12 }), department_id });
  const { started } = await news();
  expect([started.people.length, started.total]).toEqual([shownOnHome, shownOnHome + 1]);
  expect(names(started)).toContain('Near Known');
});

test('without the directory, and without a company, colleagues are not shown', async () => {
  await here('Fresh', { joining_date: ago({ days: 3 }) });
  const closed = await startApp({ DIRECTORY: 'off' }, { beside: app });
  const none = { people: [], total: 0 };
  const empty = { started: none, anniversaries: none, birthdays: none, starting: none };
  expect(await news(await closed.as(reader.user_id))).toMatchObject(empty);
  expect(await news(await as((await make.admin()).user_id))).toMatchObject(empty);
  expect((await news()).started.total).toBe(1);
});

test('the arrangement of the page is kept per account, of known parts only', async () => {
  const set = (home: unknown) => employee.put('/api/profile', { preferences: { home } });
  const home = { order: ['tasks', 'team'], hidden: ['colleagues'] };
  expect((await set(home)).body.data.user.preferences.home).toEqual(home);
  for (const bad of [{ order: ['tasks', 'tasks'] }, { hidden: ['secret'] }, { rows: [] }, 'tasks'])
    expect((await set(bad)).status).toBe(422);
  expect((await employee.get('/api/profile')).body.data.user.preferences.home).toEqual(home);
  expect((await set(null)).body.data.user.preferences).not.toHaveProperty('home');
});
