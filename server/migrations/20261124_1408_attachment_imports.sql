-- Imports of files of people from a ZIP archive. Each file is staged as a row of the import, with its content in the
-- store under import_files.file_key until the commit makes an attachment of it.
alter table imports drop constraint imports_type_check;
alter table imports add constraint imports_type_check
  check (type in ('employees', 'job_history', 'kpi_templates', 'former_results', 'attachments'));
alter table imports drop constraint imports_format_check;
alter table imports add constraint imports_format_check check (format in ('csv', 'xlsx', 'zip'));

create table import_files (
  import_id bigint not null,
  "row" integer not null,
  -- null for a file that is refused: nothing of it is kept
  file_key text constraint import_files_file_key_key unique,
  file_name text not null,
  mime_type text,
  size bigint not null,
  checksum text,
  -- why the file itself is refused: a message with its parameters
  refusal jsonb,
  primary key (import_id, "row"),
  foreign key (import_id, "row") references import_rows on delete cascade,
  constraint import_files_kept_or_refused check (
    (file_key is null) = (refusal is not null) and (file_key is null) = (checksum is null)
    and (file_key is null) = (mime_type is null))
);

-- In whatever way a staged file goes, its content follows a day later, unless it became an attachment.
create function free_staged_files() returns trigger language plpgsql as $$
begin
  insert into removed_files (file_key)
    select g.file_key from gone g
    where g.file_key is not null and not exists (select from attachments a where a.file_key = g.file_key);
  return null;
end $$;
create trigger free_files after delete on import_files
  referencing old table as gone for each statement execute function free_staged_files();

-- An import that has ended needs no staged files: those of rows that were not written go.
create function end_staged_files() returns trigger language plpgsql as $$
begin
  delete from import_files where import_id = new.id;
  return null;
end $$;
create trigger end_files after update of status on imports
  for each row when (new.type = 'attachments' and new.status in ('completed', 'failed', 'expired'))
  execute function end_staged_files();
