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
    // a build takes two minutes of processor time, on machines that others use too
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
});
