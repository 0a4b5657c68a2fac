import { describe, expect, test } from 'vitest';
import { NoTurn, openTurns } from './turns.ts';

/** Work that ends on command and reports how much of it ran in parallel. */
function recordedTask() {
  const ends: (() => void)[] = [];
  let now = 0;
  const seen = { most: 0, started: 0 };
  const task = async () => {
    now += 1;
    seen.started += 1;
    seen.most = Math.max(seen.most, now);
    await new Promise<void>((resolve) => ends.push(resolve));
    now -= 1;
  };
  const endOne = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    ends.shift()?.();
  };
  return { task, endOne, seen };
}

describe('a queue before expensive work', () => {
  test('limits parallel work and completes all of it', async () => {
    const inTurn = openTurns({ running: 2, waiting: 10, waitMs: 1_000 });
    const { task, endOne, seen } = recordedTask();
    const all = Promise.all(Array.from({ length: 7 }, () => inTurn(task)));
    for (let count = 0; count < 7; count += 1) await endOne();
    await all;
    expect(seen).toEqual({ most: 2, started: 7 });
  });

  test('refuses at once when too many are queued', async () => {
    const inTurn = openTurns({ running: 1, waiting: 1, waitMs: 1_000 });
    const { task, endOne, seen } = recordedTask();
    const [first, second] = [inTurn(task), inTurn(task)];
    await expect(inTurn(task)).rejects.toThrow(NoTurn);
    await endOne();
    await endOne();
    await Promise.all([first, second]);
    expect(seen.started).toBe(2);
  });

  test('refuses work that waited too long, and never starts it', async () => {
    const inTurn = openTurns({ running: 1, waiting: 5, waitMs: 1 });
    const { task, endOne, seen } = recordedTask();
    const first = inTurn(task);
    await expect(inTurn(task)).rejects.toMatchObject({ retryAfter: 5 });
    await endOne();
    await first;
    expect(seen.started).toBe(1);
  });

  test('runs the work of one user one after the other, past which that of others goes', async () => {
    const inTurn = openTurns({ running: 2, waiting: 10, waitingOfOne: 1, waitMs: 1_000 });
    const { task, endOne, seen } = recordedTask();
    const begun: string[] = [];
    const send = (user: string) =>
      inTurn(() => {
        begun.push(user);
        return task();
      }, user);
    const sent = [send('one'), send('one')];
    await expect(send('one')).rejects.toThrow(NoTurn);
    sent.push(send('two'), send('three'));
    for (let count = 0; count < 4; count += 1) await endOne();
    await Promise.all(sent);
    expect(begun).toEqual(['one', 'two', 'one', 'three']);
    expect(seen).toEqual({ most: 2, started: 4 });
  });

  test('continues after work that failed', async () => {
    const inTurn = openTurns({ running: 1, waiting: 5, waitMs: 1_000 });
    await expect(inTurn(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await inTurn(async () => 'yes')).toBe('yes');
  });
});
