import { defineConfig } from 'vitest/config';

/** The main jobs in Chromium, Firefox and WebKit; the browser application must have been built. */
export default defineConfig({
  test: {
    name: 'browsers',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    environment: 'node',
    globalSetup: ['../setup.ts'],
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
