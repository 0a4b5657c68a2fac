import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mapConcurrently } from './map-concurrently.ts';

test('four run at once, and the results are in order', async () => {
  let [running, most] = [0, 0];
  const results = await mapConcurrently([5, 1, 4, 1, 3, 9], async (item) => {
    running += 1;
    most = Math.max(most, running);
    for (let turns = 0; turns < item; turns += 1) await setImmediate();
    running -= 1;
    return item * 10;
  });
  expect([results, most]).toEqual([[50, 10, 40, 10, 30, 90], 4]);
  expect(await mapConcurrently([], async () => 1)).toEqual([]);
});

test('after an error nothing is begun, and nothing runs any more', async () => {
  const [begun, ended]: [number[], number[]] = [[], []];
  const work = async (item: number) => {
    begun.push(item);
    if (item === 1) throw new Error('no space');
    for (let turns = 0; turns < 5; turns += 1) await setImmediate();
    ended.push(item);
  };
  await expect(mapConcurrently([0, 1, 2, 3, 4, 5, 6], work)).rejects.toThrow('no space');
  expect([begun, ended]).toEqual([
    [0, 1, 2, 3],
    [0, 2, 3],
  ]);
});
