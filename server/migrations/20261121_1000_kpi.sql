-- What is measured (templates), when and for whom (cycles), and how it went (evaluations).

create table kpi_templates (
  id bigint generated always as identity primary key,
  name text not null,
  description text,
  -- null: for all companies
  entity_id bigint references entities,
  job_title text,
  grade text,
  scale_min integer not null default 1 check (scale_min >= 0),
  scale_max integer not null default 5 check (scale_max <= 10),
  score_step numeric(2, 1) not null default 1 check (score_step in (0.5, 1)),
  status text not null default 'active' check (status in ('draft', 'active', 'archived')),
  version integer not null default 1,
  -- basis points; kept with the items in one transaction, so that lists read no items
  total_weight integer not null default 0 check (total_weight >= 0),
  items_count integer not null default 0 check (items_count between 0 and 50),
  name_sort text collate "C" generated always as (fold(name)) stored,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  check (scale_min < scale_max),
  check (status <> 'active' or (total_weight = 10000 and items_count > 0))
);
create unique index kpi_templates_name_key on kpi_templates (coalesce(entity_id, 0), fold(name));
create index kpi_templates_name_idx on kpi_templates (name_sort, id);
create index kpi_templates_entity_idx on kpi_templates (entity_id);
create trigger touch before update on kpi_templates for each row execute function touch_row();

create table kpi_template_items (
  id bigint generated always as identity primary key,
  template_id bigint not null references kpi_templates on delete cascade,
  name text not null,
  description text,
  -- basis points
  weight integer not null check (weight between 1 and 10000),
  sort_order integer not null,
  evidence_required boolean not null default false,
  item_type text not null default 'rating' check (item_type in ('rating', 'measured')),
  direction text check (direction in ('higher_better', 'lower_better', 'target', 'boolean')),
  unit text,
  target_value numeric(14, 2),
  baseline_value numeric(14, 2),
  tolerance_pct numeric(5, 2) check (tolerance_pct between 0 and 50),
  cap_pct numeric(5, 2) check (cap_pct between 100 and 200),
  name_key text collate "C" generated always as (fold(name)) stored,
  check (item_type = 'measured' or (direction, target_value, baseline_value, tolerance_pct, cap_pct) is null),
  -- looked at when a statement ends, so that two items may swap their names
  constraint kpi_template_items_name_key unique (template_id, name_key) deferrable
);

create table kpi_cycles (
  id bigint generated always as identity primary key,
  name text not null,
  description text,
  type text not null default 'custom' check (type in ('monthly', 'quarterly', 'semi_annual', 'annual', 'custom')),
  start_date date not null,
  end_date date not null,
  -- null: several companies
  entity_id bigint references entities,
  self_assessment_opens_on date,
  self_assessment_closes_on date,
  manager_review_opens_on date,
  manager_review_closes_on date,
  acceptance_days integer not null default 7 check (acceptance_days between 1 and 60),
  min_service_days integer check (min_service_days between 1 and 366),
  auto_skip_self boolean not null default false,
  auto_accept boolean not null default false,
  manager_weight_pct integer not null default 100 check (manager_weight_pct between 50 and 100),
  self_weight_pct integer not null default 0,
  pip_below_pct numeric(5, 2) not null default 60 check (pip_below_pct >= 0),
  hipo_from_pct numeric(5, 2) not null default 90 check (hipo_from_pct <= 100),
  band_caps jsonb,
  status text not null default 'draft' check (status in ('draft', 'published', 'closed')),
  -- a publish in the background: how far it is, and what was asked for
  publishing_processed integer,
  publishing_total integer,
  publishing_request jsonb,
  owner_id bigint references employees,
  created_by bigint references users,
  created_by_name text not null,
  published_at timestamptz(3),
  closed_at timestamptz(3),
  close_reason text,
  name_sort text collate "C" generated always as (fold(name)) stored,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  check (end_date > start_date),
  check (self_assessment_closes_on >= self_assessment_opens_on),
  check (manager_review_closes_on >= manager_review_opens_on),
  check (manager_review_closes_on >= self_assessment_closes_on),
  check (manager_weight_pct + self_weight_pct = 100),
  check (pip_below_pct < hipo_from_pct),
  check ((publishing_processed is null) = (publishing_total is null))
);
create unique index kpi_cycles_name_key on kpi_cycles (fold(name));
create index kpi_cycles_start_idx on kpi_cycles (start_date desc, id);
create index kpi_cycles_owner_idx on kpi_cycles (owner_id);
create index kpi_cycles_entity_idx on kpi_cycles (entity_id);
-- how far a publish is changes nothing of what somebody edits
create trigger touch before update on kpi_cycles for each row
  when (old.publishing_processed is not distinct from new.publishing_processed
        and old.publishing_total is not distinct from new.publishing_total)
  execute function touch_row();

