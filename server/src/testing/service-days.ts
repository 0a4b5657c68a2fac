/**
 * Days of service in a cycle, first and last day included; days are `YYYY-MM-DD`. The whole cycle without a joining
 * date; 0 if the person joined after its end.
 */
export function serviceDays(joining_date: string | null, start_date: string, end_date: string): number {
  const start = Temporal.PlainDate.from(start_date);
  const joined = joining_date === null ? start : Temporal.PlainDate.from(joining_date);
  const first = Temporal.PlainDate.compare(joined, start) > 0 ? joined : start;
  const days = first.until(Temporal.PlainDate.from(end_date), { largestUnit: 'day' }).days + 1;
  return Math.max(days, 0);
}

/** Too few days for an evaluation in this cycle. A cycle without a minimum exempts no one. */
export const isExempt = (days: number, min_service_days: number | null): boolean =>
  min_service_days !== null && days < min_service_days;
