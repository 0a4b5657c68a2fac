import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { performancePage } from '../bench/page.ts';
import { readResults } from '../bench/results.ts';

const pages = ['*.md', 'docs/**/*.md', '.github/**/*.md'].flatMap((pattern) => globSync(pattern));
const read = (path: string) => readFileSync(path, 'utf8');

/** Addresses of links and pictures of a page that lead to a file. */
const linksOf = (text: string) =>
  [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g)].map((match) => match[1] ?? '');

test.each(pages)('the links of %s lead to files', (page) => {
  for (const link of linksOf(read(page))) expect(existsSync(join(dirname(page), link)), link).toBe(true);
});

test('the commands that pages name exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/\bnpm run ([a-z0-9:-]+)/g)].map((match) => match[1] ?? ''),
  );
  expect(named).toContain('after-restore');
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('the changelog names each change of a release once', () => {
  for (const release of read('CHANGELOG.md').split(/^## /m)) {
    const names = [...release.matchAll(/^- \*\*(.+?)\*\*/gm)].map((match) => match[1] ?? '');
    expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
  }
});

test('docs/architecture.md leads to files and folders', () => {
  const text = read('docs/architecture.md');
  const questions = text.slice(text.indexOf('## Where is it?'), text.indexOf('## One request'));
  const paths = [...questions.matchAll(/`([a-z0-9-]+\/[^`]+)`/g)].map((match) => match[1] ?? '');
  expect(questions.match(/^\| .+\? \| /gm)).toHaveLength(10);
  expect(paths.length).toBeGreaterThanOrEqual(10);
  for (const path of paths) expect(existsSync(path), path).toBe(true);
  const folders = [...text.matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \| /gm)].flatMap(
    (row) => row[1]?.match(/`[^`]+`/g) ?? [],
  );
  for (const folder of folders) {
    const path = folder.slice(1, -1).replace('<noun>/', '');
    expect(existsSync(path) || existsSync(join('server/src', path)), path).toBe(true);
  }
});

test('docs/architecture.md has each folder of the server once', () => {
  const table = read('docs/architecture.md').split('| `server/src/` |')[1]?.split('\n\n')[0] ?? '';
  const named = [...table.matchAll(/^\| (.+?) \| /gm)].flatMap(
    ([, cell = '']) => cell.match(/[a-z0-9-]+(?=\/)/g) ?? [],
  );
  const folders = readdirSync('server/src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(named.toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
});

test('docs/decisions/README.md names each decision once, with its title and status', () => {
  const written = globSync('docs/decisions/0*.md').map((path) => {
    const [, number, title] = /^# (\d+)\. (.+)$/m.exec(read(path)) ?? [];
    const status =
      /^\*\*Status\.\*\* (Superseded by) \[(?:decision )?(\d+)\]|^\*\*Status\.\*\* (\w+)/m.exec(read(path)) ?? [];
    const words = status.slice(1).filter(Boolean).join(' ').toLowerCase();
    return `| ${number} | [${title}](${basename(path)}) | ${words} |`;
  });
  const listed = read('docs/decisions/README.md').match(/^\| \d+ \| .+$/gm) ?? [];
  expect(written.length).toBeGreaterThan(100);
  expect(listed.toSorted()).toEqual(written.toSorted());
});

test('docs/performance.md shows the last result, and the README quotes it', () => {
  const page = performancePage(readResults());
  expect(read('docs/performance.md')).toBe(page);
  const quoted = read('README.md').match(/^\| .+ \| (?:yes|\*\*no\*\*) \|$/gm) ?? [];
  expect(quoted.length).toBeGreaterThanOrEqual(5);
  for (const row of quoted) expect(page).toContain(row);
});

test('every row that misses its target has its cause', () => {
  expect(read('docs/performance.md')).not.toContain('Not looked into yet.');
});
