import { describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { multipart } from '../testing/client.ts';
import { untilMinuteHas } from '../testing/minute.ts';
import { probeRoutes } from '../testing/probes.ts';
import { rateLimit } from './limits.ts';

const { as, make, owner } = await startApp({ RATE_LIMIT_PER_MINUTE: '1000' }, { bindings: probeRoutes });
const person = await make.employee({ roles: ['HR'] });
const hr = await as(person.user_id);
const done = async () =>
  (await owner.query("select count(*)::int as n from audit_log where action = 'probe.done'")).rows[0].n as number;
let serial = 0;
const newKey = () => `key-${(serial += 1)}`;
const used = (how: string) => ({ idempotency_key: [`The idempotency key has already been used${how}.`] });

describe('an idempotency key', () => {
  test('gives the first answer again and does nothing again', async () => {
    const [key, before] = [newKey(), await done()];
    const send = () => hr.post('/api/probes', { name: 'Ada', weight: 1.5 }, { 'idempotency-key': key });
    const [first, second] = [await send(), await send()];
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(second.bytes).toEqual(first.bytes);
    expect(await done()).toBe(before + 1);
  });

  test('stands for one body', async () => {
    const key = newKey();
    await hr.post('/api/probes', { name: 'Ada' }, { 'idempotency-key': key });
    const before = await done();
    const other = await hr.post('/api/probes', { name: 'Bob' }, { 'idempotency-key': key });
    expect([other.status, other.body.errors]).toEqual([422, used(' with a different request')]);
    const elsewhere = await hr.post('/api/probes/1/act', { name: 'Ada' }, { 'idempotency-key': key });
    expect(elsewhere.body.errors).toEqual(used(' with a different request'));
    expect(await done()).toBe(before);
  });

  test('stands for the content of a file, not for its name on the wire', async () => {
    const key = newKey();
    const send = (content: string) => {
      const { payload, headers } = multipart({ name: 'a.png', content }, { title: 'x' });
      return hr.send('POST', '/api/probes/1/upload', { payload, headers: { ...headers, 'idempotency-key': key } });
    };
    expect((await send('one')).status).toBe(200);
    expect((await send('one')).headers['idempotent-replayed']).toBe('true');
    expect((await send('two')).body.errors).toEqual(used(' with a different request'));
  });

  test('is the sender’s own', async () => {
    const key = newKey();
    const other = await as((await make.employee({ roles: ['HR'] })).user_id);
    await hr.post('/api/probes', { name: 'Ada' }, { 'idempotency-key': key });
    const answer = await other.post('/api/probes', { name: 'Bob' }, { 'idempotency-key': key });
    expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  test('of many at the same moment lets one do the work', async () => {
    const [key, before] = [newKey(), await done()];
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => hr.post('/api/probes', { name: 'Ada' }, { 'idempotency-key': key })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(await done()).toBe(before + 1);
  });

  test('waits for the first at most 5 seconds', async () => {
    const key = newKey();
    const client = await owner.connect();
    await client.query('begin');
    await client.query(
      "insert into idempotency_keys (user_id, key, method, path, body_hash) values ($1, $2, 'POST', '/', '')",
      [person.user_id, key],
    );
    const answer = await hr.post('/api/probes', { name: 'Ada' }, { 'idempotency-key': key });
    await client.query('rollback');
    client.release();
    expect([answer.status, answer.body, answer.headers['retry-after']]).toEqual([
      503,
      { message: 'Service Unavailable' },
      '1',
    ]);
    expect((await hr.post('/api/probes', { name: 'Ada' }, { 'idempotency-key': key })).status).toBe(201);
  });

  test('of work that was refused is free again', async () => {
    const key = newKey();
    const send = (body: unknown) => hr.post('/api/probes', body, { 'idempotency-key': key });
    expect((await send({})).status).toBe(422);
    expect((await send({ name: 'Ada' })).status).toBe(201);
  });

  test('keeps no secret: a repeat is refused and its answer is nowhere', async () => {
    const [key, before] = [newKey(), await done()];
    const send = () => hr.post('/api/probes/secret', {}, { 'idempotency-key': key });
    expect((await send()).status).toBe(200);
    const repeat = await send();
    expect([repeat.status, repeat.body.errors]).toEqual([422, used('')]);
    expect(await done()).toBe(before + 1);
    expect((await owner.query('select body from idempotency_keys where key = $1', [key])).rows).toEqual([
      { body: null },
    ]);
  });

  test('is forgotten after a day', async () => {
    const key = newKey();
    const send = () => hr.post('/api/probes', { name: 'Ada' }, { 'idempotency-key': key });
    await send();
    await owner.query("update idempotency_keys set created_at = now() - interval '25 hours' where key = $1", [key]);
    expect((await send()).headers['idempotent-replayed']).toBeUndefined();
    expect((await send()).headers['idempotent-replayed']).toBe('true');
  });

  test.each(['', 'a b', 'ä', 'x'.repeat(256), 'a\tb'])('must be plain: %j', async (key) => {
    const before = await done();
    const answer = await hr.post('/api/probes', { name: 'Ada' }, { 'idempotency-key': key });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { idempotency_key: ['The idempotency key field format is invalid.'] },
    ]);
    expect(await done()).toBe(before);
    expect(
      (await hr.post('/api/probes', { name: 'Ada' }, { 'idempotency-key': `${'x'.repeat(250)}${serial}` })).status,
    ).toBe(201);
  });

  test('means nothing on other methods, and on signing in and out', async () => {
    const headers = { 'idempotency-key': newKey() };
    for (let n = 0; n < 2; n += 1) {
      expect((await hr.put('/api/probes/1', { name: 'Ada' }, headers)).headers['idempotent-replayed']).toBeUndefined();
      const client = await as(person.user_id);
      expect((await client.post('/logout', {}, headers)).status).toBe(200);
    }
  });
});

describe('the general limit', () => {
  const minute = 60_000;
  test('counts per user and fixed minute', () => {
    let now = minute * 1_000 + 10_000;
    const limit = rateLimit(2, { now: () => now });
    expect(limit.consume(1)).toEqual({ remaining: 1, seconds: 50 });
    expect(limit.consume(1).remaining).toBe(0);
    expect(limit.consume(2).remaining).toBe(1);
    now += 20_000;
    expect(limit.consume(1)).toEqual({ remaining: -1, seconds: 30 });
    expect(limit.consume(1).remaining).toBe(-1);
    now += 30_000;
    expect(limit.consume(1).remaining).toBe(1);
  });

  test('stands in every answer to someone signed in, refusals included, and not in others', async () => {
    const client = await as((await make.employee({ roles: ['HR'] })).user_id);
    for (const [method, path] of [
      ['GET', '/api/me'],
      ['GET', '/api/probes/100'],
      ['POST', '/api/probes'],
      ['PUT', '/api/probes/2'],
      ['GET', '/api/probes/1/file'],
      ['DELETE', '/api/probes/1'],
      ['GET', '/api/roles'],
    ] as const) {
      const { headers } = await client.send(method, path);
      expect([path, headers['x-ratelimit-limit']]).toEqual([path, '1000']);
      expect(Number(headers['x-ratelimit-remaining'])).toBeLessThan(1_000);
    }
    const guest = await as();
    for (const answer of [
      await guest.get('/api/me'),
      await client.send('PUT', '/api/probes/1', { headers: { 'x-xsrf-token': '' } }),
    ])
      expect(answer.headers['x-ratelimit-limit']).toBeUndefined();
  });

  test('refuses over it, with the time to the end of the minute, and does not count 401 and 419', async () => {
    const service = await startApp({ RATE_LIMIT_PER_MINUTE: '3' }, { bindings: probeRoutes });
    const client = await service.as((await service.make.employee({ roles: ['HR'] })).user_id);
    for (let n = 0; n < 5; n += 1) {
      expect((await client.send('PUT', '/api/probes/1', { headers: { 'x-xsrf-token': '' } })).status).toBe(419);
      expect((await client.get('/api/me', { referer: '' })).status).toBe(401);
    }
    await untilMinuteHas(5);
    expect((await client.get('/api/me')).headers['x-ratelimit-remaining']).toBe('2');
    let answer = await client.get('/api/me');
    while (answer.status === 200) answer = await client.get('/api/me');
    expect([answer.status, answer.body]).toEqual([429, { message: 'Too Many Attempts.' }]);
    expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '0' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(answer.setCookies).toHaveLength(2);
    const other = await service.as((await service.make.employee()).user_id);
    expect((await other.get('/api/me')).status).toBe(200);
  });
});
