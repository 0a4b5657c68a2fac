type Lanes = {
  /** How many pieces are worked on at once. */
  lanes: number;
  /** The earlier pieces that a piece must wait for. */
  needs: (index: number) => readonly number[];
  work: (index: number) => Promise<void>;
};

/** Works pieces off in their order, several at once; after a failure nothing new is begun. */
export async function inLanes(count: number, { lanes, needs, work }: Lanes): Promise<void> {
  const pieces: Promise<void>[] = [];
  let next = 0;
  let stopped = false;

  async function run(index: number): Promise<void> {
    await Promise.all(needs(index).flatMap((needed) => pieces[needed] ?? []));
    if (!stopped) await work(index);
  }

  async function lane(): Promise<void> {
    while (next < count && !stopped) {
      const index = next;
      next += 1;
      const piece = run(index);
      pieces[index] = piece;
      try {
        await piece;
      } catch (error) {
        stopped = true;
        throw error;
      }
    }
  }

  const results = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
