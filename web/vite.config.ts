import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, relative } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { compiledTexts } from './plugins/compiled-texts.ts';
import { compressed } from './plugins/compressed.ts';
import { contractData } from './plugins/contract-data.ts';
import { helpPages } from './plugins/help-pages.ts';
import { languages, textsFile } from './plugins/languages.ts';
import { preloadFont } from './plugins/preload-font.ts';
import { spaRoutes } from './plugins/spa-routes.ts';
import { themeSheet } from './plugins/theme-variables.ts';
import { modulesOf } from './src/testing/modules.ts';

// An empty base is this origin; index.html names it for boot.js.
process.env['VITE_API_BASE'] ??= '';

const service = process.env['TENURE_SERVICE'] ?? 'http://127.0.0.1:8000';

const source = join(import.meta.dirname, 'src');
/** Is the module part of the initial load of every screen? Its file compresses best as a whole. */
const startsWith = (entry: string) => {
  const modules = modulesOf(entry);
  modules.delete(entry);
  return (id: string) => modules.has(relative(source, id));
};

const screens = globSync('src/features/**/*Page.tsx', { cwd: import.meta.dirname }).length;

/** Code that many screens share, in a few chunks that rarely change; code of only some screens stays out. */
const sharedChunks = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 30 },
  {
    name: 'tanstack',
    test: /node_modules[\\/]@tanstack[\\/](?!react-table|table-core|react-virtual|virtual-core)/,
    priority: 20,
  },
  {
    name: 'kit',
    // without what forms have and lists do not, or the reverse: the other half would load it for nothing
    test: /node_modules[\\/](@mantine(?!.*[\\/](Textarea|Checkbox|Switch|NativeSelect|InlineInput)[\\/])|@floating-ui|@tabler)[\\/]/,
    priority: 15,
    minShareCount: Math.round(screens / 2),
  },
  { name: 'start', test: startsWith('main.tsx'), priority: 12 },
  { name: 'shell', test: startsWith('layout/Shell.tsx'), priority: 11 },
  { name: 'common', test: /web[\\/]src[\\/]/, priority: 5, minShareCount: Math.round(screens * 1.3) },
  // a file of its own for each small module costs a request; together they cost a few kB that some screens do not need
  {
    name: 'small',
    test: /web[\\/]src[\\/]/,
    priority: 4,
    minShareCount: Math.round(screens / 4),
    maxModuleSize: 2_200,
  },
  { name: 'intl', test: /node_modules[\\/](use-intl|intl-messageformat|icu-minify|@formatjs)[\\/]/, priority: 10 },
];

const sheets = globSync('src/**/*.module.css', { cwd: import.meta.dirname }).sort();

/** Classes of a style sheet share a short suffix: a suffix per class compresses badly. */
function scopedName(name: string, file: string): string {
  const place = sheets.indexOf(relative(import.meta.dirname, file));
  return `${name}_${place < 0 ? basename(file, '.module.css') : place.toString(36)}`;
}

export default defineConfig({
  plugins: [
    react(),
    contractData(),
    themeSheet(),
    compiledTexts(),
    helpPages(),
    spaRoutes(),
    preloadFont(/inter-latin-wght-normal.*\.woff2$/),
    languages(),
    compressed(),
  ],
  css: { modules: { generateScopedName: scopedName } },
  build: {
    target: ['chrome117', 'firefox120', 'safari17.5'],
    manifest: true,
    // One style sheet for the application: smaller than many after compression, and no part renders unstyled.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    // An inlined file would be a data: URL, which the content security policy forbids.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: sharedChunks },
        // Every screen starts with the names of all others: without words in them it is 1.3 kB smaller.
        chunkFileNames: ({ facadeModuleId }) => textsFile(facadeModuleId) ?? 'assets/[hash:7].js',
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': service, '/sanctum': service },
  },
  test: {
    name: 'web',
    environment: 'jsdom',
    // Mantine and the application are loaded once per worker, not once per file.
    isolate: false,
    maxWorkers: availableParallelism() + 1,
    include: ['src/**/*.test.{ts,tsx}', 'plugins/**/*.test.ts'],
    setupFiles: ['src/testing/setup.ts'],
    testTimeout: 40_000,
    expect: { poll: { timeout: 20_000 } },
    css: false,
  },
});
