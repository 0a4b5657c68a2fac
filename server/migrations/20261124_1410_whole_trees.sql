-- A role for managed people reaches the direct reports, or the whole tree of reports below them. Departments a person
-- heads, with those below, and departments a person leads belong to both.

alter table roles
  add column managed_depth text not null default 'direct' check (managed_depth in ('direct', 'tree')),
  add constraint roles_managed_depth_check1 check (managed_depth = 'direct' or scope = 'managed');
create trigger bump_on_depth after update of managed_depth on roles
  for each statement execute function bump_structure_version();

-- The managers of a person upwards. Circles end.
create function line_of(person bigint) returns setof bigint language sql stable as $$
  with recursive line as (
    select e.reporting_manager_id as id from employees e where e.id = person
    union
    select e.reporting_manager_id from employees e join line on e.id = line.id
  )
  select id from line where id is not null and id <> person
$$;

-- The people below a person in the line who have reports themselves: the whole tree of the person is the reports of the
-- person and of these. It ends at superiors of the person, whose reports are not below the person.
create function managers_below(person bigint) returns setof bigint language sql stable as $$
  with recursive superior as materialized (
    select s as id from superiors_of(person) as s
  ), below as (
    select e.id from employees e
    where e.reporting_manager_id = person and e.id <> person and e.id not in (select id from superior)
    union
    select e.id from below b join employees e on e.reporting_manager_id = b.id
    where e.id <> person and e.id not in (select id from superior)
  )
  select b.id from below b where exists (select from employees r where r.reporting_manager_id = b.id)
$$;

-- The people whose whole tree holds a person: `managers_below` seen from below.
create function tree_managers_of(person bigint) returns setof bigint language sql stable as $$
  with recursive line as (
    select e.reporting_manager_id as id, array[e.id] as path from employees e where e.id = person
    union all
    select e.reporting_manager_id, line.path || e.id from line join employees e on e.id = line.id
    where e.id <> all (line.path)
  )
  select line.id from line
  where line.id <> all (line.path)
    and not exists (select from superiors_of(line.id) as s where s = any (line.path))
$$;

-- The accounts with a role for a whole tree, or that view as one.
create function holds_tree(account bigint) returns boolean language sql stable as $$
  select exists (select from role_assignments a join roles r on r.id = a.role_id
                 where a.user_id = account and r.managed_depth = 'tree')
    or exists (select from session_register s join roles r on r.id = s.viewed_role_id
               where s.user_id = account and r.managed_depth = 'tree')
$$;

-- A change of a line counts at the next request of all who have one of these managers in their whole tree: their kept
-- rights name the managers below. One change at a time, as for superiors.
create function bump_trees(managers bigint[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7365042);
  update users u set access_version = access_version + 1
  where u.id in (
    select e.user_id from employees e
    where e.id in (select m from unnest(managers) as m union select l from unnest(managers) as m, line_of(m) as l)
      and holds_tree(e.user_id));
end $$;
create function has_trees() returns boolean language sql stable as $$
  select exists (select from roles where managed_depth = 'tree')
$$;

create function note_new_trees() returns trigger language plpgsql as $$
declare
  managers bigint[];
begin
  if not has_trees() then
    return null;
  end if;
  select array_agg(distinct m) into managers
  from new_rows n join old_rows o on o.id = n.id, unnest(array[o.reporting_manager_id, n.reporting_manager_id]) as m
  where n.reporting_manager_id is distinct from o.reporting_manager_id and m is not null;
  if managers is not null then
    perform bump_trees(managers);
  end if;
  return null;
end $$;
create trigger note_trees_on_update after update on employees
  referencing old table as old_rows new table as new_rows for each statement execute function note_new_trees();

-- A new person changes the managers below only of those above a manager without reports.
create function note_first_reports() returns trigger language plpgsql as $$
declare
  managers bigint[];
begin
  if not has_trees() then
    return null;
  end if;
  select array_agg(distinct n.reporting_manager_id) into managers from new_rows n
  where n.reporting_manager_id is not null
    and not exists (select from employees e where e.reporting_manager_id = n.reporting_manager_id
                                              and e.id not in (select id from new_rows));
  if managers is not null then
    perform bump_trees(managers);
  end if;
  return null;
end $$;
create trigger note_trees_on_insert after insert on employees
  referencing new table as new_rows for each statement execute function note_first_reports();

-- As before, for whole trees too.
create or replace function kpi_four_eyes(v kpi_evaluations) returns text language sql stable as $$
  select case when exists (
    select from role_permissions p
    join roles r on r.id = p.role_id and r.scope in ('all', 'managed') and not (r.is_system and r.name = 'Admin')
    join role_assignments a on a.role_id = r.id and a.user_id <> v.manager_submitted_by
    join reachable_users u on u.user_id = a.user_id and u.employee_id is distinct from v.employee_id
    where p.permission = 'kpi-evaluation.hr-review' and (a.entity_ids is null or v.entity_id = any(a.entity_ids))
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
