-- Who came, left, came back and moved: what the dashboard and the reports count.

-- The last day of the employment before; only the row with which somebody was hired again has it.
alter table job_history add column rehired_after date;
update job_history h set rehired_after = coalesce((a.changes -> 'last_working_date' ->> 'from')::date, h.effective_from - 1)
from audit_log a
where a.action = 'employee.rehired' and a.subject_id = h.employee_id and a.at = h.created_at
  and 'employment_lifecycle' = any(h.changed_fields);
create index job_history_rehired_idx on job_history (effective_from) include (employee_id, rehired_after)
  where rehired_after is not null;
create index job_history_moved_idx on job_history (effective_from, employee_id)
  where status in ('current', 'past') and changed_fields && '{entity_id,department_id}'
    and not changed_fields @> '{employment_lifecycle}';

create index employees_left_idx on employees (last_working_date, id) include (entity_id, department_id)
  where employment_lifecycle in ('resigned', 'terminated') and deleted_at is null;
-- Kinds of employment beside the usual one.
create index employees_employment_type_idx on employees (employment_type, id) include (entity_id, department_id)
  where employment_type <> 'full_time' and activity_status = 'active' and deleted_at is null;

-- An account gets its role in the transaction that makes it: only whose last role was taken away has none.
create table accounts_without_role (
  user_id bigint primary key references users on delete cascade
);
insert into accounts_without_role
select u.id from users u where not exists (select from role_assignments a where a.user_id = u.id);

create function note_lost_role() returns trigger language plpgsql as $$
begin
  insert into accounts_without_role
  select distinct o.user_id from old_rows o join users u on u.id = o.user_id
  where not exists (select from role_assignments a where a.user_id = o.user_id)
  on conflict do nothing;
  return null;
end $$;
create function note_new_role() returns trigger language plpgsql as $$
begin
  delete from accounts_without_role w where w.user_id in (select user_id from new_rows);
  return null;
end $$;
create trigger note_lost_role after delete on role_assignments
  referencing old table as old_rows for each statement execute function note_lost_role();
create trigger note_new_role after insert on role_assignments
  referencing new table as new_rows for each statement execute function note_new_role();
