import { expect, test } from 'vitest';
import { autoProcesses, heapMegabytes, maxConnections, poolSize } from './process-sizes.ts';

const gigabyte = 1_024 ** 3;

test.each([
  ['a processor each', 8, 64, false, 8],
  ['beside PostgreSQL too', 8, 64, true, 8],
  ['no more than 32', 96, 512, false, 32],
  ['what fits into the memory', 16, 2, false, 10],
  ['less beside PostgreSQL', 16, 2, true, 7],
  ['at least one', 16, 0.1, false, 1],
  ['one beside PostgreSQL on few processors', 3, 64, true, 1],
  ['all of few processors without it', 3, 64, false, 3],
])('%s', (_name, processors, memory, hasDatabase, expected) => {
  expect(autoProcesses({ processors, memory: memory * gigabyte, hasDatabase })).toBe(expected);
});

test('half of the memory is old space, within limits for each process', () => {
  expect([1, 2, 8, 64].map((processes) => heapMegabytes(4 * gigabyte, processes))).toEqual([1_024, 1_024, 256, 256]);
  expect(heapMegabytes(4 * gigabyte, 3)).toBe(682);
});

test('some 40 connections are shared out', () => {
  expect([1, 2, 4, 6, 10, 64].map(poolSize)).toEqual([10, 10, 10, 6, 4, 4]);
});

test('the embedded database takes the connections of all processes', () => {
  expect([maxConnections(1, 10), maxConnections(8, 5), maxConnections(32, 4), maxConnections(4, 50)]).toEqual([
    100, 113, 248, 310,
  ]);
});
