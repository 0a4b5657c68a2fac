import { defineConfig } from 'vitest/config';

/** Builds and installs a release like users do: takes minutes, as root, with tools that not every machine has. */
export default defineConfig({
  test: {
    name: 'deploy',
    root: import.meta.dirname,
    include: ['*.deploy.ts'],
    globalSetup: ['./setup.ts'],
    environment: 'node',
    // one after the other, because they measure and take much memory
    fileParallelism: false,
    // a build takes two minutes of processor time, on machines that others use too
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
});
