-- Reviews on the way: after 30 days and in the middle of a probation. They decide nothing; HR shares them with the person.
-- Existing reviews are final ones.
alter table probation_reviews
  add column milestone text not null default 'final' check (milestone in ('day_30', 'midpoint', 'final')),
  drop constraint probation_reviews_check,
  add constraint probation_reviews_decided_check check (
    status <> 'approved' or decided_at is not null
      and (milestone <> 'final' or outcome is not null and effective_date is not null)),
  add constraint probation_reviews_on_the_way_check check (
    milestone = 'final' or outcome is null and recommendation is null and extension_months is null);

drop index probation_reviews_end_key;
create unique index probation_reviews_end_key on probation_reviews (employee_id, probation_end_date, milestone)
  where status in ('pending', 'submitted', 'sent_back', 'approved');
drop index probation_reviews_open_key;
create unique index probation_reviews_open_key on probation_reviews (employee_id, milestone)
  where status in ('pending', 'submitted', 'sent_back');

-- HR decides before the probation ends, and shares other reviews by the day they are due
drop index probation_reviews_decision_idx;
create index probation_reviews_decision_idx on probation_reviews
  (entity_id, (case when milestone = 'final' then probation_end_date else due_date end), status_changed_at, id)
  include (employee_id, department_id, reviewer_id, milestone, probation_end_date, due_date)
  where status = 'submitted';

-- Which of them open by themselves.
alter table entities
  add column probation_day_30_review boolean not null default false,
  add column probation_midpoint_review boolean not null default false;
