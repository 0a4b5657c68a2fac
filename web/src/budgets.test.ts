import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { locales } from './locales/locales.ts';
import { lazyImportsOf, modulesOf } from './testing/modules.ts';

/** Limits in kB (1,000 bytes) after gzip; see the size table in docs/web.md. */
const limits = { signIn: 230, screen: 240, chart: 292, lazy: 70, css: 30, font: 50 };

const dist = join(import.meta.dirname, '../dist');
type Chunk = {
  file: string;
  src?: string;
  imports?: string[];
  css?: string[];
  isEntry?: boolean;
  isDynamicEntry?: boolean;
};
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;

const bytes = (file: string): number => readFileSync(join(dist, file)).length;
const zipped = (file: string): number => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
const kilobytes = (files: Iterable<string>): number => [...files].reduce((sum, file) => sum + zipped(file), 0) / 1_000;

/** All scripts that a browser loads before the given modules can run. */
function scriptsOf(keys: readonly string[], found = new Set<string>()): Set<string> {
  for (const chunk of keys.map((key) => manifest[key])) {
    if (!chunk || found.has(chunk.file)) continue;
    found.add(chunk.file);
    scriptsOf(chunk.imports ?? [], found);
  }
  return found;
}

const entry = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
const textsIn = (language: string, part = 'base') => {
  const file = new RegExp(`^assets/${language}/${part}-[\\w-]{7}\\.js$`);
  return Object.keys(manifest).find((key) => file.test(manifest[key]?.file ?? '')) ?? part;
};

const screens = [...modulesOf('router.tsx')].flatMap(lazyImportsOf);

/** The initial load of a screen in a language: the application, the screen's modules and its texts. */
const startIn = (language: string, page: string, others: readonly string[]) => {
  const parts = screens.find(({ file }) => `src/${file}` === page)?.parts ?? [];
  const texts = [undefined, ...parts].map((part) => textsIn(language, part));
  return kilobytes(scriptsOf([...entry, ...texts, page, ...others]));
};
/** The largest initial load over all languages. */
const startOf = (page: string, ...others: string[]) => Math.max(...locales.map(({ id }) => startIn(id, page, others)));

const shell = 'src/layout/Shell.tsx';
const chart = 'src/features/org-chart/OrgChartPage.tsx';
const pages = Object.keys(manifest).filter((key) => key.endsWith('Page.tsx'));
const outside = pages.filter((key) => key.includes('/sign-in/'));
const inside = pages.filter((key) => !outside.includes(key));

test('the build has the application, its screens and their texts', () => {
  expect(entry).toEqual(['index.html']);
  for (const { id } of locales) expect(manifest[textsIn(id)]).toBeDefined();
  expect(inside.length).toBeGreaterThan(4);
  expect(manifest[shell]).toBeDefined();
});

test.each(outside)('%s loads little script at the start', (page) => {
  expect(startOf(page)).toBeLessThanOrEqual(limits.signIn);
});

test.each(inside.filter((page) => page !== chart))('%s loads little script at the start', (page) => {
  expect(startOf(page, shell)).toBeLessThanOrEqual(limits.screen);
});

test('the organisation chart is the only screen that draws on a canvas', () => {
  const canvas = chart.replace('OrgChartPage', 'Canvas');
  expect(manifest[canvas]).toBeDefined();
  expect(startOf(chart, shell, canvas)).toBeLessThanOrEqual(limits.chart);
});

describe('lazy-loaded parts', () => {
  const first = scriptsOf(entry);
  const later = Object.values(manifest).filter(({ file, isDynamicEntry }) => isDynamicEntry && !first.has(file));

  test.each(later.map(({ file }) => file))('%s is small', (file) => {
    expect(kilobytes([file])).toBeLessThanOrEqual(limits.lazy);
  });
});

test('all styles together are small', () => {
  const sheets = readdirSync(join(dist, 'assets')).filter((file) => file.endsWith('.css'));
  expect(kilobytes(sheets.map((file) => `assets/${file}`))).toBeLessThanOrEqual(limits.css);
});

test('preloads one font file', () => {
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const fonts = [...html.matchAll(/<link rel="preload" as="font"[^>]*href="\/([^"]+)"/g)].map(([, file]) => file ?? '');
  expect(fonts).toHaveLength(1);
  for (const font of fonts) expect(bytes(font) / 1_000).toBeLessThanOrEqual(limits.font);
});

test('the page works under a strict content security policy: no inline script, no inline style', () => {
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  expect(html).not.toMatch(/<style|style=|<script(?![^>]*src=)|javascript:|\son\w+=/i);
});
