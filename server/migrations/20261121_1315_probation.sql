-- Probation reviews: one per person and end of probation, signed by the reviewer, by HR and by the person.

create table probation_reviews (
  id bigint generated always as identity primary key,
  employee_id bigint not null references employees,
  -- company and department follow the person while the review is open; the decision freezes them
  entity_id bigint not null references entities,
  department_id bigint not null references departments,
  probation_start_date date,
  probation_end_date date not null,
  reviewer_id bigint references employees,
  sequence integer not null default 1,
  previous_review_id bigint references probation_reviews,
  review_date date,
  due_date date not null,
  status text not null default 'pending' check (status in
    ('pending', 'submitted', 'sent_back', 'approved', 'cancelled', 'reverted')),
  status_changed_at timestamptz(3) not null default now(),
  performance_rating integer check (performance_rating between 1 and 5),
  -- [{name, weight, rating, comment}], weights in basis points
  criteria jsonb,
  criteria_score numeric(4, 2),
  strengths text,
  improvements text,
  comments text,
  recommendation text check (recommendation in ('confirm', 'extend', 'terminate')),
  extension_months integer check (extension_months between 1 and 6),
  outcome text check (outcome in ('confirm', 'extend', 'terminate')),
  outcome_extension_months integer check (outcome_extension_months between 1 and 6),
  effective_date date,
  hr_comments text,
  send_back_reason text,
  cancel_reason text,
  revert_reason text,
  employee_comment text,
  submitted_at timestamptz(3),
  decided_at timestamptz(3),
  decided_by bigint references users,
  decided_by_name text,
  employee_acknowledged_at timestamptz(3),
  reverted_at timestamptz(3),
  -- since when it has no reviewer who could review it; null while it has one
  reviewer_missing_since timestamptz(3),
  round integer not null default 1,
  -- kept equal to the person's, so that a list by names needs no sorting
  person_sort text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  check (status <> 'approved' or (outcome is not null and effective_date is not null and decided_at is not null)),
  check (outcome_extension_months is null or outcome = 'extend')
);

create unique index probation_reviews_open_key on probation_reviews (employee_id)
  where status in ('pending', 'submitted', 'sent_back');
-- One valid review for each end of a probation, however often and by however many processes it is opened.
create unique index probation_reviews_end_key on probation_reviews (employee_id, probation_end_date)
  where status in ('pending', 'submitted', 'sent_back', 'approved');
create index probation_reviews_employee_idx on probation_reviews (employee_id, sequence desc);
create index probation_reviews_previous_idx on probation_reviews (previous_review_id);
create index probation_reviews_reviewer_idx on probation_reviews (reviewer_id, status, due_date);
create index probation_reviews_entity_idx on probation_reviews (entity_id, status);
create index probation_reviews_department_idx on probation_reviews (department_id, status);
create index probation_reviews_due_idx on probation_reviews (due_date, id);
create index probation_reviews_end_idx on probation_reviews (probation_end_date, id);
create index probation_reviews_person_idx on probation_reviews (person_sort, id);
create index probation_reviews_status_idx on probation_reviews (status, id);
create index probation_reviews_created_idx on probation_reviews (created_at, id);
create index probation_reviews_updated_idx on probation_reviews (updated_at, id);
create index probation_reviews_decided_idx on probation_reviews (decided_at) where status = 'approved';
-- reviews to decide in a company, the most urgent first
create index probation_reviews_decision_idx on probation_reviews (entity_id, probation_end_date, status_changed_at, id)
  include (employee_id, department_id, reviewer_id) where status = 'submitted';
create index probation_reviews_missing_reviewer_idx on probation_reviews (entity_id, reviewer_missing_since, id)
  include (employee_id, department_id)
  where status in ('pending', 'sent_back') and reviewer_missing_since is not null;
create index probation_reviews_to_acknowledge_idx on probation_reviews (employee_id)
  where status = 'approved' and employee_acknowledged_at is null;

-- Company, department, name and missing reviewer follow from people: none of them makes a form stale.
create function keep_probation_review() returns trigger language plpgsql as $$
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
create trigger keep before update on probation_reviews for each row execute function keep_probation_review();

-- How many reviews are in which state, so that no list counts rows. Each change appends its difference; a job folds them.
create table probation_review_counts (
  entity_id bigint not null,
  department_id bigint not null,
  status text not null,
  reviews bigint not null
);

