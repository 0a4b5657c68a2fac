import { statSync } from 'node:fs';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

/** Tests that open every page take minutes: `npm run test:long` runs only these. */
const long = '**/*.long.e2e.ts';
/** The journeys of `npm test`: the main jobs and sign-in; `npm run test:journeys` runs all (ADR 119, ADR 133). */
const main = [
  'first-day',
  'keyboard-and-phone',
  'kpi-cycles',
  'kpi-evaluations',
  'people',
  'probation',
  'second-factor',
  'single-sign-on',
].map((name) => `${name}.e2e.ts`);
for (const file of main) statSync(join(import.meta.dirname, file));
const included = { long: [long], all: ['**/*.e2e.ts'] }[process.env['JOURNEYS'] ?? ''];
/** A journey named on the command line runs in any case. */
const isNamed = process.argv.slice(2).some((one) => !/^-|^(run|list|watch)$|\.config\.ts$/.test(one));

/** Journeys in a real browser against the real service; the browser application must have been built. */
export default defineConfig({
  test: {
    name: 'e2e',
    root: import.meta.dirname,
    include: included ?? (isNamed ? ['**/*.e2e.ts'] : main),
    exclude: [...configDefaults.exclude, ...(included?.includes(long) ? [] : [long])],
    environment: 'node',
    globalSetup: ['./setup.ts'],
    // The browser's driver is loaded once per worker, not once per file.
    isolate: false,
    // Each file has a service and a browser of its own and waits a lot: four keep two processors busy.
    maxWorkers: 4,
    // After the other projects, which use all processors.
    sequence: { groupOrder: 1 },
    // The same timeout as for elements: a busy machine draws later.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
