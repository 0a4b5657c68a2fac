const most = 4;

/**
 * Does the work for each item, four at a time, because each mostly waits for the disk. After an error no further item
 * starts, and the error is thrown once those in progress have ended. The results are in the order of the items.
 */
export async function mapConcurrently<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    try {
      while (next < items.length) {
        const index = next;
        next += 1;
        results[index] = await work(items[index] as T);
      }
    } catch (error) {
      next = items.length;
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: most }, lane));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return results;
}
