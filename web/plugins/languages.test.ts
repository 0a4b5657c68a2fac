import { cpSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { compiledTexts } from './compiled-texts.ts';
import { languages, partsOf, textsFile } from './languages.ts';

/** The shipped languages and a third one: English with each text in brackets. */
function withThird(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'tenure-')), 'locales');
  cpSync(join(import.meta.dirname, '../../contract/locales'), folder, { recursive: true });
  cpSync(join(folder, 'en'), join(folder, 'ar'), { recursive: true });
  for (const file of partsOf('ar', folder).values()) {
    const mark = (_name: string, text: unknown) => (typeof text === 'string' ? `[${text}]` : text);
    writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, 'utf8'), mark)));
  }
  writeFileSync(join(folder, 'ar/language.json'), '{ "name": "العربية", "locale": "ar-EG" }');
  return folder;
}

test('a third language is one folder: the build finds it, with all of its texts and its direction', async () => {
  const folder = withThird();
  const root = mkdtempSync(join(tmpdir(), 'tenure-page-'));
  writeFileSync(join(root, 'index.html'), '<html><head><script type="module" src="/main.ts"></script></head></html>');
  writeFileSync(
    join(root, 'main.ts'),
    "import { locales } from 'virtual:languages'; Object.assign(window, { locales });",
  );
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [compiledTexts(), languages(folder)],
    build: {
      rolldownOptions: {
        output: { chunkFileNames: ({ facadeModuleId }) => textsFile(facadeModuleId) ?? 'assets/[name]-[hash:7].js' },
      },
    },
  });
  const page = readFileSync(join(root, 'dist/index.html'), 'utf8');
  const [, base = ''] =
    /<meta name="texts" lang="ar" dir="rtl" content="\/(assets\/ar\/base-[\w-]{7}\.js)">/.exec(page) ?? [];
  expect(page).toMatch(/lang="en" dir="ltr".*lang="ar" dir="rtl".*lang="de" dir="ltr"/s);
  const made = globSync('assets/ar/*.js', { cwd: join(root, 'dist') }).map((file) => basename(file).slice(0, -11));
  const parts = [...partsOf('ar', folder).keys()].filter((part) => !['forms', 'shell', 'words'].includes(part));
  expect(made.sort()).toEqual([...parts, 'base'].sort());
  expect(readFileSync(join(root, 'dist', base), 'utf8')).toContain('[Home]');
});
