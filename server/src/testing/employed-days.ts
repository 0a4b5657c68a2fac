/** The first and last day of an employment; null if open-ended. Days are `YYYY-MM-DD`. */
type Employment = readonly [first: string | null, last: string | null];

/**
 * Days of employment in a period, first and last day included, as the scoring page defines them. Checks each day, so
 * that it shares no arithmetic with the service.
 */
export function employedDays(employments: readonly Employment[], first: string, last: string): number {
  const end = Temporal.PlainDate.from(last);
  let days = 0;
  for (
    let day = Temporal.PlainDate.from(first);
    Temporal.PlainDate.compare(day, end) <= 0;
    day = day.add({ days: 1 })
  ) {
    const today = day.toString();
    if (employments.some(([from, until]) => (from ?? today) <= today && today <= (until ?? today))) days += 1;
  }
  return days;
}
