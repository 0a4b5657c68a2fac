import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { has, run } from './tools.ts';

/** The checks of `npm run test:alerts` on the files of the release; `npm test` compares their metrics with /metrics. */

const folder = join(inject('scratch'), 'prometheus');
const source = join(import.meta.dirname, '../../deploy/prometheus');
const canCheck = has('the alert rules', 'promtool');

const promtool = (...args: string[]) => run('promtool', args, { cwd: folder });

test.runIf(canCheck)('each alert fires on its series, and one on an unknown metric does not', () => {
  cpSync(source, folder, { recursive: true });
  const released = readFileSync(join(inject('tree'), 'deploy/prometheus/tenure.rules.yaml'), 'utf8');
  const rules = join(folder, 'tenure.rules.yaml');
  writeFileSync(rules, released);
  for (const args of [
    ['check', 'rules', 'tenure.rules.yaml'],
    ['test', 'rules', 'tenure.rules.test.yaml'],
  ]) {
    const { status, output } = promtool(...args);
    expect(status, output).toBe(0);
  }
  writeFileSync(rules, released.replaceAll('tenure_disk_free_bytes', 'tenure_disk_lost_bytes'));
  const wrong = promtool('test', 'rules', 'tenure.rules.test.yaml');
  expect(wrong.status).not.toBe(0);
  expect(wrong.output).toContain('DiskLow');
});
