import type { TestProject } from 'vitest/node';
import { makeDemo } from './service.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A data directory with the demo, which journeys copy. */
    demoFolder: string;
  }
}

/** Runs before all journeys; the returned function runs after them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { folder, remove } = await makeDemo();
  project.provide('demoFolder', folder);
  return remove;
}
