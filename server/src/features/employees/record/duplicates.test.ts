import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import type { Client } from '../../../testing/client.ts';
import { untilMinuteHas } from '../../../testing/minute.ts';

const { as, make, deps } = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });

const [north, south] = [await make.entity(), await make.entity()];
const here = await make.department({ entity_id: north.id });
const there = await make.department({ entity_id: south.id });
/** HR of one company only. */
const hr = await as(
  (await make.employee({ department_id: here.id, roles: [{ role: 'HR', entity_ids: [north.id] }] })).user_id,
);
const allHr = await as((await make.employee({ department_id: there.id, roles: ['HR'] })).user_id);
const named = (first_name: string, last_name: string, fields = {}) =>
  make.employee({ department_id: here.id, first_name, last_name, ...fields });
const john = await named('John', 'Smith', { employee_number: 'N-7', email: 'john@example.com' });
const jon = await named('Jon', 'Smith');
const swapped = await named('Smith', 'John');
const close = await named('John', 'Smyth', { activity_status: 'inactive' });
await named('Mary', 'Smith');
await named('John', 'Brown');
const away = await named('John', 'Smith', { department_id: there.id });
await named('John', 'Smith', {
  deleted_at: '2026-01-01T00:00:00.000Z',
  employee_number: 'N-8',
  email: 'gone@example.com',
});

async function ask(client: Client, query: Record<string, string>) {
  const answer = await client.get(`/api/employees/duplicates?${new URLSearchParams(query).toString()}`);
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  return answer.body.data as { employee_number: boolean | null; email: boolean | null; similar: { id: number }[] };
}
const idsOf = ({ similar }: { similar: { id: number }[] }) => similar.map(({ id }) => id);

test('similar names are found in scope only: equal, in another spelling, and with first and last name swapped', async () => {
  const found = await ask(hr, { first_name: 'john', last_name: 'SMITH' });
  expect(idsOf(found)[0]).toBe(john.id);
  expect(idsOf(found).sort((a, b) => a - b)).toEqual([john.id, jon.id, swapped.id, close.id].sort((a, b) => a - b));
  expect(found.similar[0]).toMatchObject({ is_same_name: true, employee_number: 'N-7', entity: { id: north.id } });
  expect(idsOf(await ask(allHr, { first_name: 'John', last_name: 'Smith' }))).toContain(away.id);
  expect(idsOf(await ask(hr, { first_name: 'Jöhn', last_name: 'Smith', employee_id: String(john.id) }))).not.toContain(
    john.id,
  );
  expect(await ask(hr, { last_name: 'Smith' })).toEqual({ employee_number: null, email: null, similar: [] });
});

test('names with and without umlauts are the same, however files of other systems write them', async () => {
  const umlauts = await named('Jürgen', 'Groß-Müller');
  const letters = await named('Soeren', 'Gaertner');
  for (const [first_name, last_name, { id }] of [
    ['Juergen', 'Gross-Mueller', umlauts],
    ['Jurgen', 'Groß-Muller', umlauts],
    ['Groß-Mueller', 'Jürgen', umlauts],
    ['Sören', 'Gärtner', letters],
    ['Søren', 'Gartner', letters],
  ] as const)
    expect(idsOf(await ask(hr, { first_name, last_name })), `${first_name} ${last_name}`).toContain(id);
  const [same] = (await ask(hr, { first_name: 'Juergen', last_name: 'Groß-Mueller' })).similar;
  expect(same).toMatchObject({ id: umlauts.id, is_same_name: true });
});

test.each([
  ['a number in any case', { employee_number: 'n-7' }, true],
  ['the number of a deleted person', { employee_number: 'N-8' }, true],
  ['a free number', { employee_number: 'N-9' }, false],
  ['an address in any case', { email: 'John@Example.com' }, true],
  ['the address of a deleted person', { email: 'gone@example.com' }, true],
  ['a free address', { email: 'free@example.com' }, false],
])('%s gives the same result as saving the form', async (_name, fields, isTaken) => {
  const [[field, value]] = Object.entries(fields) as [[string, string]];
  const found = await ask(hr, { [field]: value });
  expect(found).toMatchObject({ [field]: isTaken, similar: [] });
  const person = { first_name: 'A', last_name: 'B', email: 'a@b.example', entity_id: north.id, department_id: 0 };
  const counted = await deps.db
    .selectFrom('employees')
    .select((eb) => eb.fn.countAll().as('n'))
    .executeTakeFirst();
  const saved = await hr.post('/api/employees', { ...person, department_id: here.id, ...fields });
  expect([saved.status, saved.body.errors?.[field]]).toEqual(
    isTaken ? [422, [`The ${field.replace('_', ' ')} has already been taken.`]] : [201, undefined],
  );
  const after = await deps.db
    .selectFrom('employees')
    .select((eb) => eb.fn.countAll().as('n'))
    .executeTakeFirst();
  expect(Number(after?.n) - Number(counted?.n)).toBe(isTaken ? 0 : 1);
});

test('the person of the form does not conflict with itself', async () => {
  const own = { employee_number: 'N-7', email: 'john@example.com', employee_id: String(john.id) };
  expect(await ask(hr, own)).toMatchObject({ employee_number: false, email: false });
  expect(await ask(hr, { ...own, employee_id: String(jon.id) })).toMatchObject({ employee_number: true, email: true });
  // owners outside the scope stay hidden
  const foreign = { email: away.email, employee_id: String(away.id) };
  expect([(await ask(hr, foreign)).email, (await ask(allHr, foreign)).email]).toEqual([true, false]);
});

test('invalid numbers and addresses are refused, and only users who add or change people may ask', async () => {
  const { status, body } = await hr.get('/api/employees/duplicates?employee_number=a%20b&email=nobody');
  expect([status, Object.keys(body.errors)]).toEqual([422, ['employee_number', 'email']]);
  const manager = await as((await make.employee({ roles: ['Manager'] })).user_id);
  expect((await manager.get('/api/employees/duplicates?email=john@example.com')).status).toBe(403);
});

test('requests are limited to 120 per minute and person', async () => {
  const client = await as((await make.employee({ roles: ['HR'] })).user_id);
  await untilMinuteHas(20);
  const answers = [];
  for (let n = 0; n < 121; n += 1)
    answers.push((await client.get('/api/employees/duplicates?email=x@example.com')).status);
  expect(new Set(answers.slice(0, 120))).toEqual(new Set([200]));
  expect(answers[120]).toBe(429);
});
