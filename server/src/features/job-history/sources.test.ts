import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { brokenInvariants } from '../../invariants/invariants.ts';

/** The sources of job history rows, and steps whose day is past. */

const { as, make, deps, owner } = await startApp();
const place = await make.department();
const hr = await as((await make.employee({ department_id: place.id, roles: ['HR'] })).user_id);
const day = (offset: number) => Temporal.Now.plainDateISO('UTC').add({ days: offset }).toString();

type Row = Record<
  'source' | 'status' | 'effective_from' | 'effective_to' | 'job_title' | 'employment_lifecycle',
  string
>;
const historyOf = async (id: number): Promise<Row[]> =>
  (await hr.get(`/api/employees/${id}/job-history?sort_direction=asc`)).body.data;
const shown = async (id: number) =>
  (await historyOf(id)).map((row) => [row.effective_from, row.effective_to, row.job_title, row.employment_lifecycle]);
let added = 0;
async function add(joining_date: string, rest: object = {}): Promise<number> {
  const answer = await hr.post('/api/employees', {
    first_name: 'Lena',
    last_name: 'Park',
    email: `lena${(added += 1)}@acme.example`,
    entity_id: place.entity_id,
    department_id: place.id,
    job_title: 'Buyer',
    joining_date,
    ...rest,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data.id as number;
}

test('the job of a new person is entered; one that begins long before is assumed', async () => {
  const sources = async (id: number) => (await historyOf(id)).map(({ source }) => source);
  expect(await sources(await add(day(-3)))).toEqual(['entered']);
  expect(await sources(await add(day(20)))).toEqual(['entered']);
  const old = await add('2015-03-01', { employment_lifecycle: 'confirmed' });
  expect(await sources(old)).toEqual(['assumed']);
  await hr.put(`/api/employees/${old}`, { job_title: 'Head buyer' });
  expect(await sources(old)).toEqual(['assumed', 'entered']);
});

test('imported people have an assumed first job, and imported changes after it', async () => {
  const file = (rows: string) => ({
    name: 'p.csv',
    content: `employee_number,first_name,last_name,email,department,joining_date,job_title\n${rows}\n`,
  });
  const send = async (rows: string) => {
    const staged = await hr.upload('/api/employees/import', file(rows), {
      dry_run: '1',
      on_conflict: 'update',
      defaults: JSON.stringify({ entity_id: place.entity_id, department_id: place.id }),
    });
    const done = await hr.post(`/api/employees/imports/${staged.body.data.id}/commit`, {});
    expect(done.status, JSON.stringify(done.body)).toBe(200);
  };
  const { name } = (await owner.query('select name from departments where id = $1', [place.id])).rows[0];
  await send(
    `I-1,Ina,Vogt,ina@acme.example,${name},2019-01-07,Clerk\nI-2,Uwe,Vogt,uwe@acme.example,${name},${day(0)},Clerk`,
  );
  await send(`I-1,Ina,Vogt,ina@acme.example,${name},2019-01-07,Head clerk`);
  const { rows } = await owner.query(
    `select e.first_name, h.source, h.job_title from job_history h join employees e on e.id = h.employee_id
     where e.last_name = 'Vogt' order by e.first_name, h.id`,
  );
  expect(rows).toEqual([
    { first_name: 'Ina', source: 'assumed', job_title: 'Clerk' },
    { first_name: 'Ina', source: 'imported', job_title: 'Head clerk' },
    { first_name: 'Uwe', source: 'imported', job_title: 'Clerk' },
  ]);
});

const because = { reason: 'Agreed with the works council' };

test('a confirmation of a past day stands from that day', async () => {
  const id = await add(day(-100));
  const answer = await hr.post(`/api/employees/${id}/confirm`, { ...because, confirmation_date: day(-10) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(await shown(id)).toEqual([
    [day(-100), day(-11), 'Buyer', 'probationary'],
    [day(-10), null, 'Buyer', 'confirmed'],
  ]);
});

test('a confirmation of a day before the last change of the job stands from that day, and the change stays', async () => {
  const id = await add(day(-100));
  for (const [title, from] of [
    ['Senior buyer', -30],
    ['Head buyer', -5],
  ] as const)
    expect(
      (await hr.post(`/api/employees/${id}/job-history`, { job_title: title, effective_from: day(from) })).status,
    ).toBe(201);
  await hr.post(`/api/employees/${id}/confirm`, { ...because, confirmation_date: day(-20) });
  expect(await shown(id)).toEqual([
    [day(-100), day(-31), 'Buyer', 'probationary'],
    [day(-30), day(-21), 'Senior buyer', 'probationary'],
    [day(-20), day(-6), 'Senior buyer', 'confirmed'],
    [day(-5), null, 'Head buyer', 'confirmed'],
  ]);
});

test('a confirmation of a day before the first row changes all rows', async () => {
  const id = await add(day(-20));
  await hr.post(`/api/employees/${id}/job-history`, { job_title: 'Head buyer', effective_from: day(-5) });
  await owner.query(`update employees set joining_date = $2, probation_start_date = $2 where id = $1`, [id, day(-90)]);
  await hr.post(`/api/employees/${id}/confirm`, { ...because, confirmation_date: day(-40) });
  expect(await shown(id)).toEqual([
    [day(-20), day(-6), 'Buyer', 'confirmed'],
    [day(-5), null, 'Head buyer', 'confirmed'],
  ]);
});

test('a separation stands from the day of the notice, and one without from the last working day', async () => {
  const separate = async (id: number, body: object) =>
    expect((await hr.post(`/api/employees/${id}/separate`, { type: 'resigned', ...because, ...body })).status).toBe(
      200,
    );
  const [given, none] = [await add(day(-100)), await add(day(-100))];
  await separate(given, { notice_date: day(-8), last_working_date: day(30) });
  expect((await shown(given)).at(-1)).toEqual([day(-8), null, 'Buyer', 'resigned']);
  await separate(none, { last_working_date: day(-2) });
  expect((await shown(none)).at(-1)).toEqual([day(-2), null, 'Buyer', 'resigned']);
});

test('the histories have neither gaps nor overlaps', async () => {
  const broken = await brokenInvariants(deps.db);
  expect(broken.filter((rule) => rule.includes('job history'))).toEqual([]);
});
