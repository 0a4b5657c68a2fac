import { defineConfig } from 'vitest/config';

/** Started by scripts/ha.ts, which creates the namespaces: run alone, it would change this machine's network. */
export default defineConfig({
  test: {
    name: 'ha',
    root: import.meta.dirname,
    include: ['*.ha.ts'],
    environment: 'node',
    pool: 'forks',
    // they use the same addresses
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    // after a failed step, the following ones have no meaning
    bail: 1,
  },
});
