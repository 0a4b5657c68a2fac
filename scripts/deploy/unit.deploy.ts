import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { has, run } from './tools.ts';

const [scratch, tree] = [inject('scratch'), inject('tree')];
const folder = join(scratch, 'unit');
mkdirSync(folder);
/** Exposure 1.5 of 10, in the command's format. */
const threshold = '--threshold=15';
const canCheck = has('the systemd unit', 'systemd-analyze');

/** The release's unit, adapted to this release's folder. */
const unit = readFileSync(join(tree, 'deploy/systemd/tenure.service'), 'utf8').replaceAll('/opt/tenure', tree);

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const verify = (path: string) => run('systemd-analyze', ['verify', '--man=no', path]);
const security = (path: string) => run('systemd-analyze', ['security', '--offline=true', threshold, path]);

test.runIf(canCheck)('systemd accepts the unit, and an unknown setting is noticed', () => {
  expect(verify(write('tenure.service', unit))).toEqual({ status: 0, output: '' });
  const wrong = verify(write('wrong.service', unit.replace('NoNewPrivileges', 'NoNewRights')));
  expect(wrong.output).toContain('NoNewRights');
});

test.runIf(canCheck)('its exposure is at most 1.5, and one without its fences is above', () => {
  const { status, output } = security(write('fenced.service', unit));
  expect(status, output).toBe(0);
  const fences = /^(SystemCall|Protect|Restrict|Private|Capability).*$/gm;
  expect(security(write('open.service', unit.replace(fences, ''))).status).not.toBe(0);
});

test('systemd goes on after one killed process, whatever limit of memory is added', () => {
  expect(unit).toMatch(/^OOMPolicy=continue$/m);
  // what a limit would be written as is accepted too
  if (canCheck)
    expect(verify(write('limited.service', unit.replace('#MemoryMax', 'MemoryMax')))).toEqual({
      status: 0,
      output: '',
    });
});
