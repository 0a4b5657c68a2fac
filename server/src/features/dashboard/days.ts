import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { either } from '../../access/scope.ts';
import { every, oneOfIds } from '../../db/lists.ts';
import type { ReadCtx } from '../../http/context.ts';

/** The days of the counted periods, all inclusive, as `YYYY-MM-DD`. */
export type Days = {
  today: string;
  yesterday: string;
  month_start: string;
  quarter_start: string;
  /** The first day of the twelve months that end today. */
  year_start: string;
  /** People who joined after this day have served less than a year. */
  one_year_ago: string;
  three_years_ago: string;
  five_years_ago: string;
};

/** @param today the day in the counted companies */
export function daysOf(today: Temporal.PlainDate): Days {
  const ago = (years: number) => today.subtract({ years });
  const firstOf = (month: number) => today.with({ month, day: 1 }).toString();
  return {
    today: today.toString(),
    yesterday: today.subtract({ days: 1 }).toString(),
    month_start: firstOf(today.month),
    quarter_start: firstOf(3 * Math.floor((today.month - 1) / 3) + 1),
    year_start: ago(1).add({ days: 1 }).toString(),
    one_year_ago: ago(1).toString(),
    three_years_ago: ago(3).toString(),
    five_years_ago: ago(5).toString(),
  };
}

/** Companies with the same local day; null for all counted ones. */
type Group = { days: Days; companies: readonly number[] | null };

/** One instant for all figures of a response, and the days of the counted companies. */
export type Calendar = {
  as_of: string;
  /** The day in the reader's company if it is counted, else the latest day. */
  today: string;
  /** At most three groups: no place on earth is more than a day away from UTC. */
  groups: readonly Group[];
};

const daysFrom = (today: string) => daysOf(Temporal.PlainDate.from(today));

/** Reads the local day of the requested companies, which is most of the time the same in all of them. */
export async function calendarOf(
  { db, actor }: Pick<ReadCtx, 'db' | 'actor'>,
  entityIds: number[] | undefined,
): Promise<Calendar> {
  const own = sql`coalesce(bool_or(n.id = (select entity_id from employees where id = ${actor.employee_id}::bigint)), false)`;
  const { rows } = await sql<{ today: string; companies: number[] }>`
    select (now() at time zone n.timezone)::date as today, array_agg(n.id) as companies from entities n
    where ${every(oneOfIds(sql`n.id`, entityIds))} group by 1 order by ${own} desc, 1 desc`.execute(db);
  const now = Temporal.Now.instant();
  const today = rows[0]?.today ?? now.toZonedDateTimeISO('UTC').toPlainDate().toString();
  return {
    as_of: now.toString({ fractionalSecondDigits: 3 }),
    today,
    groups:
      rows.length > 1
        ? rows.map((row) => ({ days: daysFrom(row.today), companies: row.companies }))
        : [{ days: daysFrom(today), companies: null }],
  };
}

type OfDays = (days: Days) => RawBuilder<SqlBool>;

/**
 * A condition on days for the companies of each local day. Queried one by one, each group finds its rows through an
 * index on days; a single `or` would read all rows.
 */
export const conditionsOnDays = ({ groups }: Calendar, company: RawBuilder<unknown>, condition: OfDays) =>
  groups.map(({ days, companies }) =>
    companies === null
      ? condition(days)
      : sql<SqlBool>`(${company} = any(${companies}::bigint[]) and ${condition(days)})`,
  );

/** A condition on days that checks each row by the local day of its company. */
export const onCompanyDays = (...asked: Parameters<typeof conditionsOnDays>): RawBuilder<SqlBool> =>
  either(conditionsOnDays(...asked));

/** A percentage with two decimals; null for a zero divisor. */
export const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((10_000 * part) / whole) / 100;
