const parts = (day: string) => day.split('-').map(Number) as [number, number, number];

/** The whole years and months between two `YYYY-MM-DD`; null if the first is later. */
export function timeServed(from: string, to: string): { years: number; months: number } | null {
  const [fromYear, fromMonth, fromDay] = parts(from);
  const [toYear, toMonth, toDay] = parts(to);
  const months = (toYear - fromYear) * 12 + (toMonth - fromMonth) - (toDay < fromDay ? 1 : 0);
  return months < 0 ? null : { years: Math.floor(months / 12), months: months % 12 };
}

/** The current day in the user's time zone, `YYYY-MM-DD`. */
export function today(now = new Date()): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
