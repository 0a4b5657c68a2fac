import { describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { multipart } from '../testing/client.ts';

/** Repeats of work that takes several transactions, or whose response may contain a secret. */

const { as, make, owner } = await startApp();
const acme = await make.entity();
const department = await make.department({ entity_id: acme.id });
const person = await make.employee({ roles: ['HR'] });
const hr = await as(person.user_id);
let serial = 0;
const newKey = () => `key-${(serial += 1)}`;
const used = { idempotency_key: ['The idempotency key has already been used.'] };
const usedOtherwise = { idempotency_key: ['The idempotency key has already been used with a different request.'] };
const count = async (table: string) =>
  (await owner.query(`select count(*)::int as n from ${table}`)).rows[0].n as number;
const replayed = (answer: { headers: Record<string, unknown> }) => answer.headers['idempotent-replayed'] === 'true';
const keptAnswer = async (key: string) =>
  (await owner.query('select status, body from idempotency_keys where key = $1', [key])).rows;

const rows = (prefix: string, size: number) =>
  [
    'employee_number,first_name,last_name,email,entity_id,department_id',
    ...Array.from(
      { length: size },
      (_, n) => `${prefix}${n},Ann,Lee,${prefix}${n}@example.com,${acme.id},${department.id}`,
    ),
  ].join('\n');

function upload(key: string, content: string, fields: Record<string, string> = {}) {
  const { payload, headers } = multipart({ name: 'staff.csv', content }, fields);
  return hr.send('POST', '/api/employees/import', { payload, headers: { ...headers, 'idempotency-key': key } });
}

describe('an upload repeated with its key', () => {
  test('is answered as before, and done once', async () => {
    const key = newKey();
    const first = await upload(key, rows('a', 3));
    const [imports, people] = [await count('imports'), await count('employees')];
    const second = await upload(key, rows('a', 3));
    expect([first.status, replayed(first), second.status, replayed(second)]).toEqual([201, false, 201, true]);
    expect(second.bytes).toEqual(first.bytes);
    expect(first.body.data).toMatchObject({ status: 'completed', counts: { created: 3 } });
    expect([await count('imports'), await count('employees')]).toEqual([imports, people]);
    expect((await upload(key, rows('a', 4))).body.errors).toEqual(usedOtherwise);
    expect((await upload(key, rows('a', 3), { dry_run: '1' })).body.errors).toEqual(usedOtherwise);
  });

  test('at the same moment is one import', async () => {
    const key = newKey();
    const imports = await count('imports');
    const answers = await Promise.all(Array.from({ length: 5 }, () => upload(key, rows('b', 20))));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(answers.filter((answer) => !replayed(answer))).toHaveLength(1);
    expect(await count('imports')).toBe(imports + 1);
  });

  test('after a refusal is done, because the key is free again', async () => {
    const key = newKey();
    const imports = await count('imports');
    expect((await upload(key, 'employee_number\nx')).status).toBe(422);
    expect((await upload(key, `${rows('c', 2)}\n"open`)).status).toBe(422);
    expect([await count('imports'), await keptAnswer(key)]).toEqual([imports, []]);
    expect((await upload(key, rows('c', 2))).status).toBe(201);
  });

  test('whose service was killed is answered with the import to ask for', async () => {
    const key = newKey();
    const first = await upload(key, rows('d', 2), { dry_run: '1' });
    const { id } = first.body.data;
    // stored before the rows were read
    const [{ body }] = await keptAnswer(key);
    await owner.query('update idempotency_keys set body = $1 where key = $2', [
      body.replaceAll('"status":"preview"', '"status":"processing"'),
      key,
    ]);
    const second = await upload(key, rows('d', 2), { dry_run: '1' });
    expect([second.status, second.body.data.id, second.body.data.status]).toEqual([201, id, 'processing']);
  });
});

describe('a commit repeated with its key', () => {
  const staged = async (prefix: string) =>
    (await upload(newKey(), rows(prefix, 3), { dry_run: '1' })).body.data.id as number;
  const commit = (id: number, key: string, body: object = {}) =>
    hr.post(`/api/employees/imports/${id}/commit`, body, { 'idempotency-key': key });

  test('is answered as before, and done once', async () => {
    const [id, key] = [await staged('e'), newKey()];
    const first = await commit(id, key);
    const people = await count('employees');
    const second = await commit(id, key);
    expect([first.status, second.status, replayed(second)]).toEqual([200, 200, true]);
    expect(second.bytes).toEqual(first.bytes);
    expect(await count('employees')).toBe(people);
    expect((await commit(id, newKey())).status).toBe(422);
    expect((await commit(id, key, { plan_hash: 'x' })).body.errors).toEqual(usedOtherwise);
  });

  test('at the same moment writes once, and each answer says so', async () => {
    const [id, key, people] = [await staged('f'), newKey(), await count('employees')];
    const answers = await Promise.all(Array.from({ length: 4 }, () => commit(id, key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.filter((answer) => !replayed(answer))).toHaveLength(1);
    expect(await count('employees')).toBe(people + 3);
  });

  test('of rows that changed meanwhile is refused, and the key is free again', async () => {
    const [id, key] = [await staged('g'), newKey()];
    await make.employee({ department_id: department.id, email: 'g1@example.com' });
    expect((await commit(id, key)).status).toBe(422);
    expect(await keptAnswer(key)).toEqual([]);
    expect((await commit(id, key)).status).toBe(200);
  });
});

describe('one-time passwords for many, repeated with their key', () => {
  const reset = (ids: number[], key: string) =>
    hr.post('/api/employees/reset-passwords', { employee_ids: ids }, { 'idempotency-key': key });
  const hashes = async () =>
    (await owner.query("select md5(string_agg(coalesce(password_hash, ''), '|' order by id)) as d from users")).rows;

  test('are issued once and stand nowhere; the repeat is refused', async () => {
    const [key, one] = [newKey(), await make.employee()];
    const first = await reset([one.id], key);
    const [{ one_time_password: secret }] = first.body.data.issued;
    const before = await hashes();
    const second = await reset([one.id], key);
    expect([first.status, second.status, second.body.errors]).toEqual([200, 422, used]);
    expect(await hashes()).toEqual(before);
    expect(await keptAnswer(key)).toEqual([{ status: null, body: null }]);
    expect(JSON.stringify(await owner.query('select k::text from idempotency_keys k'))).not.toContain(secret);
  });

  test('at the same moment are issued to one of the senders', async () => {
    const [key, one] = [newKey(), await make.employee()];
    const answers = await Promise.all([1, 2, 3].map(() => reset([one.id], key)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422]);
    const { rows: told } = await owner.query('select 1 from notifications where user_id = $1', [one.user_id]);
    expect(told).toHaveLength(1);
  });

  test('after a refusal are issued', async () => {
    const key = newKey();
    expect((await reset([], key)).status).toBe(422);
    expect((await reset([(await make.employee()).id], key)).status).toBe(200);
  });
});

describe('a new person repeated with the key', () => {
  const add = (key: string, more: object = {}) => {
    const email = `${key}@example.com`;
    const body = { first_name: 'Ann', last_name: 'Lee', email, entity_id: acme.id, department_id: department.id };
    return hr.post('/api/employees', { ...body, ...more }, { 'idempotency-key': key });
  };

  test('is answered as before where no password was issued', async () => {
    const key = newKey();
    const [first, second] = [await add(key), await add(key)];
    expect([first.status, second.status, replayed(second)]).toEqual([201, 201, true]);
    // the record as its reader sees it now: private details are only shown on request
    const now = await hr.get(`/api/employees/${first.body.data.id}`);
    expect(second.body).toEqual({ data: now.body.data, message: first.body.message });
  });

  test('is refused where one was, and the password stands nowhere', async () => {
    const key = newKey();
    const [first, second] = [await add(key, { issue_password: true }), await add(key, { issue_password: true })];
    expect([first.status, second.status, second.body.errors]).toEqual([201, 422, used]);
    expect(first.body.one_time_password).toHaveLength(20);
    expect(await keptAnswer(key)).toEqual([{ status: null, body: null }]);
  });
});
