import * as contract from '@tenure/contract';
import { expect, test } from 'vitest';
import { plainData } from './contract-data.ts';

test('keeps only the parts of an endpoint that a request is built from', () => {
  expect(contract.session.login).toEqual({ method: 'POST', path: '/login' });
});

test('keeps lists of values complete', () => {
  expect(contract.lifecycles).toEqual(['probationary', 'confirmed', 'resigned', 'terminated']);
});

test('drops functions and schemas and keeps everything else', () => {
  expect(plainData({ a: 1, b: [true, null, 'x'], c: () => 1, d: { _zod: {} }, e: { f: 2 } })).toEqual({
    a: 1,
    b: [true, null, 'x'],
    e: { f: 2 },
  });
});
