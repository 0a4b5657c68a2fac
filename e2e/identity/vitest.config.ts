import { defineConfig } from 'vitest/config';

/** Journeys with a third-party identity provider, which `npm run test:identity` starts. */
export default defineConfig({
  test: {
    name: 'identity',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    environment: 'node',
    globalSetup: ['../setup.ts'],
    isolate: false,
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
