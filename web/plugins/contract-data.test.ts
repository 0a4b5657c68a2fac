import * as contract from '@tenure/contract';
import { expect, test } from 'vitest';
import { plainData } from './contract-data.ts';

test('the browser gets method, path and permission of an endpoint, without schemas and summary', () => {
  expect(contract.session.login).toMatchObject({ method: 'POST', path: '/login', permission: 'public' });
  expect(Object.keys(contract.session.login)).not.toContain('body');
  expect(Object.keys(contract.session.login)).not.toContain('summary');
});

test('lists of values arrive whole', () => {
  expect(contract.lifecycles).toEqual(['probationary', 'confirmed', 'resigned', 'terminated']);
});

test('functions and schemas are dropped, everything else is kept', () => {
  expect(plainData({ a: 1, b: [true, null, 'x'], c: () => 1, d: { _zod: {} }, e: { f: 2 } })).toEqual({
    a: 1,
    b: [true, null, 'x'],
    e: { f: 2 },
  });
});
