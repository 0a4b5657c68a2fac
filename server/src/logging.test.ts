import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('.', import.meta.url));
const page = readFileSync(new URL('../../docs/logging.md', import.meta.url), 'utf8');

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('testing/'),
);
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '');

test('every event the service logs is documented, and every documented one is logged', () => {
  const logged = files.flatMap((name) => namesIn(readFileSync(join(source, name), 'utf8'), /\bevent: '([a-z_]+)'/g));
  const documented = namesIn(page, /^\| `([a-z_]+)` \|/gm);
  expect(documented).toEqual([...new Set(logged)].sort());
});
