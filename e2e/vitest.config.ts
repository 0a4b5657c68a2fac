import { defineConfig } from 'vitest/config';

/** Journeys in a real browser against the real service; the browser application must have been built. */
export default defineConfig({
  test: {
    name: 'e2e',
    root: import.meta.dirname,
    include: ['**/*.e2e.ts'],
    environment: 'node',
    // Each file has a service and a browser of its own, and waits a good deal: three keep two processors busy.
    maxWorkers: 3,
    // After the other projects, which use all processors.
    sequence: { groupOrder: 1 },
    // As long as the browser waits for an element: a busy machine draws later.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
