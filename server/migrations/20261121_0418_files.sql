-- Files of people, and files to sweep. The content is in the file store under file_key.

create table attachments (
  id bigint generated always as identity primary key,
  employee_id bigint not null references employees on delete cascade,
  category text not null check (category in ('contract', 'id_document', 'certificate', 'letter', 'other')),
  title text not null,
  visibility text not null default 'hr_only'
    check (visibility in ('hr_only', 'manager', 'employee', 'manager_employee')),
  file_key text not null constraint attachments_file_key_key unique,
  file_name text not null,
  mime_type text not null,
  size bigint not null,
  checksum text not null,
  scan_status text not null default 'not_scanned'
    check (scan_status in ('not_scanned', 'pending', 'clean', 'infected', 'error')),
  uploaded_by bigint references users,
  uploaded_by_name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create index attachments_employee_idx on attachments (employee_id, created_at desc, id desc);
create index attachments_uploaded_by_idx on attachments (uploaded_by) where uploaded_by is not null;
create trigger touch before update on attachments for each row execute function touch_row();

-- Files whose row was deleted; the content goes a day later, so that a backup taken meanwhile is complete.
create table removed_files (
  file_key text primary key,
  removed_at timestamptz(3) not null default now()
);
create index removed_files_removed_at_idx on removed_files (removed_at);
