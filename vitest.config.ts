import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          include: ['contract/src/**/*.test.ts', 'server/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['server/src/testing/cluster.ts'],
          pool: 'threads',
          isolate: false,
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      'web/vite.config.ts',
    ],
  },
});
