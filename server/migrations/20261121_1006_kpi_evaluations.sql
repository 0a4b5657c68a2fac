-- Evaluations: one per person and cycle, with their items, evidence and history.

create table kpi_evaluations (
  id bigint generated always as identity primary key,
  cycle_id bigint not null references kpi_cycles,
  employee_id bigint not null references employees,
  -- company, department and job title of the person on the day of publishing
  entity_id bigint not null references entities,
  department_id bigint not null references departments,
  job_title text,
  reviewer_id bigint references employees,
  -- the template as it was, with its items
  template_id bigint not null references kpi_templates,
  template_name text not null,
  template_version integer not null,
  scale_min integer not null,
  scale_max integer not null,
  score_step numeric(2, 1) not null,
  status text not null default 'self_assessment' check (status in
    ('self_assessment', 'manager_review', 'hr_review', 'pending_acceptance', 'accepted', 'disputed', 'completed',
     'cancelled')),
  status_changed_at timestamptz(3) not null default now(),
  due_on date,
  self_overall_score numeric(4, 2),
  overall_score numeric(4, 2),
  overall_percentage numeric(5, 2) check (overall_percentage between 0 and 100),
  overall_achievement_pct numeric(5, 2),
  suggested_flag text check (suggested_flag in ('pip', 'standard', 'hipo')),
  performance_flag text check (performance_flag in ('pip', 'standard', 'hipo')),
  flag_reason text,
  self_comment text,
  manager_comment text,
  strengths text,
  improvements text,
  hr_comment text,
  self_skipped boolean not null default false,
  skip_reason text,
  return_reason text,
  reopen_reason text,
  close_reason text,
  closed_by bigint references users,
  closed_by_name text,
  cancel_reason text,
  cancelled_from text,
  cancelled_at timestamptz(3),
  dispute_reason text,
  dispute_result text check (dispute_result in ('maintained', 'modified', 'returned')),
  dispute_resolution text,
  dispute_resolved_at timestamptz(3),
  dispute_resolved_by bigint references users,
  dispute_resolved_by_name text,
  dispute_returned boolean not null default false,
  acceptance_due_on date,
  acceptance_mode text check (acceptance_mode in ('employee', 'deemed_hr', 'deemed_job')),
  self_submitted_at timestamptz(3),
  manager_submitted_at timestamptz(3),
  manager_submitted_by bigint references users,
  manager_submitted_by_name text,
  hr_submitted_at timestamptz(3),
  hr_submitted_by bigint references users,
  hr_submitted_by_name text,
  responded_at timestamptz(3),
  completed_at timestamptz(3),
  extension_requested_at timestamptz(3),
  extension_reason text,
  extension_status text check (extension_status in ('pending', 'approved', 'rejected')),
  extension_until date,
  extension_decided_at timestamptz(3),
  extension_decided_by bigint references users,
  extension_decided_by_name text,
  extension_note text,
  extension_requests integer not null default 0 check (extension_requests between 0 and 3),
  stage_open_until date,
  -- since when it has no reviewer who could review it; null while it has one
  reviewer_missing_since timestamptz(3),
  round integer not null default 1,
  -- kept equal to the person's, so that a list by names needs no sorting
  person_sort text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  constraint kpi_evaluations_person_key unique (cycle_id, employee_id)
);

-- The day by which the current step must be done.
create function kpi_due_on(e kpi_evaluations) returns date language sql stable as $$
  select case e.status
    when 'self_assessment' then coalesce(e.stage_open_until, c.self_assessment_closes_on, c.end_date)
    when 'manager_review' then coalesce(e.stage_open_until, c.manager_review_closes_on, c.end_date + 14)
    when 'hr_review' then greatest(c.manager_review_closes_on,
                                   (e.manager_submitted_at at time zone n.timezone)::date,
                                   case when e.manager_submitted_at is null
                                     then (e.status_changed_at at time zone n.timezone)::date end) + 7
    when 'pending_acceptance' then e.acceptance_due_on
    when 'disputed' then (e.responded_at at time zone n.timezone)::date + 7
    when 'accepted' then greatest(c.end_date, (e.status_changed_at at time zone n.timezone)::date) + 14
  end
  from kpi_cycles c, entities n where c.id = e.cycle_id and n.id = e.entity_id
$$;

-- The due day follows from the step and the windows, name and missing reviewer from people: none of them makes a form
-- stale.
create function keep_evaluation() returns trigger language plpgsql as $$
declare
  before kpi_evaluations;
begin
  new.due_on := kpi_due_on(new);
  if tg_op = 'UPDATE' then
    before := old;
    before.due_on := new.due_on;
    before.person_sort := new.person_sort;
    before.reviewer_missing_since := new.reviewer_missing_since;
    if new is distinct from before then
      new.updated_at := now();
      new.revision := old.revision + 1;
    end if;
  end if;
  return new;
end $$;
create trigger keep before insert or update on kpi_evaluations for each row execute function keep_evaluation();

