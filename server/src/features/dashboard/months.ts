import type { MonthOfMovement } from '@tenure/contract';

/** The changes in a month, `YYYY-MM`. */
export type Happened = Omit<MonthOfMovement, 'headcount'>;

const noMoves = { joiners: 0, leavers: 0, rehires: 0, moved_in: 0, moved_out: 0 };

/** The months from one day to another, each `YYYY-MM`. */
export function monthsBetween(from: string, to: string): string[] {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)];
  const count = 12 * (last.year - first.year) + last.month - first.month + 1;
  return Array.from({ length: Math.max(0, count) }, (_, place) =>
    first.with({ day: 1 }).add({ months: place }).toString().slice(0, 7),
  );
}

/**
 * Headcount at the end of each month, computed backwards from the last one: subtracts joiners and adds leavers.
 * @param lastDay those on their last working day: leavers of the last month who still work
 */
export function headcounts(
  months: readonly string[],
  happened: readonly Happened[],
  atEnd: number,
  lastDay = 0,
): MonthOfMovement[] {
  const found = new Map(happened.map((month) => [month.month, month]));
  let headcount = atEnd;
  return months
    .toReversed()
    .map((month, monthsAgo) => {
      const now = monthsAgo === 0 ? lastDay : 0;
      const row = { ...noMoves, ...found.get(month), month, headcount: headcount + now };
      headcount -= row.joiners + row.moved_in - row.leavers - row.moved_out;
      return row;
    })
    .toReversed();
}
