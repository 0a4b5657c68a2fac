import { endpoint, item } from '@tenure/contract';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { bind } from '../http/context.ts';
import { read } from '../http/replies.ts';
import { startApp } from './app.ts';

const shared = {
  method: 'GET',
  permission: 'signed in',
  scope: 'none',
  status: 200,
  summary: 'Read',
  reply: item(z.object({ id: z.number() })),
} as const;
const path = (name: string) => ({ ...shared, path: `/declared-${name}` }) as const;
const answering = (name: string, data: { id: number }) =>
  bind(endpoint(path(name)), { handle: async () => read(data) });
const bindings = [answering('only', { id: 1 }), answering('more', { id: 1, secret: 'x' } as { id: number })];
const { as, make, logged } = await startApp({}, { bindings });

test('every app of a test fails a request whose answer holds more than its endpoint declares', async () => {
  const client = await as((await make.employee()).user_id);
  expect((await client.get('/api/declared-only')).body.data).toEqual({ id: 1 });
  expect((await client.get('/api/declared-more')).status).toBe(500);
  expect(logged.join('\n')).toContain('answers more than it declares');
});
