import { configDefaults, defineConfig } from 'vitest/config';

/** Walks through every page take minutes: `npm run test:long` runs these and nothing else. */
const long = '**/*.long.e2e.ts';
const isLong = process.env['JOURNEYS'] === 'long';

/** Journeys in a real browser against the real service; the browser application must have been built. */
export default defineConfig({
  test: {
    name: 'e2e',
    root: import.meta.dirname,
    include: [isLong ? long : '**/*.e2e.ts'],
    exclude: [...configDefaults.exclude, ...(isLong ? [] : [long])],
    environment: 'node',
    globalSetup: ['./setup.ts'],
    // The browser's driver is loaded once per worker, not once per file.
    isolate: false,
    // Each file has a service and a browser of its own, and waits a good deal: four keep two processors busy.
    maxWorkers: 4,
    // After the other projects, which use all processors.
    sequence: { groupOrder: 1 },
    // As long as the browser waits for an element: a busy machine draws later.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
