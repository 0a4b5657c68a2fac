import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { has, run } from './tools.ts';

const folder = join(import.meta.dirname, '../../.github/workflows');
const workflows = globSync('*.yml', { cwd: folder }).map((name) => join(folder, name));

test.runIf(has('the workflows', 'actionlint'))(
  'the workflows are valid, and one that needs an unknown job is not',
  () => {
    expect(workflows.length).toBeGreaterThanOrEqual(3);
    expect(run('actionlint', workflows)).toEqual({ status: 0, output: '' });
    const wrong = join(inject('scratch'), 'wrong.yml');
    writeFileSync(
      wrong,
      readFileSync(join(folder, 'release.yml'), 'utf8').replace('needs: package', 'needs: packages'),
    );
    const { status, output } = run('actionlint', [wrong]);
    expect(status).not.toBe(0);
    expect(output).toContain('packages');
  },
);

test('a tool that is required and missing fails its check', () => {
  vi.stubEnv('TOOLS', 'required');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(() => has('a check', 'no-such-program')).toThrow('no-such-program');
});

test('each command with tools of others runs every night', () => {
  const nightly = readFileSync(join(folder, 'nightly.yml'), 'utf8');
  const { scripts } = JSON.parse(readFileSync(join(folder, '../../package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  // run by hand or elsewhere: single tests, desktop browsers, the alerts on each push
  const others = new Set(['unit', 'journeys', 'extended', 'browsers', 'touch', 'alerts']);
  const commands = Object.keys(scripts).flatMap((name) => /^test:(.+)$/.exec(name)?.[1] ?? []);
  for (const name of commands.filter((one) => !others.has(one)))
    expect(nightly).toMatch(new RegExp(`command: ${name}\\b|test:${name}\\b`));
});
