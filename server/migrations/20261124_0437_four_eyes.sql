-- Four eyes: with this rule of a cycle, an HR user who submitted the manager review does not release the result while
-- another HR user can. Cycles that run keep what was agreed when they were published; drafts begin with the rule.

alter table kpi_cycles add column four_eyes boolean not null default false;
update kpi_cycles set four_eyes = true where status = 'draft';
alter table kpi_cycles alter column four_eyes set default true;

-- Where an HR user submitted the manager review of a cycle with the rule: `other_hr` if another HR user, apart from
-- administrators, has the employee in scope and can sign in, else `no_other_hr`. Null where the rule asks for nothing.
create function kpi_four_eyes(v kpi_evaluations) returns text language sql stable as $$
  select case when exists (
    select from role_permissions p
    join roles r on r.id = p.role_id and r.scope in ('all', 'managed') and not (r.is_system and r.name = 'Admin')
    join role_assignments a on a.role_id = r.id and a.user_id <> v.manager_submitted_by
    join reachable_users u on u.user_id = a.user_id and u.employee_id is distinct from v.employee_id
    where p.permission = 'kpi-evaluation.hr-review' and (a.entity_ids is null or v.entity_id = any(a.entity_ids))
      and (r.scope = 'all'
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

-- The few that await HR and whose review one person submitted.
create index kpi_evaluations_hr_review_idx on kpi_evaluations (manager_submitted_by)
  where status = 'hr_review' and manager_submitted_by is not null;
