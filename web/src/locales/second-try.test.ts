import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { secondTry } from './second-try.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const broken = new TypeError('error loading dynamically imported module');

async function outcomeOf(load: () => Promise<string>) {
  const said = vi.fn<(result: unknown) => void>();
  void secondTry(load).then(said, said);
  await vi.advanceTimersByTimeAsync(500);
  const atFirst = said.mock.calls.length;
  await vi.advanceTimersByTimeAsync(1_000);
  return [atFirst, ...said.mock.calls.flat()];
}

test('a part whose load breaks off is loaded again, and nothing is said meanwhile', async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(broken).mockResolvedValue('loaded');
  expect(await outcomeOf(load)).toEqual([0, 'loaded']);
  expect(load).toHaveBeenCalledTimes(2);
});

test('a part that is missing is said to be', async () => {
  expect(await outcomeOf(() => Promise.reject(broken))).toEqual([0, broken]);
});
