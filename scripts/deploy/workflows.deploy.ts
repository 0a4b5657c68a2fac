import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { has, run } from './tools.ts';

const folder = join(import.meta.dirname, '../../.github/workflows');
const workflows = globSync('*.yml', { cwd: folder }).map((name) => join(folder, name));

test.runIf(has('the workflows', 'actionlint'))(
  'the workflows are valid, and one that needs an unknown job is not',
  () => {
    expect(workflows.length).toBeGreaterThanOrEqual(2);
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
