-- Partitions belong to the owner of the log; the service asks for them by this function and may create nothing else.
alter function ensure_audit_partitions(integer) security definer;
alter function ensure_audit_partitions(integer) set search_path from current;

-- The sweeper of the file store asks which files people's records still name.
create index employees_picture_key_idx on employees (picture_key) where picture_key is not null;
create index removed_files_removed_at_idx on removed_files (removed_at);
