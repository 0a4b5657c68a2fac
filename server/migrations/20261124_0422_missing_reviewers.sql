-- A reviewer is missing as soon as the reviewer cannot act: inactive, without an enabled account, or without the
-- permission to review. HR gets the task in the transaction of the loss, and a job notifies HR.

create function can_review(person bigint, permission text) returns boolean language sql stable as $$
  select exists (
    select from employees e
    join users u on u.id = e.user_id and u.is_enabled
    join role_assignments a on a.user_id = u.id
    join role_permissions p on p.role_id = a.role_id
    where e.id = person and e.activity_status = 'active' and e.deleted_at is null and p.permission = can_review.permission)
$$;

-- Marks evaluations and reviews whose reviewer is one of these people and cannot act, and unmarks those who can again.
create function mark_reviewers(people bigint[]) returns table (in_evaluations boolean, in_probations boolean)
language plpgsql as $$
begin
  -- an assignment of one of them at this moment comes before or after
  perform from employees where id = any(people) order by id for no key update;
  with able as materialized (
    select id, can_review(id, 'kpi-evaluation.review') as is_able from unnest(people) as p (id)
  ), marked as (
    update kpi_evaluations v set reviewer_missing_since = case when not a.is_able then now() end
    from able a where v.reviewer_id = a.id and (v.reviewer_missing_since is null) <> a.is_able
    returning v.reviewer_missing_since
  )
  select coalesce(bool_or(reviewer_missing_since is not null), false) from marked into in_evaluations;
  with able as materialized (
    select id, can_review(id, 'probation-review.submit') as is_able from unnest(people) as p (id)
  ), marked as (
    update probation_reviews v set reviewer_missing_since = case when not a.is_able then now() end
    from able a where v.reviewer_id = a.id and (v.reviewer_missing_since is null) <> a.is_able
    returning v.reviewer_missing_since
  )
  select coalesce(bool_or(reviewer_missing_since is not null), false) from marked into in_probations;
  return next;
end $$;

create function settle_reviewers(people bigint[]) returns void language plpgsql as $$
declare
  missing record;
begin
  if cardinality(people) = 0 then
    return;
  end if;
  select * from mark_reviewers(people) into missing;
  if missing.in_evaluations then
    perform graphile_worker.add_job('notify_missing_kpi_reviewers', job_key => 'notify_missing_kpi_reviewers');
  end if;
  if missing.in_probations then
    perform graphile_worker.add_job('notify_missing_probation_reviewers', job_key => 'notify_missing_probation_reviewers');
  end if;
end $$;

create function settle_reviewer() returns trigger language plpgsql as $$
begin
  perform settle_reviewers(array[new.id]);
  return null;
end $$;
drop trigger mark_missing_reviewer on employees;
drop trigger mark_missing_probation_reviewer on employees;
drop function mark_missing_reviewer();
drop function mark_missing_probation_reviewer();
create trigger settle_reviewer after update on employees
  for each row when ((old.activity_status = 'active' and old.deleted_at is null)
                     <> (new.activity_status = 'active' and new.deleted_at is null))
  execute function settle_reviewer();

create function settle_reviewer_account() returns trigger language plpgsql as $$
begin
  perform settle_reviewers(array(select e.id from employees e where e.user_id = new.id));
  return null;
end $$;
create trigger settle_reviewer after update of is_enabled on users
  for each row when (old.is_enabled <> new.is_enabled) execute function settle_reviewer_account();

-- The other roles of these people may still permit reviews, which mark_reviewers looks at.
create function settle_reviewers_of_roles() returns trigger language plpgsql as $$
begin
  perform settle_reviewers(array(
    select distinct e.id from changed_rows c
    join role_permissions p on p.role_id = c.role_id and p.permission in ('kpi-evaluation.review', 'probation-review.submit')
    join employees e on e.user_id = c.user_id order by e.id));
  return null;
end $$;
create trigger settle_reviewers_on_delete after delete on role_assignments
  referencing old table as changed_rows for each statement execute function settle_reviewers_of_roles();
create trigger settle_reviewers_on_insert after insert on role_assignments
  referencing new table as changed_rows for each statement execute function settle_reviewers_of_roles();

create function settle_reviewers_of_permissions() returns trigger language plpgsql as $$
begin
  perform settle_reviewers(array(
    select distinct e.id from changed_rows c
    join role_assignments a on a.role_id = c.role_id
    join employees e on e.user_id = a.user_id
    where c.permission in ('kpi-evaluation.review', 'probation-review.submit') order by e.id));
  return null;
end $$;
create trigger settle_reviewers_on_delete after delete on role_permissions
  referencing old table as changed_rows for each statement execute function settle_reviewers_of_permissions();
create trigger settle_reviewers_on_insert after insert on role_permissions
  referencing new table as changed_rows for each statement execute function settle_reviewers_of_permissions();

-- Reviewers who lost the permission earlier.
select from mark_reviewers(array(
  select reviewer_id from kpi_evaluations where reviewer_id is not null
  union select reviewer_id from probation_reviews where reviewer_id is not null));
