-- Whose review an entry is about: their own record tells them no more through the log than it does itself, also once what
-- the entry names is deleted. Not hashed: it says who may read an entry, not what happened.
alter table audit_log add column about_employee_id bigint;
create index audit_log_about_idx on audit_log (about_employee_id) where about_employee_id is not null;
