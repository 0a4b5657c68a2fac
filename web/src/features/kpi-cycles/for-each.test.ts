import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../api/api-error.ts';
import { forEachOf } from './for-each.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refusal = (status: number, after?: number) => new ApiError(status, { message: `${status}` }, after);
const items = [1, 2, 3, 4, 5, 6, 7];

test('at most four tasks run at once, and each is counted when it ends', async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 10));
    running -= 1;
  };
  const all = forEachOf(items, work, (count) => done.push(count));
  await vi.advanceTimersByTimeAsync(100);
  expect(await all).toEqual([]);
  expect(most).toBe(4);
  expect(done).toEqual(items);
});

test('a refusal does not stop the others, and is returned with its item', async () => {
  const seen: number[] = [];
  const failed = await forEachOf(items, (item) => {
    seen.push(item);
    return item % 3 === 0 ? Promise.reject(refusal(422)) : Promise.resolve();
  });
  expect(seen.toSorted((a, b) => a - b)).toEqual(items);
  expect(failed.map(({ item, error }) => [item, error.status])).toEqual([
    [3, 422],
    [6, 422],
  ]);
});

test('after a 429 the same item is tried again at the given time', async () => {
  const work = vi.fn<(item: number) => Promise<void>>().mockRejectedValueOnce(refusal(429, 30)).mockResolvedValue();
  const all = forEachOf([1], work);
  await vi.advanceTimersByTimeAsync(29_000);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await all).toEqual([]);
  expect(work).toHaveBeenCalledTimes(2);
});

test('an unexpected error is not treated as a refusal', async () => {
  await expect(forEachOf([1], () => Promise.reject(new TypeError('Broken')))).rejects.toThrow('Broken');
});

test('an empty list runs no task', async () => {
  const work = vi.fn<() => Promise<void>>();
  expect(await forEachOf([], work)).toEqual([]);
  expect(work).not.toHaveBeenCalled();
});
