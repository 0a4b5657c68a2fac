import { defineConfig } from 'vitest/config';

/** The main job of each journey by finger on a phone; the browser application must have been built. */
export default defineConfig({
  test: {
    name: 'touch',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    environment: 'node',
    globalSetup: ['../setup.ts'],
    isolate: false,
    maxWorkers: 2,
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
