import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Holder } from './actor.ts';
import { endedEvaluations, openReviewStates } from '../workflow/open.ts';

/**
 * True when the person `e` decides about the actor: a manager, team lead or department head above the actor, with their
 * own managers; the reviewer of an open evaluation or probation, or that reviewer's deputy. Through such an account,
 * actors would decide about themselves. Excludes people below a department that the actor heads.
 */
export const decidesAbout = ({ employee_id: me }: Holder): RawBuilder<SqlBool> =>
  me === null
    ? sql`false`
    : sql`coalesce(e.id in (
  with recursive mine as (
    select d.id from departments d where d.manager_id = ${me}
    union
    select d.id from departments d join mine on d.parent_id = mine.id
  ), above as (
    select d.id, d.parent_id, d.manager_id, d.team_lead_id from departments d
    where d.id = (select department_id from employees where id = ${me})
    union
    select d.id, d.parent_id, d.manager_id, null from departments d join above a on d.id = a.parent_id
  ), heads as (
    select unnest(array[a.manager_id, a.team_lead_id]) as id from above a where a.id not in (select id from mine)
  ), line as (
    select id from heads where id <> ${me}
    union
    select s from heads h cross join superiors_of(h.id) as s where h.id <> ${me}
    union
    select s from superiors_of(${me}) as s
  ), reviewing as (
    select v.reviewer_id as id from kpi_evaluations v
    where v.employee_id = ${me} and v.reviewer_id is not null and v.status not in ${endedEvaluations}
    union
    select v.reviewer_id from probation_reviews v
    where v.employee_id = ${me} and v.reviewer_id is not null and v.status in ${openReviewStates}
  )
  select id from line where id <> ${me}
  union
  select id from reviewing
  union
  -- a day more, whatever the time zone
  select y.deputy_id from absences y
  where y.employee_id in (select id from reviewing) and y.deputy_id is not null and y.deputy_id <> ${me}
    and coalesce(y.last_day, 'infinity') >= current_date - 1
), false)`;
