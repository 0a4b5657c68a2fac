import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What walks through every page takes longest: begun first, it does not run alone at the end. */
const longest = ['every-page', 'languages'];
class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((name) => moduleId.includes(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Journeys in a real browser against the real service; the browser application must have been built. */
export default defineConfig({
  test: {
    name: 'e2e',
    root: import.meta.dirname,
    include: ['**/*.e2e.ts'],
    environment: 'node',
    globalSetup: ['./setup.ts'],
    // The browser's driver is loaded once per worker, not once per file.
    isolate: false,
    // Each file has a service and a browser of its own, and waits a good deal: four keep two processors busy.
    maxWorkers: 4,
    // After the other projects, which use all processors.
    sequence: { groupOrder: 1, sequencer: LongOnesFirst },
    // As long as the browser waits for an element: a busy machine draws later.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
