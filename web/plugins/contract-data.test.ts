import * as contract from '@tenure/contract';
import { expect, test } from 'vitest';
import { plainData } from './contract-data.ts';

test('the browser gets what a request is made of, and nothing else of an endpoint', () => {
  expect(contract.session.login).toEqual({ method: 'POST', path: '/login' });
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
