-- The job history of people: what they were, are and will be.

create table job_history (
  id bigint generated always as identity primary key,
  employee_id bigint not null references employees on delete cascade,
  effective_from date not null,
  effective_to date,
  status text not null check (status in ('scheduled', 'current', 'past', 'cancelled', 'failed')),
  changed_fields text[] not null,
  entity_id bigint not null references entities,
  department_id bigint not null references departments,
  reporting_manager_id bigint references employees,
  job_title text,
  grade text,
  employment_type text not null,
  employment_lifecycle text not null,
  -- the last day of the employment before; only the row of a rehire has it
  rehired_after date,
  reason text,
  -- why it could not be applied: a message with its parameters, rendered in the reader's language
  failure jsonb,
  created_by bigint references users,
  created_by_name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create index job_history_employee_idx on job_history (employee_id, effective_from desc, id desc);
create unique index job_history_current_key on job_history (employee_id) where status = 'current';
create index job_history_due_idx on job_history (effective_from) where status = 'scheduled';
create index job_history_failed_idx on job_history (employee_id) where status = 'failed';
create trigger touch before update on job_history for each row execute function touch_row();

-- Who joined again and who moved, for dashboard and reports.
create index job_history_rehired_idx on job_history (effective_from) include (employee_id, rehired_after)
  where rehired_after is not null;
create index job_history_moved_idx on job_history (effective_from, employee_id)
  where status in ('current', 'past') and changed_fields && '{entity_id,department_id}'
    and not changed_fields @> '{employment_lifecycle}';

-- Whether a company or a department may be deleted depends on its past too; undoing an import deletes people and accounts
-- for good. Both must find what refers to them without a scan.
create index job_history_entity_id_idx on job_history (entity_id);
create index job_history_department_id_idx on job_history (department_id);
create index job_history_reporting_manager_id_idx on job_history (reporting_manager_id)
  where reporting_manager_id is not null;
create index job_history_created_by_idx on job_history (created_by) where created_by is not null;
