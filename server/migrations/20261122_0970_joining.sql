-- People who have not begun: they are joining until their first day.

alter table employees
  drop constraint employees_activity_status_check,
  add constraint employees_activity_status_check check (activity_status in ('active', 'joining', 'inactive')),
  -- signs in before the first day
  add column early_access boolean not null default false,
  add constraint employees_early_access_check check (not (early_access and activity_status = 'active'));

-- Who may sign in, as far as employment decides it.
create function may_sign_in(activity_status text, early_access boolean, deleted_at timestamptz)
returns boolean language sql immutable as $$
  select deleted_at is null and (activity_status = 'active' or activity_status = 'joining' and early_access)
$$;

create or replace function has_active_admin() returns boolean language sql stable as $$
  select exists (
    select 1 from role_assignments a
    join roles r on r.id = a.role_id and r.is_system and r.name = 'Admin'
    join users u on u.id = a.user_id and u.is_enabled
    left join employees e on e.user_id = u.id
    where e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))
$$;

create or replace view reachable_users as
select u.id as user_id, u.email, u.locale, e.id as employee_id, coalesce(e.name, u.email) as name
from users u
left join employees e on e.user_id = u.id
left join entities c on c.id = e.entity_id
where u.is_enabled
  and (e.id is null
       or (may_sign_in(e.activity_status, e.early_access, e.deleted_at)
           and not (e.employment_lifecycle in ('resigned', 'terminated')
                    and coalesce(e.last_working_date < (now() at time zone c.timezone)::date, false))));

-- Those who are there already; an administrator stays able to sign in.
update employees e set activity_status = 'joining', early_access = holds_admin(e.user_id)
from entities c
where c.id = e.entity_id and e.activity_status = 'active' and e.joining_date > (now() at time zone c.timezone)::date;

-- Whatever writes a person: active and joining are told apart by the joining date and the day it is in the company.
-- Afterwards the daily job alone turns the one into the other.
create function settle_joining() returns trigger language plpgsql as $$
begin
  new.activity_status := case
    when new.joining_date > (select (now() at time zone c.timezone)::date from entities c where c.id = new.entity_id)
      then 'joining' else 'active' end;
  new.early_access := new.early_access and new.activity_status = 'joining';
  return new;
end $$;
create trigger settle_joining before insert on employees
  for each row when (new.activity_status = 'joining'
                     or new.activity_status = 'active' and new.joining_date >= (now() at time zone 'UTC')::date)
  execute function settle_joining();
create trigger settle_joining_again before update on employees
  for each row when (new.activity_status <> 'inactive'
                     and (new.joining_date is distinct from old.joining_date or new.entity_id <> old.entity_id
                          or new.activity_status = 'joining' and old.activity_status <> 'joining'
                          or old.activity_status = 'inactive'))
  execute function settle_joining();

-- A trigger for columns does not see what another trigger makes of them.
drop trigger keep_admin on employees;
create trigger keep_admin after update on employees
  for each row when ((new.activity_status, new.early_access, new.deleted_at)
                       is distinct from (old.activity_status, old.early_access, old.deleted_at)
                     and holds_admin(new.user_id)) execute function keep_active_admin();
drop trigger announce_end on employees;
create trigger announce_end after update on employees
  for each row when ((new.activity_status, new.early_access, new.deleted_at)
                       is distinct from (old.activity_status, old.early_access, old.deleted_at))
  execute function announce_sessions('user_id');
drop trigger mark_missing_reviewer on employees;
create trigger mark_missing_reviewer after update on employees
  for each row when ((old.activity_status = 'active' and old.deleted_at is null)
                     <> (new.activity_status = 'active' and new.deleted_at is null))
  execute function mark_missing_reviewer();
drop trigger mark_missing_probation_reviewer on employees;
create trigger mark_missing_probation_reviewer after update on employees
  for each row when ((old.activity_status = 'active' and old.deleted_at is null)
                     <> (new.activity_status = 'active' and new.deleted_at is null))
  execute function mark_missing_probation_reviewer();

-- Whose first or last day comes: what the daily jobs look through.
create index employees_joining_idx on employees (joining_date) where activity_status = 'joining';
drop index employees_last_working_date_idx;
create index employees_last_working_date_idx on employees (last_working_date)
  where activity_status <> 'inactive' and last_working_date is not null;
