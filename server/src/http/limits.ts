/** Costly requests per user: exports and imports of a day, checks for duplicates of a minute. */
export const budgets = { export: 100, import: 200, lookup: 120 } as const;

/** Requests per user and fixed minute, and budgets of costly work; counted in this process. */
export type RateLimit = {
  limit: number;
  /** Takes one; `remaining` is -1 when none was left. */
  spend: (key: string | number) => { remaining: number; seconds: number };
};

export function rateLimit(limit: number, windowSeconds = 60, now = () => Date.now()): RateLimit {
  let window = 0;
  let counts = new Map<string | number, number>();
  return {
    limit,
    spend: (key) => {
      const seconds = now() / 1_000;
      const current = Math.floor(seconds / windowSeconds);
      if (current !== window) {
        window = current;
        counts = new Map();
      }
      const used = (counts.get(key) ?? 0) + 1;
      counts.set(key, used);
      return { remaining: Math.max(-1, limit - used), seconds: (current + 1) * windowSeconds - seconds };
    },
  };
}

export type Limits = { general: RateLimit; export: RateLimit; import: RateLimit; lookup: RateLimit };
