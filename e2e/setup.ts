import type { TestProject } from 'vitest/node';
import { makeDemo } from './service.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A data directory filled with the demo, to be copied. */
    demoFolder: string;
  }
}

/** Before all journeys; what it returns runs after them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { folder, remove } = await makeDemo();
  project.provide('demoFolder', folder);
  return remove;
}
