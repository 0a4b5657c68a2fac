-- An open probation review stands where the person stands, whatever moves the person; a decision freezes its place.
create function move_probation_review() returns trigger language plpgsql as $$
begin
  update probation_reviews set entity_id = new.entity_id, department_id = new.department_id
  where employee_id = new.id and status in ('pending', 'submitted', 'sent_back');
  return null;
end $$;
create trigger move_probation_review after update of entity_id, department_id on employees
  for each row when ((old.entity_id, old.department_id) is distinct from (new.entity_id, new.department_id))
  execute function move_probation_review();

-- Place, name and missing reviewer follow from people: none of them makes a form stale.
create or replace function keep_probation_review() returns trigger language plpgsql as $$
declare
  before probation_reviews := old;
begin
  before.person_sort := new.person_sort;
  before.reviewer_missing_since := new.reviewer_missing_since;
  before.entity_id := new.entity_id;
  before.department_id := new.department_id;
  if new is distinct from before then
    new.updated_at := now();
    new.revision := old.revision + 1;
  end if;
  return new;
end $$;

update probation_reviews v set entity_id = e.entity_id, department_id = e.department_id
from employees e
where e.id = v.employee_id and v.status in ('pending', 'submitted', 'sent_back')
  and (v.entity_id, v.department_id) is distinct from (e.entity_id, e.department_id);

-- What was told of a review, wherever it goes.
create index notifications_probation_review_idx on notifications (subject_id)
  where subject_type = 'probation_review' and shown;
