type Options = {
  /** The number of items in progress at once. */
  concurrency: number;
  /** The earlier items an item depends on. */
  needs: (index: number) => readonly number[];
  run: (index: number) => Promise<void>;
};

/** Runs items in order with limited concurrency; after a failure no further item starts. */
export async function runInOrder(count: number, { concurrency, needs, run }: Options): Promise<void> {
  const runs: Promise<void>[] = [];
  let next = 0;
  let stopped = false;

  async function runAfterNeeded(index: number): Promise<void> {
    await Promise.all(needs(index).flatMap((needed) => runs[needed] ?? []));
    if (!stopped) await run(index);
  }

  async function worker(): Promise<void> {
    while (next < count && !stopped) {
      const index = next;
      next += 1;
      const current = runAfterNeeded(index);
      runs[index] = current;
      try {
        await current;
      } catch (error) {
        stopped = true;
        throw error;
      }
    }
  }

  const results = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
