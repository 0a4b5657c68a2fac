import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/interface.md', root), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Requirement'));
const workspaces = /^(contract|server|web|e2e|scripts|docs)\//;
const locate = (path: string) => new URL(workspaces.test(path) ? path : `server/src/${path}`, root);

const shown = rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| |\|$/g, '').trim()));

test('every line of the page says where it is done and what shows it', () => {
  expect(rows.length).toBeGreaterThan(70);
  for (const [required, done, proof] of shown) {
    expect([required, done?.match(/`[^`]+`/g)?.length ?? 0]).not.toEqual([required, 0]);
    expect([required, /^`[^`]+` “[^”]+”$/.test(proof ?? '')]).toEqual([required, true]);
  }
});

test('every file it names is there', () => {
  const files = shown.flatMap(([, done]) => [...(done ?? '').matchAll(/`([^`]+)`/g)].map(([, file]) => file as string));
  expect(files.filter((file) => !existsSync(locate(file)))).toEqual([]);
});

test('every test it names is there', () => {
  const missing = shown.filter(([, , proof]) => {
    const [, file, title] = /^`([^`]+)` “([^”]+)”$/.exec(proof ?? '') ?? [];
    if (!file || !title || !existsSync(locate(file))) return true;
    const source = readFileSync(locate(file), 'utf8').replaceAll('’', "'");
    return !source.includes(title.replaceAll('’', "'"));
  });
  expect(missing).toEqual([]);
});
