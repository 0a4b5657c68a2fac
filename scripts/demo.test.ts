import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const folder = new URL('..', import.meta.url).pathname;

/** What a command says when it cannot start. */
function refusalOf(script: string, env: Record<string, string>) {
  const { status, stderr } = spawnSync(process.execPath, [script], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  });
  return { status, stderr };
}

test.each([
  ['a bad port', { PORT: 'abc' }, /^PORT: .+\n$/],
  ['a key of the wrong length', { APP_KEY: 'short' }, /^APP_KEY: .+\n$/],
])('the demo says in one line that %s cannot be used, as the service does', (_name, env, line) => {
  const refusal = refusalOf('scripts/demo.ts', env);
  expect(refusal).toEqual({ status: 1, stderr: expect.stringMatching(line) });
  expect(refusal).toEqual(refusalOf('server/src/main.ts', env));
});
