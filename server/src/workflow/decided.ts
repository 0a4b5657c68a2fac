import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';

type Period = { from?: string | null | undefined; to?: string | null | undefined };

/**
 * Reviews decided in a period, both days included, by the day in the review's company. No company is more than a day
 * away from UTC, so an index finds the decisions of these days.
 */
export function decidedOn(alias: string, { from, to }: Period): RawBuilder<SqlBool>[] {
  const at = sql.ref(`${alias}.decided_at`);
  const day = sql`(select (${at} at time zone n.timezone)::date from entities n where n.id = ${sql.ref(`${alias}.entity_id`)})`;
  return [
    ...(from
      ? [
          sql<SqlBool>`${at} >= (${from}::date - 1)::timestamp at time zone 'UTC'`,
          sql<SqlBool>`${day} >= ${from}::date`,
        ]
      : []),
    ...(to
      ? [sql<SqlBool>`${at} < (${to}::date + 2)::timestamp at time zone 'UTC'`, sql<SqlBool>`${day} <= ${to}::date`]
      : []),
  ];
}
