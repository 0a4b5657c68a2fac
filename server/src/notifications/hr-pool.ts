import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

type Pool = {
  /** People whose subject `v` awaits HR, and who therefore do not act for HR themselves: ids, or null. */
  authors?: readonly RawBuilder<unknown>[];
  /** Restricts notifications about an administrator to administrators. */
  ofAdminsByAdmins?: boolean;
};

/**
 * The HR pool of each subject, as SQL with the columns subject_id and user_id: people who hold the permission through a
 * role other than Admin, with the subject in scope; the administrators if there are none. Never includes the person
 * concerned. `subjects` is SQL with the columns subject_id, employee_id, entity_id and department_id; the last two are
 * where the subject began.
 */
export const hrOfEach = (
  permission: Permission,
  subjects: RawBuilder<unknown>,
  { authors = [], ofAdminsByAdmins = false }: Pool = {},
): RawBuilder<unknown> => sql`
  with recursive subject as materialized (
    select v.subject_id, p.id as employee_id, p.user_id, p.reporting_manager_id, v.entity_id, ${ofAdminsByAdmins ? sql`holds_admin(p.user_id)` : sql`false`} as by_admins,
           array_remove(array[${sql.join([sql`null::bigint`, ...authors])}], null) as author_ids,
           array[p.department_id, v.department_id] as departments
    from (${subjects}) as v join employees p on p.id = v.employee_id
  ), places as (
    select distinct unnest(departments) as department_id from subject
  ), above as (
    select d.id as start, d.id, d.parent_id, d.manager_id from departments d join places l on l.department_id = d.id
    union
    select a.start, d.id, d.parent_id, d.manager_id from departments d join above a on a.parent_id = d.id
  ), managers as (
    select subject_id, reporting_manager_id as employee_id from subject
    union select s.subject_id, a.manager_id from subject s join above a on a.start = any(s.departments)
    union select s.subject_id, d.team_lead_id from subject s join departments d on d.id = any(s.departments)
  ), granted as (
    select distinct a.user_id, u.employee_id, r.scope, r.managed_depth, a.entity_ids, a.department_ids, r.is_system and r.name = 'Admin' as is_admin
    from role_permissions p
    join roles r on r.id = p.role_id and r.scope in ('all', 'managed')
    join role_assignments a on a.role_id = r.id
    join reachable_users u on u.user_id = a.user_id
    where p.permission = ${permission}
  ), trees as (
    select s.subject_id, t as employee_id from subject s cross join tree_managers_of(s.employee_id) as t
    where exists (select from granted where managed_depth = 'tree')
  ), holders as (
    select s.subject_id, g.user_id, bool_and(g.is_admin) as is_admin
    from subject s
    join granted g on g.user_id is distinct from s.user_id and coalesce(g.employee_id, 0) <> all(s.author_ids)
      and (g.is_admin or not s.by_admins) and (g.entity_ids is null or s.entity_id = any(g.entity_ids)
           or g.scope = 'all' and exists (select from above x where x.start = any(s.departments)
                                                              and x.id = any(g.department_ids)))
      and (g.scope = 'all'
           or g.managed_depth = 'tree' and (s.subject_id, g.employee_id) in (select subject_id, employee_id from trees)
           or exists (select from managers m where m.subject_id = s.subject_id
                                                              and m.employee_id = g.employee_id
                                                              and s.employee_id not in (select superiors_of(m.employee_id))))
    group by 1, 2
  )
  select subject_id, user_id from (
    select *, bool_and(is_admin) over (partition by subject_id) as only_admins from holders) as h
  where is_admin = only_admins`;