create table kpi_cycle_departments (
  id bigint generated always as identity primary key,
  cycle_id bigint not null references kpi_cycles on delete cascade,
  department_id bigint not null references departments,
  -- null: takes part, and its template is still to be chosen
  template_id bigint references kpi_templates,
  is_published boolean not null default false,
  published_at timestamptz(3),
  published_by bigint references users,
  published_by_name text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  constraint kpi_cycle_departments_key unique (cycle_id, department_id),
  check (not is_published or (template_id is not null and published_at is not null))
);
create index kpi_cycle_departments_department_idx on kpi_cycle_departments (department_id);
create index kpi_cycle_departments_template_idx on kpi_cycle_departments (template_id);
create trigger touch before update on kpi_cycle_departments for each row execute function touch_row();

create table kpi_evaluations (
  id bigint generated always as identity primary key,
  cycle_id bigint not null references kpi_cycles,
  employee_id bigint not null references employees,
  -- the place of the person on the day of publishing
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
  -- since when nobody can review it; null while somebody can
  reviewer_missing_since timestamptz(3),
  round integer not null default 1,
  -- kept equal to the person's, so that a list by names needs no sorting
  person_sort text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  constraint kpi_evaluations_person_key unique (cycle_id, employee_id)
);

-- The day by which the present step is to be done.
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

-- The due day follows from the step and the windows, name and missing reviewer from people: none makes a form stale.
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

create index kpi_evaluations_updated_idx on kpi_evaluations (updated_at desc, id);
create index kpi_evaluations_cycle_updated_idx on kpi_evaluations (cycle_id, updated_at desc, id);
create index kpi_evaluations_cycle_person_idx on kpi_evaluations (cycle_id, person_sort, id);
create index kpi_evaluations_cycle_status_idx on kpi_evaluations (cycle_id, status, due_on, id);
create index kpi_evaluations_cycle_due_idx on kpi_evaluations (cycle_id, due_on, id);
create index kpi_evaluations_cycle_score_idx on kpi_evaluations (cycle_id, overall_percentage, id);
create index kpi_evaluations_department_idx on kpi_evaluations (department_id, cycle_id, status);
create index kpi_evaluations_entity_idx on kpi_evaluations (entity_id, cycle_id, status);
create index kpi_evaluations_employee_idx on kpi_evaluations (employee_id, created_at desc);
create index kpi_evaluations_reviewer_idx on kpi_evaluations (reviewer_id, status, due_on);
create index kpi_evaluations_template_idx on kpi_evaluations (template_id);
-- What waits in a company, the most urgent first.
create index kpi_evaluations_open_idx on kpi_evaluations (status, entity_id, due_on, status_changed_at, id)
  include (employee_id) where status not in ('completed', 'cancelled');
create index kpi_evaluations_missing_reviewer_idx on kpi_evaluations (entity_id, reviewer_missing_since, id)
  include (employee_id)
  where status in ('self_assessment', 'manager_review') and reviewer_missing_since is not null;
create index kpi_evaluations_extension_idx on kpi_evaluations (entity_id, extension_requested_at, id)
  include (employee_id) where status = 'self_assessment' and extension_status = 'pending';
create index job_history_failed_idx on job_history (employee_id) where status = 'failed';
create index employees_leavers_idx on employees (entity_id, id) include (department_id, last_working_date)
  where employment_lifecycle in ('resigned', 'terminated') and deleted_at is null;

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

-- How many evaluations of a cycle stand where and are due when, so that no list and no board counts rows. Each change
-- appends its difference; a job folds the differences. percentages: the sum over completed ones that have a result.
create table kpi_evaluation_counts (
  cycle_id bigint not null,
  entity_id bigint not null,
  department_id bigint not null,
  status text not null,
  due_on date,
  band text,
  flag text,
  evaluations bigint not null,
  percentages numeric not null
);
create index kpi_evaluation_counts_idx on kpi_evaluation_counts (cycle_id, department_id);

-- How long evaluations stayed in a step before they went on, in tenths of a day: enough for a median without looking
-- at an evaluation. Kept like the counts.
create table kpi_stage_days (
  cycle_id bigint not null,
  entity_id bigint not null,
  status text not null,
  days numeric(6, 1) not null,
  evaluations bigint not null
);
create index kpi_stage_days_idx on kpi_stage_days (cycle_id);

