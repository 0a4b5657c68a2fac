import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { compare, hash } from 'bcryptjs';
import { afterAll, describe, expect, test } from 'vitest';
import { HashQueueFull, hashThreads, startHashPool } from './hash-pool.ts';
import { bcryptInput, parseStoredPassword } from './passwords.ts';

const COST = 4;
const pool = startHashPool({ cost: COST });

afterAll(() => pool.close());

describe('hash and verify', () => {
  test.each([
    ['a short one', 'Correct-Horse-7'],
    ['72 bytes', `${'a'.repeat(71)}Z`],
    ['73 bytes', `${'a'.repeat(72)}Z`],
    ['200 bytes', 'Ab1!'.repeat(50)],
    ['1,024 bytes', 'Ab1!'.repeat(256)],
    ['several alphabets', 'Пароль-密码-كلمة-7'],
  ])('%s is correct, and wrong with another last or first character', async (_, password) => {
    const stored = await pool.hash(password);
    expect(await pool.verify(password, stored)).toBe(true);
    expect(await pool.verify(`${password.slice(0, -1)}~`, stored)).toBe(false);
    expect(await pool.verify(`~${password.slice(1)}`, stored)).toBe(false);
    expect(await pool.verify(`${password} `, stored)).toBe(false);
    expect(await pool.verify(` ${password}`, stored)).toBe(false);
  });

  test('both Unicode forms of a password are equal', async () => {
    expect(await pool.verify('Gru\u0308n-2026-x', await pool.hash('Gr\u00fcn-2026-x'))).toBe(true);
  });

  test('the same password is stored differently each time', async () => {
    const password = 'Ab1!'.repeat(50);
    const [first, second] = await Promise.all([pool.hash(password), pool.hash(password)]);
    expect(first).not.toBe(second);
    expect(first).toMatch(/^\$2b\$04\$[./A-Za-z0-9]{53}\$[A-Za-z0-9_-]{22}$/);
  });

  test('a second implementation verifies what is stored', async () => {
    for (const password of ['Correct-Horse-7', 'Ab1!'.repeat(50)]) {
      const stored = await pool.hash(password);
      const longKey = parseStoredPassword(stored)?.longKey ?? null;
      expect(await compare(bcryptInput(password, longKey), stored.slice(0, 60))).toBe(true);
    }
  });

  test('hashes of other implementations are read whatever their version and cost', async () => {
    const theirs = await hash('Correct-Horse-7', 5);
    for (const version of ['2a', '2b', '2y']) {
      const stored = theirs.replace('$2b$', `$${version}$`);
      expect(await pool.verify('Correct-Horse-7', stored)).toBe(true);
      expect(await pool.verify('Correct-Horse-8', stored)).toBe(false);
    }
  });

  test('a published vector verifies', async () => {
    const stored = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
    expect(await pool.verify('U*U', stored)).toBe(true);
    expect(await pool.verify('U*U*', stored)).toBe(false);
  });

  test('a long password never matches a hash that bcrypt truncated', async () => {
    const cut = await hash('a'.repeat(72), COST);
    expect(await pool.verify('a'.repeat(72), cut)).toBe(true);
    expect(await pool.verify('a'.repeat(73), cut)).toBe(false);
  });

  test('more than 1,024 bytes are neither stored nor correct', async () => {
    const tooLong = 'Ab1!'.repeat(257);
    await expect(pool.hash(tooLong)).rejects.toThrow(RangeError);
    expect(await pool.verify(tooLong, await pool.hash(''))).toBe(false);
    await pool.dummy(tooLong);
  });

  test('an invalid stored password costs a comparison and never matches', async () => {
    const before = pool.stats().done;
    for (const stored of ['', 'Correct-Horse-7', '$2b$04$short']) {
      expect(await pool.verify('Correct-Horse-7', stored)).toBe(false);
    }
    await pool.dummy('Correct-Horse-7');
    expect(pool.stats().done).toBe(before + 4);
  });
});

describe('the queue', () => {
  // At cost 10 a task outlasts the rest of the test.
  test('a full queue refuses at once and serves its waiting calls', async () => {
    const small = startHashPool({ cost: 10, threads: 1, queue: 2 });
    const served = [small.hash('one'), small.hash('two'), small.hash('three')];
    expect(small.stats()).toMatchObject({ threads: 1, running: 1, waiting: 2, done: 0 });

    await expect(small.hash('four')).rejects.toThrow(HashQueueFull);
    await expect(small.verify('four', '')).rejects.toMatchObject({ retryAfter: 5 });
    expect(small.stats()).toMatchObject({ running: 1, waiting: 2, done: 0, refused: 2 });

    const hashes = await Promise.all(served);
    expect(await small.verify('three', hashes[2] ?? '')).toBe(true);
    expect(small.stats()).toMatchObject({ running: 0, waiting: 0, done: 4, refused: 2 });
    await small.close();
  });

  test('a call that waited too long is refused, and running ones continue', async () => {
    const small = startHashPool({ cost: 10, threads: 1, waitMs: 1 });
    const running = small.hash('one');
    await expect(small.hash('two')).rejects.toThrow(HashQueueFull);
    expect(await small.verify('one', await running)).toBe(true);
    await small.close();
  });

  test('the process responds while passwords are hashed', async () => {
    const busy = startHashPool({ cost: 10, threads: 1 });
    let ticks = 0;
    const ticker = setInterval(() => (ticks += 1), 1);
    await Promise.all([busy.dummy('one'), busy.dummy('two')]);
    clearInterval(ticker);
    expect(ticks).toBeGreaterThan(0);
    await busy.close();
  });
});

describe('the threads', () => {
  test.each([
    [1, 1, 2],
    [1, 2, 2],
    [1, 16, 4],
    [2, 2, 1],
    [2, 16, 2],
    [3, 64, 5],
    [4, 2, 1],
    [16, 16, 1],
  ])('%i processes on %i processors have %i each', (processes, processors, threads) => {
    expect(hashThreads(processes, processors)).toBe(threads);
  });

  test.each(Array.from({ length: 32 }, (_, n) => n + 1))('%i processes have one each, and share', (processes) => {
    for (const processors of [1, 2, 3, 8, 17, 64, 128]) {
      const threads = hashThreads(processes, processors);
      expect(threads).toBeGreaterThanOrEqual(1);
      expect(threads * processes).toBeLessThanOrEqual(Math.max(2, processes, processors / 4));
    }
  });

  test('the pool of one of several processes has its share', async () => {
    const shared = startHashPool({ cost: COST, processes: 1_000 });
    expect(shared.stats().threads).toBe(1);
    await shared.close();
  });

  test.runIf(process.platform === 'linux')('have a lower priority, and no other thread has', async () => {
    // other test files of this process have threads too
    const priorities = () =>
      new Map(
        readdirSync('/proc/self/task').map((thread) => {
          const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
          // the name in brackets can contain spaces
          return [thread, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])];
        }),
      );
    const own = getPriority();
    const lower = Math.min(19, own + 10);
    const before = priorities();
    const three = startHashPool({ cost: COST, threads: 3 });
    await Promise.all(['one', 'two', 'three'].map((password) => three.hash(password)));
    const after = priorities();
    const lowered = [...after].filter(([thread, priority]) => priority === lower && !before.has(thread));
    expect(lowered.length).toBeGreaterThanOrEqual(3);
    expect(new Set(after.values())).toEqual(new Set([own, lower]));
    expect(getPriority()).toBe(own);
    await three.close();
  });
});
