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

test('there are panes that scroll', () => {
  expect(scrolling.length).toBeGreaterThan(10);
});

// Text for screen readers is positioned: without a pane that holds it, it makes the whole document taller.
test('what scrolls holds what is positioned in it', () => {
  expect(
    scrolling.filter(({ body }) => !/position: (relative|absolute|fixed|sticky)/.test(body)).map(({ name }) => name),
  ).toEqual([]);
});
