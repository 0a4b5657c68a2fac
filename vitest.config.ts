import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          include: ['contract/src/**/*.test.ts', 'server/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          environment: 'node',
          pool: 'threads',
          isolate: false,
          testTimeout: 20_000,
          hookTimeout: 30_000,
          globalSetup: ['./server/src/testing/setup.ts'],
        },
      },
      'web/vite.config.ts',
    ],
  },
});
