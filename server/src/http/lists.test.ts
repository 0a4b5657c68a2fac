import { describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { probeRoutes } from '../testing/probes.ts';

const settings = { APP_URL: 'https://hr.example.com', RATE_LIMIT_PER_MINUTE: '100000' };
const { as, make } = await startApp(settings, { bindings: probeRoutes });
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const base = 'https://hr.example.com/api/probes';

describe('pages', () => {
  test('hold exactly the agreed keys', async () => {
    const { status, body } = await hr.get('/api/probes');
    expect([status, Object.keys(body)]).toEqual([200, ['data', 'links', 'meta']]);
    expect(body.data).toHaveLength(15);
    expect(body.meta).toEqual({ current_page: 1, from: 1, last_page: 3, per_page: 15, to: 15, total: 32 });
    expect(body.links).toEqual({ first: `${base}?page=1`, last: `${base}?page=3`, prev: null, next: `${base}?page=2` });
  });

  test.each(['0', '-3', 'abc', '1.5', '', '%20', '2147483648', '99999999999999999999', '1e1', '0x1', 'null', 'true'])(
    'page=%s is page 1',
    async (page) => {
      const { status, body } = await hr.get(`/api/probes?page=${page}`);
      expect([status, body.meta.current_page, body.meta.from]).toEqual([200, 1, 1]);
    },
  );

  test.each(['page[]=2', 'page[x]=2', 'page[0][1]=2', 'page[]=2&page[]=3'])('%s is page 1', async (query) => {
    const { status, body } = await hr.get(`/api/probes?${query}`);
    expect([status, body.meta.current_page]).toEqual([200, 1]);
  });

  test('one beyond the end is empty', async () => {
    for (const page of [4, 2_147_483_647]) {
      const { status, body } = await hr.get(`/api/probes?page=${page}`);
      expect([status, body.data]).toEqual([200, []]);
      expect(body.meta).toEqual({ current_page: page, from: 0, last_page: 3, per_page: 15, to: 0, total: 32 });
      expect([body.links.prev, body.links.next]).toEqual([`${base}?page=${page - 1}`, null]);
    }
  });

  test('no rows are one empty page', async () => {
    const { body } = await hr.get('/api/probes?search=nothing');
    expect(body.data).toEqual([]);
    expect(body.meta).toEqual({ current_page: 1, from: 0, last_page: 1, per_page: 15, to: 0, total: 0 });
    const only = `${base}?search=nothing&page=1`;
    expect(body.links).toEqual({ first: only, last: only, prev: null, next: null });
  });

  test('the last one is as short as it is', async () => {
    const { body } = await hr.get('/api/probes?page=3&per_page=15');
    expect(body.meta).toMatchObject({ current_page: 3, from: 31, to: 32 });
    expect([body.data.length, body.links.next]).toEqual([2, null]);
  });

  test('of a repeated parameter the last counts', async () => {
    expect((await hr.get('/api/probes?page=1&page=2')).body.meta.current_page).toBe(2);
  });
});

describe('sizes and orders', () => {
  const least = 'The per page field must be at least 1.';
  const most = 'The per page field must not be greater than 100.';
  const integer = 'The per page field must be an integer.';
  test.each([
    ['per_page=0', 'per_page', least],
    ['per_page=-1', 'per_page', least],
    ['per_page=101', 'per_page', most],
    ['per_page=99999999', 'per_page', most],
    ['per_page=abc', 'per_page', integer],
    ['per_page=1.5', 'per_page', integer],
    ['per_page[]=5', 'per_page', integer],
    ['per_page[x]=5', 'per_page', integer],
    ['per_page=1e1', 'per_page', integer],
    ['per_page=05', 'per_page', integer],
    ['sort_by=password', 'sort_by', 'The selected sort by is invalid.'],
    ['sort_by=name;drop', 'sort_by', 'The selected sort by is invalid.'],
    ['sort_by=NAME', 'sort_by', 'The selected sort by is invalid.'],
    ['sort_by[]=name', 'sort_by', 'The sort by field must be a string.'],
    ['sort_direction=up', 'sort_direction', 'The selected sort direction is invalid.'],
    ['sort_direction[]=asc', 'sort_direction', 'The sort direction field must be a string.'],
    ['entity_id=abc', 'entity_id', 'The company field must be an integer.'],
    ['entity_id=1,x', 'entity_id', 'The company field must be an integer.'],
    ['entity_id=1.5', 'entity_id', 'The company field must be an integer.'],
    ['entity_id=99999999999999999', 'entity_id', 'The company field must be an integer.'],
    ['entity_id[]=1', 'entity_id', 'The company field must be an integer.'],
    ['activity_status=gone', 'activity_status', 'The selected account status is invalid.'],
    ['activity_status[x]=active', 'activity_status', 'The selected account status is invalid.'],
    ['since=yesterday', 'since', 'The since field must be a valid date.'],
    ['since=2026-02-30', 'since', 'The since field must be a valid date.'],
    ['deleted=perhaps', 'deleted', 'The deleted field must be true or false.'],
    [`search=${'x'.repeat(101)}`, 'search', 'The search field must not be greater than 100 characters.'],
    ['search[]=x', 'search', 'The search field must be a string.'],
  ])('%s is refused', async (query, field, message) => {
    const answer = await hr.get(`/api/probes?${query}`);
    expect([answer.status, answer.body]).toEqual([422, { message, errors: { [field]: [message] } }]);
  });

  test('several wrong parameters are refused at once', async () => {
    const { body } = await hr.get('/api/probes?per_page=0&sort_by=x&entity_id=x');
    expect(body.message).toBe('The per page field must be at least 1. (and 2 more errors)');
    expect(Object.keys(body.errors as object)).toEqual(['per_page', 'sort_by', 'entity_id']);
  });

  test('an empty parameter is an absent one', async () => {
    const { status, body } = await hr.get(
      '/api/probes?per_page=&sort_by=&sort_direction=&entity_id=&since=&deleted=&search=',
    );
    expect([status, body.meta.per_page]).toEqual([200, 15]);
  });

  test('a direction is read in any case, and 100 rows are the most', async () => {
    for (const direction of ['asc', 'DESC', 'Asc'])
      expect(
        (await hr.get(`/api/probes?sort_by=name&sort_direction=${direction}&per_page=100`)).body.data,
      ).toHaveLength(32);
  });
});

describe('links', () => {
  test('keep the query in its order, drop what is empty, encode it, and put the page last', async () => {
    const query = `page=2&search=${encodeURIComponent("a b+c(d)!*'ä[e]&=%")}&sort_by=&entity_id=1,2&tags[]=x`;
    const { body } = await hr.get(`/api/probes?${query}`);
    expect(body.links.next).toBe(
      `${base}?search=a%20b%2Bc%28d%29%21%2A%27%C3%A4%5Be%5D%26%3D%25&entity_id=1%2C2&tags%5B%5D=x&page=3`,
    );
    expect((await hr.get('/api/probes?search=a+b')).body.links.first).toBe(`${base}?search=a%20b&page=1`);
  });

  test('followed to the end reach every row once and keep the filter', async () => {
    const seen: number[] = [];
    for (let next: string | null = `${base}?per_page=10&search=x`; next !== null;) {
      const { body } = await hr.get(next.slice('https://hr.example.com'.length));
      for (const row of body.data as { id: number; received: string }[]) {
        seen.push(row.id);
        expect(row.received).toBe('{"search":"x"}');
      }
      next = body.links.next as string | null;
    }
    expect(seen).toEqual(Array.from({ length: 32 }, (_, n) => n + 1));
  });

  test('come from the settings, whatever the request says of its host', async () => {
    for (const headers of [
      { host: 'evil.example' },
      { 'x-forwarded-host': 'evil.example' },
      { forwarded: 'host=evil.example' },
      { 'x-forwarded-proto': 'http' },
    ] as Record<string, string>[])
      expect((await hr.get('/api/probes/', headers)).body.links.first).toBe(`${base}?page=1`);
  });
});
