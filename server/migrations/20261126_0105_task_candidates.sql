-- Two tasks of HR are about what is missing: no successor for a leaver, no review for a probation. Looking for it costs
-- as much as there are leavers and people on probation. Triggers note the people in question in the transaction of
-- each change that may cause such a task, a job removes those without one, and each reader judges the noted people. A
-- person can be noted twice. No one with such a task is ever missing: that does not depend on the day or the reader.

create function is_away(activity text, lifecycle text, deleted_at timestamptz) returns boolean
  language sql immutable as $$
  select activity <> 'active' or lifecycle in ('resigned', 'terminated') or deleted_at is not null
$$;
create function is_on_probation(lifecycle text, activity text, deleted_at timestamptz) returns boolean
  language sql immutable as $$
  select lifecycle = 'probationary' and activity = 'active' and deleted_at is null
$$;
create function is_current_report(activity text, deleted_at timestamptz) returns boolean language sql immutable as $$
  select activity <> 'inactive' and deleted_at is null
$$;
create function is_open_evaluation(status text) returns boolean language sql immutable as $$
  select status not in ('completed', 'cancelled')
$$;
create function is_open_review(status text) returns boolean language sql immutable as $$
  select status in ('pending', 'submitted', 'sent_back')
$$;

-- People who are away, that is leaving, not active or deleted, and who may have responsibilities. The top of the
-- organisation chart asks for them too: it has the people whose manager is not in it.
create table offboarding_candidates (
  employee_id bigint not null references employees on delete cascade
);
create index offboarding_candidates_idx on offboarding_candidates (employee_id);

create function has_responsibilities(person bigint) returns boolean language sql stable as $$
  select exists (select from departments where manager_id = person)
    or exists (select from departments where team_lead_id = person)
    or exists (select from kpi_cycles where owner_id = person and status <> 'closed')
    or exists (select from employees
               where reporting_manager_id = person and is_current_report(activity_status, deleted_at))
    or exists (select from kpi_evaluations where reviewer_id = person and is_open_evaluation(status))
    or exists (select from probation_reviews where reviewer_id = person and is_open_review(status))
$$;

-- Notes a person with a new responsibility, if the person is away. The lock makes the job that removes people wait
-- for the end of this transaction; it does not wait for changes of the person, and a person who is leaving meanwhile is
-- noted by that change.
create function note_responsible(person bigint) returns void language plpgsql as $$
begin
  perform from employees where id = person for key share;
  insert into offboarding_candidates
  select id from employees where id = person and is_away(activity_status, employment_lifecycle, deleted_at);
end $$;

create function note_away() returns trigger language plpgsql as $$
begin
  insert into offboarding_candidates values (new.id);
  return null;
end $$;
create trigger note_away after update on employees
  for each row when (is_away(new.activity_status, new.employment_lifecycle, new.deleted_at)
                     and not is_away(old.activity_status, old.employment_lifecycle, old.deleted_at))
  execute function note_away();

create function note_manager() returns trigger language plpgsql as $$
begin
  perform note_responsible(new.reporting_manager_id);
  return null;
end $$;
create trigger note_manager after update on employees
  for each row when (new.reporting_manager_id is not null and is_current_report(new.activity_status, new.deleted_at)
                     and (new.reporting_manager_id is distinct from old.reporting_manager_id
                          or not is_current_report(old.activity_status, old.deleted_at)))
  execute function note_manager();

-- New rows refer to their people by foreign keys, which have locked them already.
create function note_new_people() returns trigger language plpgsql as $$
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
create trigger note_new_people after insert on employees
  referencing new table as new_rows for each statement execute function note_new_people();

create function note_heads() returns trigger language plpgsql as $$
begin
  perform note_responsible(head) from unnest(array[new.manager_id, new.team_lead_id]) as head where head is not null;
  return null;
end $$;
create trigger note_heads_on_insert after insert on departments
  for each row when (coalesce(new.manager_id, new.team_lead_id) is not null) execute function note_heads();
create trigger note_heads_on_update after update of manager_id, team_lead_id on departments
  for each row when (new.manager_id is distinct from old.manager_id or new.team_lead_id is distinct from old.team_lead_id)
  execute function note_heads();

create function note_owner() returns trigger language plpgsql as $$
begin
  perform note_responsible(new.owner_id);
  return null;
end $$;
create trigger note_owner_on_insert after insert on kpi_cycles
  for each row when (new.owner_id is not null and new.status <> 'closed') execute function note_owner();
create trigger note_owner_on_update after update on kpi_cycles
  for each row when (new.owner_id is not null and new.status <> 'closed'
                     and (new.owner_id is distinct from old.owner_id or old.status = 'closed'))
  execute function note_owner();

create function note_reviewer() returns trigger language plpgsql as $$
begin
  perform note_responsible(new.reviewer_id);
  return null;
end $$;
create trigger note_reviewer after update on kpi_evaluations
  for each row when (new.reviewer_id is not null and is_open_evaluation(new.status)
                     and (new.reviewer_id is distinct from old.reviewer_id or not is_open_evaluation(old.status)))
  execute function note_reviewer();
