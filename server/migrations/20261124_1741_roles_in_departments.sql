-- A role can be limited to departments, with those below, beside whole companies. `entity_ids` names whole companies
-- only, so that a question about a company never counts a department of it: it is empty, and never null, where a role
-- reaches departments only.

create function departments_below(named bigint[]) returns setof bigint language sql stable as $$
  with recursive below as (
    select d.id from departments d where d.id = any(named)
    union
    select d.id from departments d join below b on d.parent_id = b.id
  )
  select id from below
$$;

-- Whether one of the places lies in the named departments: `departments_below` seen from below.
create function lies_below(named bigint[], places bigint[]) returns boolean language sql stable as $$
  select named is not null and exists (
    with recursive above as (
      select d.id, d.parent_id from departments d where d.id = any(places)
      union
      select d.id, d.parent_id from departments d join above a on d.id = a.parent_id
    )
    select from above where id = any(named))
$$;

alter table role_assignments
  add column department_ids bigint[] check (cardinality(department_ids) > 0),
  drop constraint role_assignments_entity_ids_check,
  add constraint role_assignments_limits_check check (
    case when department_ids is null then entity_ids is null or cardinality(entity_ids) > 0
         else entity_ids is not null end);
create index role_assignments_in_departments_idx on role_assignments (user_id) where department_ids is not null;
alter table former_roles
  add column department_ids bigint[] check (cardinality(department_ids) > 0),
  drop constraint former_roles_entity_ids_check,
  add constraint former_roles_limits_check check (
    case when department_ids is null then entity_ids is null or cardinality(entity_ids) > 0
         else entity_ids is not null end);

-- As before, with departments: a changed limit counts at the next request.
create or replace function settle_roles(accounts bigint[]) returns void language sql as $$
  update users u set access_version = access_version + 1, roles = held.roles, is_admin = held.is_admin
  from (
    select account.id, coalesce(sums.roles, '[]') as roles, coalesce(sums.is_admin, false) as is_admin
    from unnest(accounts) as account (id)
    left join lateral (
      select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'entity_ids', a.entity_ids)
                       || case when a.department_ids is null then '{}'
                               else jsonb_build_object('department_ids', a.department_ids) end order by r.name) as roles,
             bool_or(r.is_system and r.name = 'Admin') as is_admin
      from role_assignments a join roles r on r.id = a.role_id where a.user_id = account.id) as sums on true) as held
  where u.id = held.id and (u.roles, u.is_admin) is distinct from (held.roles, held.is_admin)
$$;

-- As before, in departments too: those of the person today.
create or replace function can_stand_in(deputy bigint, subject bigint, entity bigint, task text)
returns boolean language sql stable as $$
  select deputy <> subject
    and exists (
      select from employees e
      join users u on u.id = e.user_id and u.is_enabled
      join role_assignments r on r.user_id = u.id
      join role_permissions p on p.role_id = r.role_id
      where e.id = deputy and e.activity_status = 'active' and e.deleted_at is null
        and p.permission = case task when 'kpi_reviews' then 'kpi-evaluation.review' else 'probation-review.submit' end
        and (r.entity_ids is null or entity = any(r.entity_ids)
             or lies_below(r.department_ids, array(select s.department_id from employees s where s.id = subject))))
    and not exists (select from absences y where y.employee_id = deputy and is_on(y, now()))
    and not exists (select from superiors_of(deputy) as s where s = subject)
$$;

-- As before, for departments too: today's, and those of the evaluation.
create or replace function kpi_four_eyes(v kpi_evaluations) returns text language sql stable as $$
  select case when exists (
    select from role_permissions p
    join roles r on r.id = p.role_id and r.scope in ('all', 'managed') and not (r.is_system and r.name = 'Admin')
    join role_assignments a on a.role_id = r.id and a.user_id <> v.manager_submitted_by
    join reachable_users u on u.user_id = a.user_id and u.employee_id is distinct from v.employee_id
    where p.permission = 'kpi-evaluation.hr-review'
      and (a.entity_ids is null or v.entity_id = any(a.entity_ids)
           or r.scope = 'all' and lies_below(a.department_ids, array(
             select e.department_id from employees e where e.id = v.employee_id union all select v.department_id)))
      and (r.scope = 'all'
           or r.managed_depth = 'tree' and u.employee_id in (select tree_managers_of(v.employee_id))
           or exists (
             select from employees e
             where e.id = v.employee_id
               and (u.employee_id = e.reporting_manager_id
                    or u.employee_id = any(heads_from(e.department_id) || heads_from(v.department_id))
                    or exists (select from departments d
                               where d.id in (e.department_id, v.department_id) and d.team_lead_id = u.employee_id))
               and e.id not in (select superiors_of(u.employee_id)))))
    then 'other_hr' else 'no_other_hr' end
  from kpi_cycles c
  where c.id = v.cycle_id and c.four_eyes and v.status = 'hr_review'
    and exists (
      select from role_assignments a join role_permissions p on p.role_id = a.role_id
      where a.user_id = v.manager_submitted_by and p.permission = 'kpi-evaluation.hr-review')
$$;
