import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { kpiMaker } from '../testing/make-kpi.ts';
import { probationMaker } from '../testing/make-probation.ts';

const app = await startApp();
const { as, make, owner } = app;
const home = await make.department();
const add = (first_name: string, last_name: string, more: Parameters<typeof make.employee>[0] = {}) =>
  make.employee({
    department_id: home.id,
    first_name,
    last_name,
    email: `${first_name}.${last_name}@acme.example`.toLowerCase(),
    ...more,
  });
const hrPerson = await add('Hana', 'Ito', { roles: ['HR'] });
const park = await add('Lena', 'Park', { employee_number: 'ZX-40817' });
const arkin = await add('Tom', 'Arkin', { job_title: 'Zookeeper' });
const muller = await add('Zoë', 'Müllerová', { email: 'zm@acme.example' });
const gone = await add('Mark', 'Zimmer', { activity_status: 'inactive' });
const hr = await as(hrPerson.user_id);
const kpi = kpiMaker(app);

const found = async (search: string, more = '', client = hr) => {
  const { status, body } = await client.get(`/api/employees?search=${encodeURIComponent(search)}${more}`);
  expect(status).toBe(200);
  const ids = (body.data as { id: number }[]).map(({ id }) => id);
  expect(body.meta.total).toBe(ids.length);
  return ids;
};

test('people are found inside words of names, numbers and emails, beginnings first', async () => {
  expect(await found('ark')).toEqual([arkin.id, park.id, gone.id]);
  expect(await found('ARK', '&sort_by=last_name')).toEqual([arkin.id, park.id, gone.id]);
  expect(await found('ark', '&sort_by=last_name&sort_direction=desc')).toEqual([gone.id, park.id, arkin.id]);
  expect(await found('081')).toEqual([park.id]);
  expect(await found('na.pa')).toEqual([park.id]);
  expect(await found('ullerov')).toEqual([muller.id]);
  expect(await found('ark ena')).toEqual([park.id]);
  expect(await found('ark zim')).toEqual([gone.id]);
});

test('umlauts and their two letters find each other, and short names stay themselves', async () => {
  const newcomer = { first_name: 'Joerg', last_name: 'Mueller', email: 'jm@acme.example' };
  const job = { entity_id: home.entity_id, department_id: home.id, joining_date: '2020-01-01' };
  const mueller = (await hr.post('/api/employees', { ...newcomer, ...job })).body.data as { id: number };
  const weiss = await add('Jonas', 'Groß', { email: 'jg@acme.example' });
  const both = new Set([mueller.id, muller.id]);
  for (const search of ['müller', 'Mueller', 'MÜLLER', 'mu\u0308ller', 'uelle', 'ülle'])
    expect([search, new Set(await found(search))]).toEqual([search, both]);
  expect(await found('jörg')).toEqual([mueller.id]);
  expect(await found('gross jonas')).toEqual([weiss.id]);
  // not every name that begins with Jo
  expect(await found('joe')).toEqual([mueller.id]);
  expect(new Set(await found('jo'))).toEqual(new Set([mueller.id, weiss.id]));
  const { data } = (await hr.get('/api/search?q=mueller')).body;
  expect(new Set(data.people.map(({ id }: { id: number }) => id))).toEqual(both);
  const cards = (await hr.get('/api/directory?search=mueller')).body.data as { id: number }[];
  expect(new Set(cards.map(({ id }) => id))).toEqual(both);
  const day = Temporal.Now.plainDateISO('UTC').toString();
  expect(await found('müller', `&as_of=${day}`)).toEqual([mueller.id]);
  const kjaer = await add('Sofie', 'Kjær', { email: 'sk@acme.example' });
  for (const search of ['kjaer', 'Kjær', 'KJAER']) expect([search, await found(search)]).toEqual([search, [kjaer.id]]);
  await owner.query('update employees set deleted_at = now() where id = any($1)', [[mueller.id, weiss.id, kjaer.id]]);
});

