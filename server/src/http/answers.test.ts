import { sentenceOf } from '../testing/sentences.ts';
import { messages } from '@tenure/contract';
import { describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../files/disk.ts';
import { startApp } from '../testing/app.ts';
import { fault, probeRoutes } from '../testing/probes.ts';
import { invalidFields, say, summary } from './errors.ts';

const { as, make, logged } = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' }, { bindings: probeRoutes });
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const json = 'application/json; charset=utf-8';

describe('successes', () => {
  test('a read and an action hold data and a message, a create is 201, a delete is empty', async () => {
    const [read, created, updated, deleted] = [
      await hr.get('/api/probes/1'),
      await hr.post('/api/probes', { name: 'Ada' }),
      await hr.put('/api/probes/1', { name: 'Ada' }),
      await hr.delete('/api/probes/1'),
    ];
    const shapes = [read, created, updated].map(({ status, headers, body }) => [
      status,
      headers['content-type'],
      Object.keys(body as object),
      body.message as string,
    ]);
    expect(shapes).toEqual([
      [200, json, ['data', 'message'], 'Operation successful.'],
      [201, json, ['data', 'message'], 'Employee created successfully.'],
      [200, json, ['data', 'message'], 'Employee updated successfully.'],
    ]);
    expect([deleted.status, deleted.bytes.length]).toEqual([204, 0]);
    expect([deleted.headers['content-type'], deleted.headers['content-length']]).toEqual([undefined, undefined]);
  });

  test('instants and days have one form', async () => {
    await make.entity({ name: 'Acme' });
    const { body } = await hr.get('/api/entities?search=Acme');
    expect(body.data[0].created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(typeof body.data[0].id).toBe('number');
  });
});

describe('refusals', () => {
  test('name every wrong field in the order of the endpoint, and sum up', async () => {
    const answer = await hr.post('/api/probes', { active: 'perhaps', colour: 'green', code: 'abcdefg' });
    expect([answer.status, answer.headers['content-type']]).toEqual([422, json]);
    expect(answer.body.message).toBe('The name field is required. (and 4 more errors)');
    expect(Object.keys(answer.body.errors as object)).toEqual(['name', 'code', 'colour', 'active']);
    expect(Object.keys(answer.body as object)).toEqual(['message', 'errors']);
    expect((await hr.post('/api/probes', { colour: 'green' })).body.message).toBe(
      'The name field is required. (and 1 more error)',
    );
  });

  test('count messages and not fields', () => {
    const { file, image, json: notJson } = messages;
    const more = summary({ a: [say('a', file), say('a', image)], b: [say('b', notJson)] });
    expect(summary({ a: [file] })).toBe(file);
    expect(sentenceOf(more)).toBe('The a field must be a file. (and 2 more errors)');
    expect(invalidFields({ a: [file] }).status).toBe(422);
  });

  test('of a state hold the state and revision of now', async () => {
    const answer = await hr.put('/api/probes/3', { name: 'Ada' });
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        message: 'A closed cycle can’t be changed.',
        errors: { status: ['A closed cycle can’t be changed.'] },
        status: 'closed',
        revision: 7,
      },
    ]);
  });

  test('of a delete name what is in the way', async () => {
    const answer = await hr.delete('/api/probes/4');
    const message = 'There are still people.';
    expect([answer.status, answer.body]).toEqual([422, { message, errors: { entity: [message] } }]);
  });
});

const database = (fields: Record<string, string>) => Object.assign(new Error('secret text of the database'), fields);

