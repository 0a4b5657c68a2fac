import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';

/** Absences as SQL. They hold by the day in the company of the person, so that nothing has to run for them to begin. */

const present = sql`now()`;

/** True for a person who is absent at a moment. */
export const isAbsent = (person: RawBuilder<unknown>, moment: RawBuilder<unknown> = present): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select from absences y where y.employee_id = ${person} and is_on(y, ${moment}))`;

/** True for a person who is absent at a moment, or suspended. */
export const isAway = (person: RawBuilder<unknown>, moment: RawBuilder<unknown> = present): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${isAbsent(person, moment)} or (select is_suspended(y) from employees y where y.id = ${person}))`;

/** The days of the absence of a person that holds now, as JSON; null for a person who is not absent. */
export const absenceOf = (person: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select json_build_object('first_day', y.first_day, 'last_day', y.last_day)
  from absences y where y.employee_id = ${person} and is_on(y, now()))`;
