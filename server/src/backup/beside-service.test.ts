import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const program = `
  import { getPriority } from 'node:os';
  import { workBesideService } from ${JSON.stringify(join(import.meta.dirname, 'beside-service.ts'))};
  workBesideService();
  console.log(getPriority());
`;

const after = (niceness: string): number => {
  const options = ['--input-type=module', '--eval', program];
  return Number(execFileSync('nice', ['-n', niceness, process.execPath, ...options], { encoding: 'utf8' }));
};

test('a backup beside requests has a lower priority than usual', () => {
  expect(after('0')).toBeGreaterThanOrEqual(10);
});

test('under a service of a still lower priority it keeps that one, because only root may raise it', () => {
  expect(after('19')).toBe(19);
});

test('it ends with the service that started it, and by itself when its work is done', async () => {
  const start = (work: string) =>
    spawn(process.execPath, ['--input-type=module', '--eval', `${program}; ${work}`], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  const late = start('setInterval(() => undefined, 1_000);');
  late.disconnect();
  expect(await once(late, 'exit')).toEqual([1, null]);
  const waiting = start(`setInterval(() => undefined, 1_000); process.send('at work');`);
  await once(waiting, 'message');
  waiting.disconnect();
  expect(await once(waiting, 'exit')).toEqual([1, null]);
  expect(await once(start(''), 'exit')).toEqual([0, null]);
});
