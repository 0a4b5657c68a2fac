import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';

/** Absences as SQL. They begin and end with the calendar day of the person's company, so no job has to start them. */

const present = sql`now()`;

/** True if the person is absent at the moment. */
export const isAbsent = (person: RawBuilder<unknown>, moment: RawBuilder<unknown> = present): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select from absences y where y.employee_id = ${person} and is_on(y, ${moment}))`;

/** True if the person is absent or suspended at the moment. */
export const isAway = (person: RawBuilder<unknown>, moment: RawBuilder<unknown> = present): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${isAbsent(person, moment)} or (select is_suspended(y) from employees y where y.id = ${person}))`;

/** The days of the person's current absence, as JSON; null for a person who is not absent. */
export const absenceOf = (person: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select json_build_object('first_day', y.first_day, 'last_day', y.last_day)
  from absences y where y.employee_id = ${person} and is_on(y, now()))`;

export type DeputyTask = 'kpi_reviews' | 'probation_reviews';

/** Current absences of the reviewer of record `alias` whose deputy may do the task for that record. */
const standsIn = (alias: string, task: DeputyTask): RawBuilder<SqlBool> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql<SqlBool>`y.employee_id = ${column('reviewer_id')} and y.deputy_id is not null
    and ${task} = any(y.deputy_tasks) and is_on(y, now())
    and y.deputy_named_by is distinct from ${column('employee_id')}
    and (y.deputy_entity_ids is null or ${column('entity_id')} = any(y.deputy_entity_ids))
    and can_stand_in(y.deputy_id, ${column('employee_id')}, ${column('entity_id')}, ${task})`;
};

/** The deputy who currently acts for the reviewer of a record; null for none. */
export const deputyOf = (alias: string, task: DeputyTask): RawBuilder<number | null> =>
  sql`(select y.deputy_id from absences y where ${standsIn(alias, task)})`;

/** The deputy and the name of the absent reviewer, as JSON. */
export const deputyWithName = (alias: string, task: DeputyTask): RawBuilder<unknown> => sql`(
  select json_build_object('id', y.deputy_id, 'acts_for', x.name)
  from absences y join employees x on x.id = y.employee_id where ${standsIn(alias, task)})`;

/** Records whose absent reviewer the person stands in for. Collects these reviewers once, for the use of an index. */
export const deputisedBy = (person: number, alias: string, task: DeputyTask): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(`${alias}.reviewer_id`)} = any(array(
    select y.employee_id from absences y
    where y.deputy_id = ${person} and ${task} = any(y.deputy_tasks) and is_on(y, now())))
    and ${deputyOf(alias, task)} = ${person})`;
