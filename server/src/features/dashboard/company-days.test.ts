import type { Dashboard, MovementReport } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { probationMaker } from '../../testing/make-probation.ts';

/** Two companies whose local days always differ: figures count each company by its own day. */

const app = await startApp();
const { as, make, owner } = app;
const zones = { early: 'Pacific/Kiritimati', late: 'Etc/GMT+12' } as const;
type Place = keyof typeof zones;
const places: Place[] = ['early', 'late'];
const dayIn = (place: Place) => Temporal.Now.plainDateISO(zones[place]);
const companies = {
  early: await make.entity({ name: 'Early', timezone: zones.early }),
  late: await make.entity({ name: 'Late', timezone: zones.late }),
};
const departments = {
  early: await make.department({ entity_id: companies.early.id }),
  late: await make.department({ entity_id: companies.late.id }),
};
const long = '2015-03-01';
const hrPerson = await make.employee({ department_id: departments.early.id, joining_date: long, roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const add = (place: Place, rest: Parameters<typeof make.employee>[0]) =>
  make.employee({ department_id: departments[place].id, joining_date: long, ...rest });
const onProbation = (place: Place, days: number) =>
  add(place, {
    employment_lifecycle: 'probationary',
    probation_start_date: long,
    probation_end_date: dayIn(place).add({ days }).toString(),
  });
const dashboardOf = async (query = ''): Promise<Dashboard> => (await hr.get(`/api/dashboard${query}`)).body.data;
const listed = async (list: string) => (await hr.get(`/api/${list}`)).body.meta.total as number;

for (const place of places) {
  for (const days of [-1, 0, 7, 8]) await onProbation(place, days);
  await add(place, { joining_date: dayIn(place).toString() });
  await add(place, { joining_date: dayIn(place).subtract({ years: 1 }).toString() });
}

test.each(places)(
  'in the company %s, people join, end their probation and are counted by its own day',
  async (place) => {
    const query = `?entity_id=${companies[place].id}`;
    const { today, probation, movement, tenure } = await dashboardOf(query);
    expect(today).toBe(dayIn(place).toString());
    expect(probation).toMatchObject({ on_probation: 4, overdue: 1, ending_7: 2, ending_14: 3 });
    expect([movement?.joiners_month, tenure?.bands['0-1'], tenure?.bands['1-3']]).toEqual([1, 1, 1]);
  },
);

test('figures of both companies are the sums of theirs', async () => {
  const { today, probation, movement, tenure } = await dashboardOf();
  expect(today).toBe(dayIn('early').toString());
  expect(probation).toMatchObject({ on_probation: 8, overdue: 2, ending_7: 4, ending_14: 6 });
  expect([movement?.joiners_month, tenure?.bands['0-1'], tenure?.bands['1-3']]).toEqual([2, 2, 2]);
});

test('a report counts to the day of each company', async () => {
  for (const place of places) {
    const query = `?entity_id=${companies[place].id}`;
    const { data }: { data: MovementReport } = (await hr.get(`/api/reports/movement${query}`)).body;
    expect(data.today).toBe(dayIn(place).toString());
    expect(data.months.at(-1)).toMatchObject({ month: data.today.slice(0, 7), joiners: 1 });
    const [department] = data.departments;
    // joiners of the last twelve months: the one of today, not the one a year ago
    expect(department).toMatchObject({ headcount: place === 'early' ? 7 : 6, joiners: 1 });
  }
});

test('a probation is decided on the day that it is in its company', async () => {
  const { review } = probationMaker(app);
  for (const place of places) {
    const query = `?entity_id=${companies[place].id}`;
    const day = dayIn(place).toString();
    const { id } = await review({ employee: await onProbation(place, 20), reviewer: hrPerson });
    await owner.query(
      `update probation_reviews set status = 'approved', outcome = 'confirm', effective_date = $2::date, decided_at = now()
       where id = $1`,
      [id, day],
    );
    const own = `entity_id=${companies[place].id}`;
    expect(await listed(`probation-reviews?${own}&decided_from=${day}&decided_to=${day}`)).toBe(1);
    const before = dayIn(place).subtract({ days: 1 }).toString();
    const after = dayIn(place).add({ days: 1 }).toString();
    expect(await listed(`probation-reviews?${own}&decided_to=${before}`)).toBe(0);
    expect(await listed(`probation-reviews?${own}&decided_from=${after}`)).toBe(0);
    expect((await dashboardOf(query)).probation?.outcomes_quarter).toEqual({ confirm: 1, extend: 0, terminate: 0 });
    const report = (await hr.get(`/api/reports/probation-outcomes${query}&from=${day}`)).body.data;
    expect([report.today, report.outcomes.confirm]).toEqual([day, 1]);
  }
});

test('an announcement is planned, running or over by the days of its companies', async () => {
  const states = async (entity_ids: number[] | null, day: Temporal.PlainDate) => {
    const ends_on = '2099-12-31';
    const added = await hr.post('/api/announcements', {
      title: 'Title',
      body: 'Text',
      entity_ids,
      starts_on: day.toString(),
      ends_on,
    });
    expect(added.status).toBe(201);
    return added.body.data.state as string;
  };
  for (const place of places) {
    expect(await states([companies[place].id], dayIn(place))).toBe('running');
    expect(await states([companies[place].id], dayIn(place).add({ days: 1 }))).toBe('planned');
  }
  expect(await states(null, dayIn('early'))).toBe('running');
  const over = { title: 'Title', body: 'Text', starts_on: long, ends_on: dayIn('late').toString() };
  const refused = await hr.post('/api/announcements', { ...over, entity_ids: [companies.early.id] });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['ends_on']]);
  expect((await hr.post('/api/announcements', { ...over, entity_ids: null })).body.data.state).toBe('running');
});

test('the own card names the day in the own company', async () => {
  const me = await add('late', {});
  const { data } = (await (await as(me.user_id)).get('/api/dashboard')).body;
  expect([data.me.today, data.today]).toEqual([dayIn('late').toString(), dayIn('late').toString()]);
});
