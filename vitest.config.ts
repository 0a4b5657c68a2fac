import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Tests wait a good deal, for a database or for time to pass: one more than there are processors.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          name: 'server',
          include: ['contract/src/**/*.test.ts', 'server/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          environment: 'node',
          pool: 'threads',
          isolate: false,
          testTimeout: 40_000,
          hookTimeout: 60_000,
          // What is polled for: two processors shared by the tests, a database and services may take their time.
          expect: { poll: { timeout: 15_000 } },
          globalSetup: ['./server/src/testing/setup.ts'],
        },
      },
      'web/vite.config.ts',
    ],
  },
});
