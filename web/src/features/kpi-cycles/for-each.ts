import { ApiError, hasStatus } from '../../api/api-error.ts';

const concurrency = 4;

export type Failed<T> = { item: T; error: ApiError };

const until = (moment: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, moment - Date.now())));

/**
 * Runs a task for each item, a few at a time, and continues after a refusal. It waits when the service asks to (429).
 * @returns the refused items with their errors
 */
export async function forEachOf<T>(
  items: readonly T[],
  task: (item: T) => Promise<unknown>,
  onDone: (done: number) => void = () => {},
): Promise<Failed<T>[]> {
  const failed: Failed<T>[] = [];
  const waiting = [...items];
  let done = 0;
  const tryOne = async (item: T): Promise<void> => {
    try {
      await task(item);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (hasStatus(error, 429)) {
        await until(error.retryAt);
        return tryOne(item);
      }
      failed.push({ item, error });
    }
  };
  const next = async (): Promise<void> => {
    const item = waiting.shift();
    if (item === undefined) return;
    await tryOne(item);
    done += 1;
    onDone(done);
    return next();
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, next));
  return failed;
}
