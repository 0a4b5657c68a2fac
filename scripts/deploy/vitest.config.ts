import { defineConfig } from 'vitest/config';

/** A release is built and installed as people do it: minutes, as root, with tools that are not on every machine. */
export default defineConfig({
  test: {
    name: 'deploy',
    root: import.meta.dirname,
    include: ['*.deploy.ts'],
    globalSetup: ['./setup.ts'],
    environment: 'node',
    // one after the other: they measure and take much memory
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
