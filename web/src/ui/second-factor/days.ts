const day = 24 * 3_600_000;

/** Today or so many days ahead, as the service counts the days of a demand. */
export const dayInUtc = (ahead = 0): string => new Date(Date.now() + ahead * day).toISOString().slice(0, 10);
