-- Results of review rounds that were held before this service, from other systems. They are history that is read: no
-- evaluation, in no workflow, and in no figures of cycles. A result is a percentage or points on a scale from its lowest
-- to its highest end, which may be the smaller number; or a band alone.
create table former_results (
  id bigint generated always as identity primary key,
  employee_id bigint not null references employees on delete cascade,
  period text check (length(period) between 1 and 100),
  period_from date,
  period_to date not null,
  unit text check (unit in ('percent', 'points')),
  result numeric(9, 3),
  scale_from numeric(9, 3),
  scale_to numeric(9, 3),
  -- points as a share of the highest of their scale, as scores of evaluations; null where less is better
  percentage numeric(5, 2),
  band text check (length(band) between 1 and 60),
  source text not null check (length(source) between 1 and 100),
  created_by bigint references users,
  created_by_name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  constraint former_results_period_order check (period_from <= period_to),
  constraint former_results_has_result check (result is not null or band is not null),
  constraint former_results_on_scale check (
    (result is null) = (unit is null)
    and (result is null) = (scale_from is null) and (result is null) = (scale_to is null)
    and result between least(scale_from, scale_to) and greatest(scale_from, scale_to))
);
-- one result of a source for a period
create unique index former_results_period_to_key
  on former_results (employee_id, period_to, coalesce(period_from, '-infinity'::date), fold(source));
create index former_results_created_by_idx on former_results (created_by) where created_by is not null;
create trigger touch before update on former_results for each row execute function touch_row();

alter table imports drop constraint imports_type_check;
alter table imports add constraint imports_type_check check (type in ('employees', 'kpi_templates', 'former_results'));