describe('faults', () => {
  test.each([
    new Error('secret /etc/passwd text'),
    new TypeError("Cannot read properties of undefined (reading 'secret')"),
    database({ code: '42P01', table: 'employees' }),
    database({ code: '22021' }),
    'a text that was thrown',
    undefined,
    null,
    Object.assign(new Error('secret'), { statusCode: 400, code: 'FST_ERR_VALIDATION' }),
  ])('nobody foresaw are 500 with an id, and their text is only in the log: %s', async (thrown) => {
    fault.next = thrown;
    const answer = await hr.get('/api/probes/fault');
    expect([answer.status, answer.headers['content-type'], answer.setCookies]).toEqual([500, json, []]);
    const id = answer.headers['x-request-id'];
    expect(answer.body).toEqual({ message: 'Server Error', request_id: id });
    const line = logged
      .map((text) => JSON.parse(text))
      .find(({ event, request_id }) => event === 'server_error' && request_id === id);
    expect(line.level).toBe(50);
  });

  test('a refused permission is in the log with its sentence', async () => {
    const employee = await as((await make.employee()).user_id);
    const answer = await employee.delete('/api/entities/1');
    expect(answer.status).toBe(403);
    const line = logged
      .map((text) => JSON.parse(text))
      .find(({ request_id }) => request_id === answer.headers['x-request-id']);
    expect([line.event, line.reason]).toEqual(['authz_denied', 'This action is unauthorized.']);
  });

  const away = { message: 'Service Unavailable' };
  test.each([
    ['a lost connection', new Error('Connection terminated unexpectedly'), '5'],
    ['no free connection', new Error('timeout exceeded when trying to connect'), '5'],
    ['no connection', database({ code: 'ECONNREFUSED' }), '5'],
    ['a shutdown', database({ code: '57P01' }), '5'],
    ['a start', database({ code: '57P03' }), '5'],
    ['too many connections', database({ code: '53300' }), '5'],
    ['a lock that did not come', database({ code: '55P03' }), '5'],
    ['a statement that took too long', database({ code: '57014' }), '5'],
    ['a deadlock', database({ code: '40P01' }), '5'],
    ['a full disk', database({ code: '53100' }), '30'],
    ['a broken store', new StoreUnavailable(Object.assign(new Error('x'), { code: 'ENOSPC' })), '30'],
  ])('of %s are 503', async (_what, thrown, seconds) => {
    fault.next = thrown;
    const answer = await hr.get('/api/probes/fault');
    expect([answer.status, answer.body, answer.headers['retry-after']]).toEqual([503, away, seconds]);
    expect(answer.setCookies).toEqual([]);
    const lines = logged.map((text) => JSON.parse(text));
    const line = lines.find(({ request_id }) => request_id === answer.headers['x-request-id']);
    expect([line.event, line.reason]).toEqual(['unavailable', thrown.message]);
  });

  test.each([
    ['23505', 'entities_code_key', { code: ['The code has already been taken.'] }],
    [
      '23503',
      'employees_department_id_fkey',
      { department_id: ['This department isn’t available. Select another one.'] },
    ],
  ])('the database finds in a field (%s) are named by its constraint', async (code, constraint, errors) => {
    fault.next = database({ code, constraint, table: constraint.split('_')[0] ?? '' });
    const answer = await hr.get('/api/probes/fault');
    expect([answer.status, answer.body.errors]).toEqual([422, errors]);
  });
});

test('no refusal is in the words of the framework', async () => {
  const guest = await as();
  for (const [method, path, headers] of [
    ['GET', '/api/nothing', {}],
    ['GET', '/%', {}],
    ['GET', `/${'x'.repeat(5_000)}`, {}],
    ['POST', '/api/nothing', { 'content-type': 'application/json' }],
    ['POST', '/nothing', { 'content-type': 'x; y' }],
    ['POST', '/api/probes', { 'content-length': '99999999' }],
    ['PUT', '/api/probes/1', { 'content-type': 'application/x-unknown' }],
    ['TRACE', '/', {}],
    ['OPTIONS', '/nothing', {}],
  ] as const) {
    const answer = await guest.send(method, path, { headers });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect([path, Object.keys(answer.body as object)]).toEqual([path, ['message']]);
    expect(answer.bytes.toString()).not.toMatch(/fastify|FST_|statusCode|node_modules|version|SELECT/i);
  }
});