test('names of other lists are found by their two letters too', async () => {
  const street = await make.department({ entity_id: home.entity_id, name: 'Werk Öhmstraße' });
  const head = await add('Ægir', 'Sørensen', { email: 'as@acme.example' });
  await owner.query('update departments set manager_id = $1 where id = $2', [head.id, street.id]);
  for (const search of ['oehmstrasse', 'Ohmstrasse', 'ÖHMSTRASSE', 'Soerensen', 'sorensen', 'Aegir', 'ægir']) {
    const { body } = await hr.get(`/api/departments?search=${encodeURIComponent(search)}`);
    expect([search, body.data.map(({ id }: { id: number }) => id)]).toEqual([search, [street.id]]);
  }
  for (const search of ['%hmstra%', '_hmstra'])
    expect((await hr.get(`/api/departments?search=${encodeURIComponent(search)}`)).body.data).toEqual([]);
  await owner.query('update employees set deleted_at = now() where id = $1', [head.id]);
});

test('beginnings come first also where the name comes later', async () => {
  const last = await add('Arkady', 'Zzz');
  expect(await found('ark')).toEqual([arkin.id, last.id, park.id, gone.id]);
  await owner.query('update employees set deleted_at = now() where id = $1', [last.id]);
});

test('two letters, the part after the @ and job titles are found by beginnings only', async () => {
  expect(await found('rk')).toEqual([]);
  expect(await found('cme')).toEqual([]);
  expect((await found('acme')).length).toBe(5);
  expect(await found('zook')).toEqual([arkin.id]);
  expect(await found('keeper')).toEqual([]);
});

test.each(['%%%', '___', 'a_k', '%ark%', String.raw`ar\k`, "ar'k", '...', 'ark:*'])(
  '%s is looked for as it is',
  async (text) => {
    expect(await found(text)).toEqual([]);
  },
);

test('the palette, the directory, evaluations and reviews search alike', async () => {
  const { data } = (await hr.get('/api/search?q=ark')).body;
  expect(data.people.map(({ id }: { id: number }) => id)).toEqual([arkin.id, park.id, gone.id]);
  const cards = (await hr.get('/api/directory?search=ark')).body.data as { id: number }[];
  expect(cards.map(({ id }) => id)).toEqual([arkin.id, park.id]);
  await kpi.evaluation({ employee: park });
  await probationMaker(app).review({ employee: park });
  for (const list of ['kpi-evaluations', 'probation-reviews'])
    expect((await hr.get(`/api/${list}?search=ark`)).body.meta.total).toBe(1);
});

test('a card of the directory is not found by the number, which it does not show', async () => {
  const total = async (search: string) => (await hr.get(`/api/directory?search=${search}`)).body.meta.total as number;
  expect(await total('081')).toBe(0);
  expect(await total('40817')).toBe(0);
  expect(await total('ena.par')).toBe(1);
});

test('a reader of references does not find people by an email that is not seen', async () => {
  const secret = await add('Ines', 'Vogt', { email: 'qqwwee@acme.example' });
  const { entity_id } = await make.department();
  const reviewer = await make.employee({ entity_id, roles: ['Manager'] });
  await kpi.evaluation({ employee: secret, reviewer });
  const client = await as(reviewer.user_id);
  const total = async (search: string) =>
    (await client.get(`/api/kpi-evaluations?search=${search}`)).body.meta.total as number;
  expect([await total('nes'), await total('ogt'), await total('qww')]).toEqual([1, 1, 0]);
});

test('the index of trigrams serves the inside of words', async () => {
  await owner.query('set enable_seqscan = off');
  const { rows } = await owner.query<{ 'QUERY PLAN': string }>(
    `explain select id from employees where search_vector @@ '''ark'':*'::tsquery or search_text like '%ark%'`,
  );
  await owner.query('reset enable_seqscan');
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('employees_search_text_idx');
});
