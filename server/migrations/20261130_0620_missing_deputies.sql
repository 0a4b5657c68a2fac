-- A deputy is missing as soon as the deputy may not do the reviews of the absence any more, as a reviewer is. HR gets the
-- task in the transaction of the loss.

alter table absences add column deputy_missing_since timestamptz(3);

-- Whether a deputy may do all the reviews that an absence leaves to them.
create function can_do_reviews(deputy bigint, tasks text[]) returns boolean language sql stable as $$
  select coalesce(bool_and(can_review(deputy, case task
    when 'kpi_reviews' then 'kpi-evaluation.review' else 'probation-review.submit' end)), true)
  from unnest(tasks) as task
$$;

create function mark_deputy() returns trigger language plpgsql as $$
begin
  new.deputy_missing_since := case
    when new.deputy_id is null or can_do_reviews(new.deputy_id, new.deputy_tasks) then null else now() end;
  return new;
end $$;
create trigger mark_deputy before insert or update of deputy_id, deputy_tasks on absences
  for each row execute function mark_deputy();

-- The mark is no change of the absence: a user who edits it meanwhile may go on.
create or replace trigger touch before update of employee_id, first_day, last_day, absence_reason, deputy_id, deputy_tasks,
  deputy_entity_ids, deputy_named_by on absences for each row execute function touch_row();

-- Marks absences whose deputy is one of these people and cannot act, and unmarks those who can again.
create function mark_deputies(people bigint[]) returns void language sql as $$
  update absences a set deputy_missing_since = case when not d.is_able then now() end
  from (select id, can_do_reviews(deputy_id, deputy_tasks) as is_able from absences
        where deputy_id = any(people)) as d
  where a.id = d.id and (a.deputy_missing_since is null) <> d.is_able
$$;

create or replace function settle_reviewers(people bigint[]) returns void language plpgsql as $$
declare
  missing record;
begin
  if cardinality(people) = 0 then
    return;
  end if;
  select * from mark_reviewers(people) into missing;
  perform mark_deputies(people);
  if missing.in_evaluations then
    perform graphile_worker.add_job('notify_missing_kpi_reviewers', job_key => 'notify_missing_kpi_reviewers');
  end if;
  if missing.in_probations then
    perform graphile_worker.add_job('notify_missing_probation_reviewers', job_key => 'notify_missing_probation_reviewers');
  end if;
end $$;

select mark_deputies(array(select distinct deputy_id from absences where deputy_id is not null));
