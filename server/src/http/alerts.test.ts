import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { joinMetrics } from '../supervisor/joined-metrics.ts';
import { openMetrics } from './metrics.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const rules = read('deploy/prometheus/tenure.rules.yaml');
const series = read('deploy/prometheus/tenure.rules.test.yaml');

const words = new Set(['and', 'or', 'unless', 'on', 'by', 'without', 'ignoring', 'bool', 'offset']);

/** The metrics of an expression, without functions, labels, durations and Prometheus's own metrics. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(by|without|on|ignoring) \([^)]*\)/g, ' ');
  return [...bare.matchAll(/(?<![\w.:])[a-z_:][\w:]*(?!\w*\s*\()/gi)]
    .map(([name]) => name)
    .filter((name) => !words.has(name) && name !== 'up');
}

const recorded = [...rules.matchAll(/- record: (\S+)/g)].map(([, name = '']) => name);
const unquoted = (text: string) => (text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text);
const ruleExpressions = [...rules.matchAll(/^ +expr: (.+)$/gm)].map(([, text = '']) => unquoted(text));

type Panel = { title: string; targets?: { expr: string }[] };
const { panels } = JSON.parse(read('deploy/grafana/tenure.json')) as { panels: Panel[] };
const panelExpressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

const { deps } = await startApp();
const text = [
  await openMetrics({ ...deps, idleSeconds: 1, ofProcess: true }).text(),
  // the further metrics of a supervisor
  await joinMetrics([]).text(),
].join('\n');
const known = new Set(
  [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
);
const unknownIn = (expressions: readonly string[]) =>
  expressions.flatMap(metricsIn).filter((name) => !known.has(name) && !recorded.includes(name));

test('every metric of the alert rules and of the dashboard exists', () => {
  expect(ruleExpressions).toHaveLength([...rules.matchAll(/- (alert|record): /g)].length);
  expect(panelExpressions.length).toBeGreaterThan(20);
  expect(metricsIn(ruleExpressions.join('\n')).length).toBeGreaterThan(20);
  expect(unknownIn(ruleExpressions)).toEqual([]);
  expect(unknownIn(panelExpressions)).toEqual([]);
});

test('a metric that does not exist is found', () => {
  expect(unknownIn(['max(tenure_jobs_lost) > 0 unless on (instance) tenure_jobs_ready'])).toEqual(['tenure_jobs_lost']);
  expect(unknownIn(['sum by (le) (rate(http_requests_bucket{job="tenure_x"}[5m])) / 2'])).toEqual([
    'http_requests_bucket',
  ]);
});

const alerts = rules
  .split('- alert: ')
  .slice(1)
  .map((text) => {
    const [name = ''] = text.split('\n');
    return { name, text };
  });
const names = [...new Set(alerts.map(({ name }) => name))];

test('every alert says what to do, and has its paragraph in docs/operations.md', () => {
  const page = read('docs/operations.md');
  for (const { name, text } of alerts) {
    for (const part of ['severity: ', 'summary: ', 'do: ']) expect(text, name).toContain(part);
    const [, path = '', anchor] = /runbook_url: ([^#\s]+)#(\w+)/.exec(text) ?? [];
    expect(existsSync(path), name).toBe(true);
    expect(anchor).toBe(name.toLowerCase());
    expect(page).toMatch(new RegExp(`^### ${name}\n\n\\S`, 'm'));
  }
  expect(names.length).toBeGreaterThan(15);
});

test('every alert has a series that fires and one that does not', () => {
  const tried = [...series.matchAll(/- name: (\w+) (fires|does not fire)$/gm)].map(
    ([, name, kind]) => `${name} ${kind}`,
  );
  expect([...new Set(tried)].sort()).toEqual(
    names.flatMap((name) => [`${name} does not fire`, `${name} fires`]).sort(),
  );
});
