-- Decisions and shared reviews of people without a sign-in: the reviewer or HR records the acknowledgement with the day
-- of the talk and the signed sheet.

alter table probation_reviews
  -- whether the person can acknowledge; with the account of the person, kept by triggers
  add column person_signs_in boolean not null default true,
  add column talked_on date,
  add column acknowledgement_recorded_by bigint references users,
  add column acknowledgement_recorded_by_name text,
  add constraint probation_reviews_recorded_check
    check (talked_on is null or (employee_acknowledged_at is not null and acknowledgement_recorded_by_name is not null));
create index probation_reviews_acknowledgement_recorded_by_idx on probation_reviews (acknowledgement_recorded_by)
  where acknowledgement_recorded_by is not null;
-- the tasks to record an acknowledgement: of the reviewer, and of HR where no reviewer can act
create index probation_reviews_record_acknowledgement_idx on probation_reviews
  ((case when reviewer_missing_since is null then reviewer_id end), entity_id, decided_at)
  where status = 'approved' and employee_acknowledged_at is null and not person_signs_in;

-- What the person signed by hand, one for a review and never deleted.
create table probation_sheets (
  id bigint generated always as identity primary key,
  review_id bigint not null constraint probation_sheets_review_id_key unique references probation_reviews,
  file_key text not null constraint probation_sheets_file_key_key unique,
  file_name text not null,
  mime_type text not null,
  size bigint not null,
  checksum text not null,
  scan_status text not null check (scan_status in ('not_scanned', 'pending', 'clean', 'infected', 'error')),
  uploaded_by bigint references users,
  uploaded_by_name text not null,
  created_at timestamptz(3) not null default now()
);

-- The sign-in follows from the person too and makes no form stale.
create or replace function keep_probation_review() returns trigger language plpgsql as $$
declare
  before probation_reviews := old;
begin
  before.person_sort := new.person_sort;
  before.person_signs_in := new.person_signs_in;
  before.reviewer_missing_since := new.reviewer_missing_since;
  before.entity_id := new.entity_id;
  before.department_id := new.department_id;
  if new is distinct from before then
    new.updated_at := now();
    new.revision := old.revision + 1;
  end if;
  return new;
end $$;

create function note_sign_in_of_probation_review() returns trigger language plpgsql as $$
begin
  new.person_signs_in := new.person_signs_in
    and exists (select from employees where id = new.employee_id and user_id is not null);
  return new;
end $$;
create trigger note_sign_in before insert on probation_reviews
  for each row execute function note_sign_in_of_probation_review();

create function note_sign_in_in_probation_reviews() returns trigger language plpgsql as $$
begin
  update probation_reviews set person_signs_in = new.user_id is not null where employee_id = new.id;
  return null;
end $$;
create trigger note_sign_in_in_probation_reviews after update of user_id on employees
  for each row when ((old.user_id is null) <> (new.user_id is null))
  execute function note_sign_in_in_probation_reviews();

update probation_reviews set person_signs_in = false
where exists (select from employees where id = probation_reviews.employee_id and user_id is null);
