import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readVersion } from './package/tree.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../deploy', path), 'utf8');

test('the chart has the rules of Prometheus, because it can only hold files of its own', () => {
  expect(read('helm/tenure/files/tenure.rules.yaml')).toBe(read('prometheus/tenure.rules.yaml'));
});

test('the chart is of the version of the release', () => {
  expect(parse(read('helm/tenure/Chart.yaml'))).toMatchObject({ version: readVersion(), appVersion: readVersion() });
});

test('the release finds the place where the image goes', () => {
  const workflow = readFileSync(join(import.meta.dirname, '../.github/workflows/release.yml'), 'utf8');
  const [, line = ''] = /s\|\^( {2}repository: tenure)\$\|/.exec(workflow) ?? [];
  expect(line).not.toBe('');
  expect(
    read('helm/tenure/values.yaml')
      .split('\n')
      .filter((one) => one === line),
  ).toHaveLength(1);
});
