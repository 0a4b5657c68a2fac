-- The top of the organisation chart has the people whose manager is not in it. The candidates of offboarding become all
-- people who are away, that is leaving, not active or deleted, and who may have responsibilities such as reports.

create function is_away(activity text, lifecycle text, deleted_at timestamptz) returns boolean
  language sql immutable as $$
  select activity <> 'active' or lifecycle in ('resigned', 'terminated') or deleted_at is not null
$$;

create or replace function note_responsible(person bigint) returns void language plpgsql as $$
begin
  perform from employees where id = person for key share;
  insert into offboarding_candidates
  select id from employees where id = person and is_away(activity_status, employment_lifecycle, deleted_at);
end $$;

drop trigger note_leaver on employees;
alter function note_leaver() rename to note_away;
create trigger note_away after update on employees
  for each row when (is_away(new.activity_status, new.employment_lifecycle, new.deleted_at)
                     and not is_away(old.activity_status, old.employment_lifecycle, old.deleted_at))
  execute function note_away();

create or replace function note_new_people() returns trigger language plpgsql as $$
begin
  insert into offboarding_candidates
  select n.id from new_rows n where is_away(n.activity_status, n.employment_lifecycle, n.deleted_at)
  union
  select m.id from new_rows n join employees m on m.id = n.reporting_manager_id
  where is_current_report(n.activity_status, n.deleted_at)
    and is_away(m.activity_status, m.employment_lifecycle, m.deleted_at);
  insert into probation_review_candidates
  select n.id, n.entity_id, coalesce(n.probation_end_date, '-infinity') from new_rows n
  where is_on_probation(n.employment_lifecycle, n.activity_status, n.deleted_at);
  return null;
end $$;

create or replace function note_new_reviewers() returns trigger language plpgsql as $$
begin
  insert into offboarding_candidates
  select distinct r.id from new_rows n join employees r on r.id = n.reviewer_id
  where is_open_evaluation(n.status) and is_away(r.activity_status, r.employment_lifecycle, r.deleted_at);
  return null;
end $$;

create or replace function prune_offboarding_candidates(batch integer) returns bigint language plpgsql as $$
declare
  people bigint[];
  removed bigint;
begin
  people := array(
    select c.employee_id from (select distinct employee_id from offboarding_candidates) c
    join employees e on e.id = c.employee_id
    where not is_away(e.activity_status, e.employment_lifecycle, e.deleted_at) or not has_responsibilities(e.id)
    limit batch);
  people := array(select id from employees where id = any(people) order by id for update skip locked);
  delete from offboarding_candidates c using employees e
  where e.id = c.employee_id and e.id = any(people)
    and (not is_away(e.activity_status, e.employment_lifecycle, e.deleted_at) or not has_responsibilities(e.id));
  get diagnostics removed = row_count;
  delete from offboarding_candidates c using offboarding_candidates other
  where other.employee_id = c.employee_id and other.ctid < c.ctid;
  return removed;
end $$;

drop function is_leaver;

insert into offboarding_candidates
select e.id from employees e
where is_away(e.activity_status, e.employment_lifecycle, e.deleted_at) and has_responsibilities(e.id)
  and not exists (select from offboarding_candidates c where c.employee_id = e.id);

-- An index alone counts the reports of the people of a chart, as far as the reader sees them.
drop index employees_reporting_manager_id_idx;
create index employees_reporting_manager_id_idx on employees (reporting_manager_id, last_name_sort, id)
  include (entity_id, department_id, activity_status, deleted_at);
