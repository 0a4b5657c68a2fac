-- Deputies: during an absence, another person does tasks of the named kinds. Whether a deputy counts is judged for each
-- record at each request, so that nothing has to run when an absence begins or ends.

alter table absences
  add column deputy_id bigint references employees on delete set null,
  add column deputy_tasks text[] not null default '{}' check (deputy_tasks <@ array['kpi_reviews', 'probation_reviews']),
  -- where the user who named the deputy assigns reviewers: the deputy acts in these companies only; null for all
  add column deputy_entity_ids bigint[],
  add constraint absences_deputy_id_check check (deputy_id <> employee_id);
create index absences_deputy_id_idx on absences (deputy_id) where deputy_id is not null;

-- Whether a person can act now as deputy on a record about another one, in its company: never about themselves or a
-- superior, with the permission of a reviewer there, not while they are away, and not for a deputy.
create function can_stand_in(deputy bigint, subject bigint, entity bigint, task text)
returns boolean language sql stable as $$
  select deputy <> subject
    and exists (
      select from employees e
      join users u on u.id = e.user_id and u.is_enabled
      join role_assignments r on r.user_id = u.id
      join role_permissions p on p.role_id = r.role_id
      where e.id = deputy and e.activity_status = 'active' and e.deleted_at is null
        and p.permission = case task when 'kpi_reviews' then 'kpi-evaluation.review' else 'probation-review.submit' end
        and (r.entity_ids is null or entity = any(r.entity_ids)))
    and not exists (select from absences y where y.employee_id = deputy and is_on(y, now()))
    and not exists (select from superiors_of(deputy) as s where s = subject)
$$;

-- The person for whom a deputy did something.
alter table kpi_evaluation_activity add column acting_for text;
alter table probation_review_activity add column acting_for text;
