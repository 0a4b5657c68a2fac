import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make, deps } = await startApp();
const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const buying = await make.department({ entity_id: north.id, name: 'Éinkauf', code: 'PUR-1' });
const selling = await make.department({ entity_id: south.id, name: 'Selling', status: 'active' });
const omar = await make.employee({
  roles: ['Manager'],
  department_id: buying.id,
  first_name: 'Omar',
  last_name: 'Díaz',
  employee_number: 'N-23',
  email: 'omar.diaz@acme.example',
  job_title: 'Head buyer',
});
await deps.db.updateTable('departments').set({ manager_id: omar.id }).where('id', '=', buying.id).execute();
const lena = await make.employee({
  department_id: buying.id,
  first_name: 'Lena',
  last_name: 'Park',
  job_title: 'Buyer',
  date_of_birth: '1990-05-05',
  mobile: '+44 7700',
});
const gone = await make.employee({
  department_id: selling.id,
  first_name: 'Lea',
  last_name: 'Aber',
  activity_status: 'inactive',
});
const erased = await make.employee({ department_id: selling.id, first_name: 'Lenard', deleted_at: '2026-01-01' });
const lennox = await make.employee({ department_id: selling.id, first_name: 'Lennox', last_name: 'Berg' });
const hr = await make.employee({ roles: ['HR'], department_id: selling.id, first_name: 'Hana', last_name: 'Ito' });
const limited = await make.employee({
  roles: [{ role: 'HR', entity_ids: [north.id] }],
  department_id: buying.id,
  first_name: 'Nora',
});

const client = await as(hr.user_id);
type Hit = { id: number; label: string };
const search = async (query: string, who = client) => {
  const answer = await who.get(`/api/search?${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data as Record<string, Hit[] | undefined>;
};
const people = async (query: string, who = client) => (await search(query, who)).people?.map(({ id }) => id);
const departments = async (query: string, who = client) =>
  (await search(query, who)).departments?.map(({ label }) => label);

test('a search finds people and departments with the data to open them', async () => {
  expect(await search('q=omar')).toEqual({
    people: [
      { id: omar.id, label: 'Omar Díaz', sublabel: 'Head buyer · Éinkauf · North', url: `/employees/${omar.id}` },
    ],
    departments: [{ id: buying.id, label: 'Éinkauf', sublabel: 'North', url: `/departments/${buying.id}` }],
    cycles: [],
    templates: [],
  });
});

test.each([
  ['q=le', () => [lennox.id, lena.id, gone.id]],
  ['q=LEN', () => [lennox.id, lena.id]],
  ['q=len+par', () => [lena.id]],
  ['q=diaz', () => [omar.id]],
  ['q=diaz@acme', () => [omar.id]],
  ['q=n-23', () => [omar.id]],
  ['q=ena', () => [lena.id]],
  ['q=en', () => []],
  ['q=1990-05-05', () => []],
  ['q=7700', () => []],
  ["q=le'%5C", () => []],
  ['q=:*+%26', () => []],
  ['q=le&limit=1', () => [lennox.id]],
])('people by %s: active ones first, then by last name, never by private fields', async (query, expected) => {
  expect(await people(query)).toEqual(expected());
});

test('departments are found by name, code and manager, also within words', async () => {
  expect(await departments('q=einkauf')).toEqual(['Éinkauf']);
  expect(await departments('q=ink')).toEqual(['Éinkauf']);
  expect(await departments('q=pur-')).toEqual(['Éinkauf']);
  expect(await departments('q=diaz+pur')).toEqual(['Éinkauf']);
  expect(await departments('q=diaz+sell')).toEqual([]);
});

test('deleted people are not found', async () => {
  expect(await people('q=lenard')).toEqual([]);
  await deps.db.updateTable('employees').set({ deleted_at: null }).where('id', '=', erased.id).execute();
  expect(await people('q=lenard')).toEqual([erased.id]);
  await deps.db.updateTable('employees').set({ deleted_at: '2026-01-01' }).where('id', '=', erased.id).execute();
});

test('a type filter limits the answer', async () => {
  expect(Object.keys(await search('q=le&types=people'))).toEqual(['people']);
  expect(Object.keys(await search('q=le&types=departments,people'))).toEqual(['people', 'departments']);
  expect(await search('q=le&types=cycles,templates')).toEqual({ cycles: [], templates: [] });
});

test('readers find records of their own scope, and no type without its permission', async () => {
  const narrow = await as(limited.user_id);
  expect(await people('q=le', narrow)).toEqual([lena.id]);
  expect(await departments('q=selling', narrow)).toEqual([]);
  expect(await departments('q=selling')).toEqual(['Selling']);
  const manager = await as(omar.user_id);
  expect(await people('q=le', manager)).toEqual([lena.id]);
  expect(await departments('q=pur', manager)).toEqual(['Éinkauf']);
  const self = await as(lena.user_id);
  expect(await people('q=len', self)).toEqual([lena.id]);
  expect(await people('q=omar', self)).toEqual([]);
  expect(Object.keys(await search('q=pur', self))).toEqual(['people', 'cycles']);
  const nobody = await make.employee({ roles: [] });
  expect(await search('q=le', await as(nobody.user_id))).toEqual({});
});

test.each([
  ['', 'q'],
  ['q=', 'q'],
  ['q=l', 'q'],
  [`q=${'l'.repeat(101)}`, 'q'],
  ['q=le&types=everything', 'types'],
  ['q=le&limit=0', 'limit'],
  ['q=le&limit=21', 'limit'],
  ['q[]=le', 'q'],
])('a search by %j is refused on %s', async (query, field) => {
  const answer = await client.get(`/api/search?${query}`);
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.body.errors)).toEqual([field]);
});

test('a guest finds nothing', async () => {
  expect((await (await as()).get('/api/search?q=le')).status).toBe(401);
});

test('a search takes one statement for each type after the session, with five hits per type by default', async () => {
  for (let n = 0; n < 8; n += 1) await make.employee({ department_id: selling.id, first_name: 'Many' });
  let statements = 0;
  deps.pool.on('acquire', () => (statements += 1));
  expect((await people('q=many'))?.length).toBe(5);
  expect(statements).toBe(5);
  statements = 0;
  expect((await people('q=many&limit=20'))?.length).toBe(8);
  expect(statements).toBe(5);
  deps.pool.removeAllListeners('acquire');
});