-- Half-open bands of the percentage of a completed evaluation.
create function kpi_band(status text, percentage numeric) returns text language sql immutable as $$
  select case when status <> 'completed' or percentage is null then null
    when percentage >= 90 then 'A' when percentage >= 80 then 'B' when percentage >= 60 then 'C' else 'D' end
$$;

create function count_kpi_evaluations() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into kpi_evaluation_counts
    select cycle_id, entity_id, department_id, status, due_on, kpi_band(status, overall_percentage),
           case when status = 'completed' then performance_flag end, count(*),
           coalesce(sum(overall_percentage) filter (where status = 'completed'), 0)
    from new_rows group by 1, 2, 3, 4, 5, 6, 7;
  else
    insert into kpi_evaluation_counts
    select cycle_id, entity_id, department_id, status, due_on, band, flag, sum(evaluations), sum(percentages) from (
      select cycle_id, entity_id, department_id, status, due_on, kpi_band(status, overall_percentage) as band,
             case when status = 'completed' then performance_flag end as flag, 1 as evaluations,
             case when status = 'completed' then coalesce(overall_percentage, 0) else 0 end as percentages
      from new_rows
      union all
      select cycle_id, entity_id, department_id, status, due_on, kpi_band(status, overall_percentage),
             case when status = 'completed' then performance_flag end, -1,
             case when status = 'completed' then -coalesce(overall_percentage, 0) else 0 end
      from old_rows) as moved
    group by 1, 2, 3, 4, 5, 6, 7
    having sum(evaluations) <> 0 or sum(percentages) <> 0;
    insert into kpi_stage_days
    select o.cycle_id, o.entity_id, o.status,
           round(least(extract(epoch from n.status_changed_at - o.status_changed_at) / 86400, 99999), 1), count(*)
    from old_rows o join new_rows n on n.id = o.id
    where n.status not in (o.status, 'cancelled') and n.status_changed_at >= o.status_changed_at
      and o.status in ('self_assessment', 'manager_review', 'hr_review', 'pending_acceptance')
    group by 1, 2, 3, 4;
  end if;
  return null;
end $$;
create trigger count_on_insert after insert on kpi_evaluations
  referencing new table as new_rows for each statement execute function count_kpi_evaluations();
create trigger count_on_update after update on kpi_evaluations
  referencing old table as old_rows new table as new_rows for each statement execute function count_kpi_evaluations();

create function fold_kpi_evaluation_counts() returns void language sql as $$
  with folded as (delete from kpi_evaluation_counts returning *)
  insert into kpi_evaluation_counts
  select cycle_id, entity_id, department_id, status, due_on, band, flag, sum(evaluations), sum(percentages) from folded
  group by 1, 2, 3, 4, 5, 6, 7 having sum(evaluations) <> 0 or sum(percentages) <> 0;
  with folded as (delete from kpi_stage_days returning *)
  insert into kpi_stage_days
  select cycle_id, entity_id, status, days, sum(evaluations) from folded group by 1, 2, 3, 4;
$$;

-- A name that changes is found under its new place in every list of evaluations.
create function rename_in_evaluations() returns trigger language plpgsql as $$
begin
  update kpi_evaluations set person_sort = fold(new.name) where employee_id = new.id;
  return null;
end $$;
create trigger rename_in_evaluations after update of first_name, last_name, display_name on employees
  for each row when (old.name is distinct from new.name) execute function rename_in_evaluations();

-- Whatever makes a reviewer inactive or active again, the evaluations know since when nobody can review them.
create function mark_missing_reviewer() returns trigger language plpgsql as $$
declare
  is_able boolean := new.activity_status = 'active' and new.deleted_at is null;
begin
  update kpi_evaluations set reviewer_missing_since = case when not is_able then now() end
  where reviewer_id = new.id and (reviewer_missing_since is null) <> is_able;
  return null;
end $$;
create trigger mark_missing_reviewer after update of activity_status, deleted_at on employees
  for each row when ((old.activity_status = 'active' and old.deleted_at is null)
                     <> (new.activity_status = 'active' and new.deleted_at is null))
  execute function mark_missing_reviewer();

-- Reminders of one item: at most one a day, whoever sends them.
create index notifications_reminders_idx on notifications (subject_id, created_at desc)
  where event in ('kpi_deadline_reminder', 'probation_ending_reminder');
