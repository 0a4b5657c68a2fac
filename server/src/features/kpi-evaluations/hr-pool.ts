import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * The pool of HR of each evaluation, as SQL with the columns evaluation_id and user_id: who holds the permission by
 * another role than Admin and has the evaluation in scope; the administrators where there is nobody else. Never the
 * person it is about.
 */
export const hrOf = (permission: Permission, ids: readonly number[]): RawBuilder<unknown> => sql`
  with recursive subject as materialized (
    select v.id as evaluation_id, p.user_id, p.reporting_manager_id, v.entity_id,
           array[p.department_id, v.department_id] as departments
    from kpi_evaluations v join employees p on p.id = v.employee_id where v.id = any(${ids}::bigint[])
  ), places as (
    select distinct unnest(departments) as department_id from subject
  ), above as (
    select d.id as start, d.id, d.parent_id, d.manager_id from departments d join places l on l.department_id = d.id
    union
    select a.start, d.id, d.parent_id, d.manager_id from departments d join above a on a.parent_id = d.id
  ), managers as (
    select evaluation_id, reporting_manager_id as employee_id from subject
    union select s.evaluation_id, a.manager_id from subject s join above a on a.start = any(s.departments)
    union select s.evaluation_id, d.team_lead_id from subject s join departments d on d.id = any(s.departments)
  ), granted as (
    select distinct a.user_id, u.employee_id, r.scope, a.entity_ids, r.is_system and r.name = 'Admin' as is_admin
    from role_permissions p
    join roles r on r.id = p.role_id and r.scope in ('all', 'managed')
    join role_assignments a on a.role_id = r.id
    join reachable_users u on u.user_id = a.user_id
    where p.permission = ${permission}
  ), holders as (
    select s.evaluation_id, g.user_id, bool_and(g.is_admin) as is_admin
    from subject s
    join granted g on g.user_id <> s.user_id and (g.entity_ids is null or s.entity_id = any(g.entity_ids))
      and (g.scope = 'all' or exists (select from managers m where m.evaluation_id = s.evaluation_id
                                                              and m.employee_id = g.employee_id))
    group by 1, 2
  )
  select evaluation_id, user_id from (
    select *, bool_and(is_admin) over (partition by evaluation_id) as only_admins from holders) as h
  where is_admin = only_admins`;
