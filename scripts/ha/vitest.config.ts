import { defineConfig } from 'vitest/config';

/** Started by scripts/ha.ts, which makes the namespaces: alone it would change the network of this machine. */
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
    // what comes after a failed step says nothing
    bail: 1,
  },
});
