import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * Holes of identity and integrations that were found in other products are numbered N1 to N32. A test that fails without
 * what closes one has its number in its name.
 */

const [first, last] = [1, 32];
const named = /\b(?:describe|test)(?:\.each\([^]*?\))?\(\s*['"`]N(\d+): /g;

test('each known hole of identity and integrations has a test that is named after it', () => {
  const files = globSync('server/src/**/*.test.ts');
  const found = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(named)].map((match) => Number(match[1])),
  );
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  expect([...new Set(found)].toSorted((a, b) => a - b)).toEqual(numbers);
});