create function count_probation_reviews() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into probation_review_counts
    select entity_id, department_id, status, count(*) from new_rows group by 1, 2, 3;
  elsif tg_op = 'DELETE' then
    insert into probation_review_counts
    select entity_id, department_id, status, -count(*) from old_rows group by 1, 2, 3;
  else
    insert into probation_review_counts
    select entity_id, department_id, status, sum(reviews) from (
      select entity_id, department_id, status, 1 as reviews from new_rows
      union all
      select entity_id, department_id, status, -1 from old_rows) as moved
    group by 1, 2, 3 having sum(reviews) <> 0;
  end if;
  return null;
end $$;
create trigger count_on_insert after insert on probation_reviews
  referencing new table as new_rows for each statement execute function count_probation_reviews();
create trigger count_on_delete after delete on probation_reviews
  referencing old table as old_rows for each statement execute function count_probation_reviews();
create trigger count_on_update after update on probation_reviews
  referencing old table as old_rows new table as new_rows for each statement execute function count_probation_reviews();

create function fold_probation_review_counts() returns void language sql as $$
  with folded as (delete from probation_review_counts returning *)
  insert into probation_review_counts
  select entity_id, department_id, status, sum(reviews) from folded group by 1, 2, 3 having sum(reviews) <> 0;
$$;

-- A signature is valid for exactly the content its hash was made of. One that is no longer valid is kept.
create table probation_signatures (
  id bigint generated always as identity primary key,
  review_id bigint not null references probation_reviews,
  role text not null check (role in ('manager', 'hr', 'employee')),
  signer_id bigint references users,
  signer_name text not null,
  method text not null check (method in ('typed', 'drawn')),
  typed_name text,
  image_key text constraint probation_signatures_image_key_key unique,
  image_checksum text,
  -- what was signed, as it was hashed
  content jsonb not null,
  content_hash text not null,
  round integer not null,
  valid boolean not null default true,
  voided_at timestamptz(3),
  signed_at timestamptz(3) not null default now(),
  check ((method = 'typed') = (typed_name is not null)),
  check ((method = 'drawn') = (image_key is not null)),
  check (valid = (voided_at is null))
);
create unique index probation_signatures_valid_key on probation_signatures (review_id, role, round) where valid;
create index probation_signatures_review_idx on probation_signatures (review_id, signed_at desc, id desc);
-- reviews a person signed as reviewer, and so does not decide
create index probation_signatures_signer_idx on probation_signatures (signer_id) include (review_id)
  where role = 'manager' and valid;

-- Everything that happened to a review; a result that is given up stays in the snapshot.
create table probation_review_activity (
  id bigint generated always as identity primary key,
  review_id bigint not null references probation_reviews on delete cascade,
  at timestamptz(3) not null default now(),
  actor_id bigint references users,
  actor_name text not null,
  action text not null,
  from_status text,
  to_status text not null,
  reason text,
  round integer not null,
  snapshot jsonb
);
create index probation_review_activity_idx on probation_review_activity (review_id, at desc, id desc);

-- An open review follows its person to another company or department, however the person moves.
create function move_probation_review() returns trigger language plpgsql as $$
begin
  update probation_reviews set entity_id = new.entity_id, department_id = new.department_id
  where employee_id = new.id and status in ('pending', 'submitted', 'sent_back');
  return null;
end $$;
create trigger move_probation_review after update of entity_id, department_id on employees
  for each row when ((old.entity_id, old.department_id) is distinct from (new.entity_id, new.department_id))
  execute function move_probation_review();

-- A changed name is sorted anew in every list of reviews.
create function rename_in_probation_reviews() returns trigger language plpgsql as $$
begin
  update probation_reviews set person_sort = fold(new.name) where employee_id = new.id;
  return null;
end $$;
create trigger rename_in_probation_reviews after update of first_name, last_name, display_name on employees
  for each row when (old.name is distinct from new.name) execute function rename_in_probation_reviews();

-- Reviews know since when their reviewer is inactive, however that comes about.
create function mark_missing_probation_reviewer() returns trigger language plpgsql as $$
declare
  is_able boolean := new.activity_status = 'active' and new.deleted_at is null;
begin
  update probation_reviews set reviewer_missing_since = case when not is_able then now() end
  where reviewer_id = new.id and (reviewer_missing_since is null) <> is_able;
  return null;
end $$;
create trigger mark_missing_probation_reviewer after update on employees
  for each row when ((old.activity_status = 'active' and old.deleted_at is null)
                     <> (new.activity_status = 'active' and new.deleted_at is null))
  execute function mark_missing_probation_reviewer();
