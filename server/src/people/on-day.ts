import { messages } from '@tenure/contract';
import type { Employee } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { peopleIn } from '../access/scope.ts';
import { invalid } from '../http/errors.ts';
import { workReach } from './policy.ts';
import { columnNamesOf } from './stored-fields.ts';

/**
 * People as of a day. `e` has the job of the day and the other columns of today, `s` is its row of `job_periods`, and
 * `now` is today's record, which decides who sees whom. Only people who were, are or will be employed on the day.
 */

/** What is read from a person's job on the day. */
const jobColumns = [
  'entity_id',
  'department_id',
  'reporting_manager_id',
  'job_title',
  'job_title_sort',
  'grade',
  'employment_type',
  'employment_lifecycle',
] as const;

const theirs = sql.join(jobColumns.map((name) => sql.ref(`s.${name}`)));

/** Today's columns that lists read in addition to the fields of a record. */
const kept = [
  'user_id',
  'name',
  'picture_key',
  'deleted_at',
  'created_at',
  'updated_at',
  'revision',
  'last_name_sort',
  'first_name_sort',
  'employee_number_sort',
  'probation_end_entered_at',
  'search_vector',
  'search_text',
] as const;

/** True for periods that include a day. */
export const isOn = (day: string, alias = 's') =>
  sql<SqlBool>`${sql.ref(`${alias}.first_day`)} <= ${day}::date and ${sql.ref(`${alias}.last_day`)} >= ${day}::date`;

const jobFieldNames: ReadonlySet<string> = new Set(jobColumns);
const ofToday = sql.join(
  [...columnNamesOf('card', 'work'), 'display_name', ...kept]
    .filter((name) => !jobFieldNames.has(name))
    .map((name) => sql.ref(`now.${name}`)),
);

/** The people of a day, for use in `from`; with `people`, only those in this source of employees. */
export const peopleOn = (day: string, people = sql`employees`): RawBuilder<unknown> => sql`job_periods s
  join ${people} as now on now.id = s.employee_id and now.deleted_at is null and ${isOn(day)}
  cross join lateral (select s.employee_id as id, ${theirs}, ${ofToday}) as e`;

/** The same with only the job, for readers of all people. */
export const jobsOn = (day: string): RawBuilder<unknown> => sql`(
  select s.* from job_periods s where ${isOn(day)}) as s
  cross join lateral (select s.employee_id as id, ${theirs}) as e`;

/** People whose job on a day the actor sees: those whose employment is visible today. */
export const seenOn = (actor: Actor): RawBuilder<SqlBool> => peopleIn(actor, workReach(actor), 'now');

/** The columns of `AsOf`, using the row `h` of the history. */
export const asOfColumns = sql`s.is_planned as planned, h.source, h.effective_from`;

export type AsOf = Pick<NonNullable<Employee['as_of']>, 'planned' | 'source' | 'effective_from'>;

/** Filters that only apply to today. */
const aboutToday = ['left', 'missing', 'sign_in', 'absent', 'deleted'] as const;

/** @throws 422 for filters that do not apply to another day */
export function refuseFiltersOfToday(query: Partial<Record<(typeof aboutToday)[number], unknown>>): void {
  const isSent = (name: (typeof aboutToday)[number]) =>
    name === 'deleted' ? query.deleted === true : (query[name] ?? undefined) !== undefined;
  const sent = aboutToday.find(isSent);
  if (sent) throw invalid(sent, messages.prohibited);
}