create trigger note_reviewer_on_insert after insert on probation_reviews
  for each row when (new.reviewer_id is not null and is_open_review(new.status)) execute function note_reviewer();
create trigger note_reviewer_on_update after update on probation_reviews
  for each row when (new.reviewer_id is not null and is_open_review(new.status)
                     and (new.reviewer_id is distinct from old.reviewer_id or not is_open_review(old.status)))
  execute function note_reviewer();

create function note_new_reviewers() returns trigger language plpgsql as $$
begin
  insert into offboarding_candidates
  select distinct r.id from new_rows n join employees r on r.id = n.reviewer_id
  where is_open_evaluation(n.status) and is_away(r.activity_status, r.employment_lifecycle, r.deleted_at);
  return null;
end $$;
create trigger note_new_reviewers after insert on kpi_evaluations
  referencing new table as new_rows for each statement execute function note_new_reviewers();

-- Probations that may have no review for their end, which is `-infinity` where it is unknown.
create table probation_review_candidates (
  employee_id bigint not null references employees on delete cascade,
  entity_id bigint not null references entities on delete cascade,
  probation_end_date date not null
);
create index probation_review_candidates_idx on probation_review_candidates (entity_id, probation_end_date)
  include (employee_id);
create index probation_review_candidates_employee_idx on probation_review_candidates (employee_id);

create function lacks_probation_review(noted probation_review_candidates) returns boolean language sql stable as $$
  select exists (
    select from employees e
    where e.id = noted.employee_id and e.entity_id = noted.entity_id
      and coalesce(e.probation_end_date, '-infinity') = noted.probation_end_date
      and is_on_probation(e.employment_lifecycle, e.activity_status, e.deleted_at)
      and (e.probation_end_date is null or not exists (
        select from probation_reviews v
        where v.employee_id = e.id and v.milestone = 'final'
          and (is_open_review(v.status)
               or v.status = 'approved' and v.probation_end_date = e.probation_end_date))))
$$;

create function note_probation() returns trigger language plpgsql as $$
begin
  insert into probation_review_candidates
  values (new.id, new.entity_id, coalesce(new.probation_end_date, '-infinity'));
  return null;
end $$;
create trigger note_probation after update on employees
  for each row when (is_on_probation(new.employment_lifecycle, new.activity_status, new.deleted_at)
                     and (new.entity_id <> old.entity_id
                          or new.probation_end_date is distinct from old.probation_end_date
                          or not is_on_probation(old.employment_lifecycle, old.activity_status, old.deleted_at)))
  execute function note_probation();

-- A review that was opened or decided counts no longer.
create function note_lost_review() returns trigger language plpgsql as $$
begin
  perform from employees where id = old.employee_id for key share;
  insert into probation_review_candidates
  select id, entity_id, coalesce(probation_end_date, '-infinity') from employees
  where id = old.employee_id and is_on_probation(employment_lifecycle, activity_status, deleted_at);
  return null;
end $$;
create trigger note_lost_review_on_delete after delete on probation_reviews
  for each row when (old.milestone = 'final' and old.status not in ('cancelled', 'reverted'))
  execute function note_lost_review();
create trigger note_lost_review_on_update after update on probation_reviews
  for each row when (old.milestone = 'final' and old.status not in ('cancelled', 'reverted')
                     and not is_open_review(new.status)
                     and (new.status <> old.status or new.probation_end_date <> old.probation_end_date))
  execute function note_lost_review();

-- Both remove up to `batch` people and return their number. A person in the hands of another transaction is left for the
-- next run; a responsibility or a review that this run does not see yet has locked its person or is noted by itself.
create function prune_offboarding_candidates(batch integer) returns bigint language plpgsql as $$
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

create function prune_probation_review_candidates(batch integer) returns bigint language plpgsql as $$
declare
  people bigint[];
  removed bigint;
begin
  people := array(
    select distinct c.employee_id from probation_review_candidates c where not lacks_probation_review(c) limit batch);
  people := array(select id from employees where id = any(people) order by id for update skip locked);
  delete from probation_review_candidates c where c.employee_id = any(people) and not lacks_probation_review(c);
  get diagnostics removed = row_count;
  delete from probation_review_candidates c using probation_review_candidates other
  where other.employee_id = c.employee_id and other.ctid < c.ctid
    and other.entity_id = c.entity_id and other.probation_end_date = c.probation_end_date;
  return removed;
end $$;

insert into offboarding_candidates
select id from employees where is_away(activity_status, employment_lifecycle, deleted_at) and has_responsibilities(id);

insert into probation_review_candidates
select id, entity_id, coalesce(probation_end_date, '-infinity') from employees
where is_on_probation(employment_lifecycle, activity_status, deleted_at);
delete from probation_review_candidates c where not lacks_probation_review(c);

-- An index alone counts the reports of the people of a chart, as far as the reader sees them.
drop index employees_reporting_manager_id_idx;
create index employees_reporting_manager_id_idx on employees (reporting_manager_id, last_name_sort, id)
  include (entity_id, department_id, activity_status, deleted_at);
