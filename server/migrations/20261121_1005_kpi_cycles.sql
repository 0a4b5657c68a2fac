-- What is measured (templates), when and for whom (cycles).

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
  -- checked when a statement ends, so that two items may swap their names
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
  -- publishing in the background: its progress, and what was asked for
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
create unique index kpi_cycles_name_key on kpi_cycles (coalesce(entity_id, 0), fold(name));
create index kpi_cycles_name_idx on kpi_cycles (fold(name));
create index kpi_cycles_start_idx on kpi_cycles (start_date desc, id);
create index kpi_cycles_owner_idx on kpi_cycles (owner_id);
create index kpi_cycles_entity_idx on kpi_cycles (entity_id);
-- the progress of publishing does not make a form stale
create trigger touch before update on kpi_cycles for each row
  when (old.publishing_processed is not distinct from new.publishing_processed
        and old.publishing_total is not distinct from new.publishing_total)
  execute function touch_row();

-- The name of a cycle is taken where companies overlap: within one company, and between one company and a cycle of
-- several. Cycles of two companies do not know of each other. Writers of one name take turns, so that of two at the same
-- moment the second sees the first.
create function refuse_overlapping_cycle_name() returns trigger language plpgsql set search_path from current as $$
begin
  perform pg_advisory_xact_lock(7365043, hashtext(fold(new.name)));
  if exists (select from kpi_cycles c where fold(c.name) = fold(new.name) and c.id <> new.id
               and (c.entity_id is null or new.entity_id is null)) then
    raise unique_violation using message = 'the name of the cycle is taken', table = 'kpi_cycles',
      constraint = 'kpi_cycles_name_key';
  end if;
  return null;
end $$;
create trigger refuse_overlapping_name_on_insert after insert on kpi_cycles
  for each row execute function refuse_overlapping_cycle_name();
create trigger refuse_overlapping_name_on_update after update of name, entity_id on kpi_cycles
  for each row when (new.name <> old.name or new.entity_id is distinct from old.entity_id)
  execute function refuse_overlapping_cycle_name();

create table kpi_cycle_departments (
  id bigint generated always as identity primary key,
  cycle_id bigint not null references kpi_cycles on delete cascade,
  department_id bigint not null references departments,
  -- null: the department takes part, its template is still to be chosen
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
