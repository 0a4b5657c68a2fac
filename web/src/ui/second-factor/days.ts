const day = 24 * 3_600_000;

/** Today or a number of days ahead in UTC, as the service counts the days of this requirement. */
export const dayInUtc = (ahead = 0): string => new Date(Date.now() + ahead * day).toISOString().slice(0, 10);