-- Orders of the lists of evaluations, of all and of one cycle. Ties go in the direction of the order, so that an index
-- without empty values serves both directions; with empty ones, which always come last, each direction has its own.
create index kpi_evaluations_updated_idx on kpi_evaluations (updated_at, id);
create index kpi_evaluations_created_idx on kpi_evaluations (created_at, id);
create index kpi_evaluations_person_idx on kpi_evaluations (person_sort, id);
create index kpi_evaluations_status_idx on kpi_evaluations (status, id);
create index kpi_evaluations_due_idx on kpi_evaluations (due_on, id);
create index kpi_evaluations_due_desc_idx on kpi_evaluations (due_on desc nulls last, id desc);
create index kpi_evaluations_percentage_idx on kpi_evaluations (overall_percentage, id);
create index kpi_evaluations_percentage_desc_idx on kpi_evaluations (overall_percentage desc nulls last, id desc);
create index kpi_evaluations_score_idx on kpi_evaluations (overall_score, id);
create index kpi_evaluations_score_desc_idx on kpi_evaluations (overall_score desc nulls last, id desc);
create index kpi_evaluations_flag_idx on kpi_evaluations (performance_flag, id) where performance_flag is not null;
create index kpi_evaluations_cycle_updated_idx on kpi_evaluations (cycle_id, updated_at, id);
create index kpi_evaluations_cycle_person_idx on kpi_evaluations (cycle_id, person_sort, id);
create index kpi_evaluations_cycle_status_idx on kpi_evaluations (cycle_id, status, due_on, id);
create index kpi_evaluations_cycle_due_idx on kpi_evaluations (cycle_id, due_on, id);
create index kpi_evaluations_cycle_score_idx on kpi_evaluations (cycle_id, overall_percentage, id);

-- What scopes, tasks and jobs look for.
create index kpi_evaluations_department_idx on kpi_evaluations (department_id, cycle_id, status);
create index kpi_evaluations_entity_idx on kpi_evaluations (entity_id, cycle_id, status);
create index kpi_evaluations_employee_idx on kpi_evaluations (employee_id, created_at desc);
create index kpi_evaluations_reviewer_idx on kpi_evaluations (reviewer_id, status, due_on);
create index kpi_evaluations_template_idx on kpi_evaluations (template_id);
-- open tasks of a company, the most urgent first
create index kpi_evaluations_open_idx on kpi_evaluations (status, entity_id, due_on, status_changed_at, id)
  include (employee_id) where status not in ('completed', 'cancelled');
create index kpi_evaluations_missing_reviewer_idx on kpi_evaluations (entity_id, reviewer_missing_since, id)
  include (employee_id)
  where status in ('self_assessment', 'manager_review') and reviewer_missing_since is not null;
create index kpi_evaluations_extension_idx on kpi_evaluations (entity_id, extension_requested_at, id)
  include (employee_id) where status = 'self_assessment' and extension_status = 'pending';
-- open disputes, the most urgent first; a reviewer does not settle disputes of their own reviews
create index kpi_evaluations_disputed_idx on kpi_evaluations (entity_id, due_on, status_changed_at, id)
  include (employee_id, reviewer_id, manager_submitted_by) where status = 'disputed';

create table kpi_evaluation_items (
  id bigint generated always as identity primary key,
  evaluation_id bigint not null references kpi_evaluations on delete cascade,
  template_item_id bigint not null,
  name text not null,
  description text,
  weight integer not null check (weight between 1 and 10000),
  sort_order integer not null,
  evidence_required boolean not null,
  item_type text not null,
  direction text,
  unit text,
  target_value numeric(14, 2),
  baseline_value numeric(14, 2),
  tolerance_pct numeric(5, 2),
  cap_pct numeric(5, 2),
  -- proposed by the subject, decided by the reviewer
  self_not_applicable boolean not null default false,
  manager_not_applicable boolean,
  self_score numeric(4, 2),
  self_comment text,
  self_actual_value numeric(14, 2),
  manager_score numeric(4, 2),
  manager_comment text,
  manager_actual_value numeric(14, 2),
  final_score numeric(4, 2),
  final_note text
);
create index kpi_evaluation_items_evaluation_idx on kpi_evaluation_items (evaluation_id, sort_order, id);

create table kpi_evidence (
  id bigint generated always as identity primary key,
  evaluation_id bigint not null references kpi_evaluations,
  item_id bigint references kpi_evaluation_items,
  stage text not null check (stage in ('self', 'manager', 'hr')),
  note text,
  url text,
  file_key text constraint kpi_evidence_file_key_key unique,
  file_name text,
  mime_type text,
  size bigint,
  checksum text,
  scan_status text check (scan_status in ('not_scanned', 'pending', 'clean', 'infected', 'error')),
  uploaded_by bigint references users,
  uploaded_by_name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  check (num_nonnulls(note, url, file_key) > 0),
  check ((file_key is null) = (file_name is null))
);
create index kpi_evidence_evaluation_idx on kpi_evidence (evaluation_id, created_at desc, id desc);
create index kpi_evidence_item_idx on kpi_evidence (item_id);
create trigger touch before update on kpi_evidence for each row execute function touch_row();

-- Everything that happened to an evaluation; a result that is given up stays in the snapshot.
create table kpi_evaluation_activity (
  id bigint generated always as identity primary key,
  evaluation_id bigint not null references kpi_evaluations on delete cascade,
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
create index kpi_evaluation_activity_idx on kpi_evaluation_activity (evaluation_id, at desc, id desc);

-- A changed name is sorted anew in every list of evaluations.
create function rename_in_evaluations() returns trigger language plpgsql as $$
begin
  update kpi_evaluations set person_sort = fold(new.name) where employee_id = new.id;
  return null;
end $$;
create trigger rename_in_evaluations after update of first_name, last_name, display_name on employees
  for each row when (old.name is distinct from new.name) execute function rename_in_evaluations();

-- Evaluations know since when their reviewer is inactive, however that comes about.
create function mark_missing_reviewer() returns trigger language plpgsql as $$
declare
  is_able boolean := new.activity_status = 'active' and new.deleted_at is null;
begin
  update kpi_evaluations set reviewer_missing_since = case when not is_able then now() end
  where reviewer_id = new.id and (reviewer_missing_since is null) <> is_able;
  return null;
end $$;
create trigger mark_missing_reviewer after update on employees
  for each row when ((old.activity_status = 'active' and old.deleted_at is null)
                     <> (new.activity_status = 'active' and new.deleted_at is null))
  execute function mark_missing_reviewer();
