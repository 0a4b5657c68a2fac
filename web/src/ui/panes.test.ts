import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '..');
const rules = globSync('**/*.css', { cwd: source }).flatMap((file) =>
  [...readFileSync(join(source, file), 'utf8').matchAll(/([^{};]*)\{([^{}]*)\}/g)].map(
    ([, selector = '', body = '']) => ({
      name: `${file} ${selector.trim()}`,
      body,
    }),
  ),
);
const scrolling = rules.filter(({ body }) => /overflow(-\w+)?:[^;]*(auto|scroll)/.test(body));

test('there are scroll panes', () => {
  expect(scrolling.length).toBeGreaterThan(10);
});

// Visually hidden text is positioned: without a positioned pane it makes the whole document taller.
test('scroll containers are positioned', () => {
  expect(
    scrolling.filter(({ body }) => !/position: (relative|absolute|fixed|sticky)/.test(body)).map(({ name }) => name),
  ).toEqual([]);
});
