-- What holds of people however they are written: first day and sign-in, the last administrator, superiors, names.

-- Who may sign in, as far as employment decides it.
create function may_sign_in(activity_status text, early_access boolean, deleted_at timestamptz)
returns boolean language sql immutable as $$
  select deleted_at is null and (activity_status = 'active' or activity_status = 'joining' and early_access)
$$;

-- Active and joining differ by the joining date and the day it is in the company. A write decides it here; afterwards
-- the daily job alone turns joining people into active ones.
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

-- Triggers below name no columns where the state matters: a trigger for columns does not see what another trigger, such as
-- settle_joining, makes of them.

-- At least one person who may sign in holds Admin, whatever two administrators do at the same moment.
create function has_active_admin() returns boolean language sql stable as $$
  select exists (
    select 1 from role_assignments a
    join roles r on r.id = a.role_id and r.is_system and r.name = 'Admin'
    join users u on u.id = a.user_id and u.is_enabled
    left join employees e on e.user_id = u.id
    where e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))
$$;
create function keep_active_admin() returns trigger language plpgsql as $$
begin
  perform 1 from installation for update;
  if not has_active_admin() then
    raise exception 'the last active administrator' using errcode = 'check_violation', constraint = 'last_active_admin';
  end if;
  return null;
end $$;
create trigger keep_admin after delete on role_assignments
  for each row when (is_admin_role(old.role_id)) execute function keep_active_admin();
create trigger keep_admin after update on employees
  for each row when ((new.activity_status, new.early_access, new.deleted_at)
                       is distinct from (old.activity_status, old.early_access, old.deleted_at)
                     and holds_admin(new.user_id)) execute function keep_active_admin();

-- The end of an employment ends sessions and open links.
create trigger announce_end after update on employees
  for each row when ((new.activity_status, new.early_access, new.deleted_at)
                       is distinct from (old.activity_status, old.early_access, old.deleted_at))
  execute function announce_sessions('user_id');
create trigger void_links after update of activity_status, deleted_at, employment_lifecycle on employees
  for each row when (old.activity_status <> 'inactive' and new.activity_status = 'inactive'
                     or old.deleted_at is null and new.deleted_at is not null
                     or old.employment_lifecycle not in ('resigned', 'terminated')
                        and new.employment_lifecycle in ('resigned', 'terminated'))
  execute function void_account_links('user_id');

-- The superiors of a person: their line of managers, and the heads of the departments above those the person leads or
-- heads (of one that is led, its own head too), with their lines. A person whom they manage as head of a department is
-- no superior. What a person manages never includes a superior.
create function superiors_of(person bigint) returns setof bigint language sql stable as $$
  with recursive mine as (
    select d.id from departments d where d.manager_id = person
    union
    select d.id from departments d join mine on d.parent_id = mine.id
  ), above as (
    select d.id, d.parent_id, d.manager_id from departments d where person in (d.manager_id, d.team_lead_id)
    union
    select d.id, d.parent_id, d.manager_id from departments d join above a on d.id = a.parent_id
  ), line as (
    select first.id from (
      select e.reporting_manager_id as id from employees e where e.id = person
      union
      select a.manager_id from above a where a.id not in (select id from mine)
    ) as first
    where first.id <> person
    union
    select e.reporting_manager_id from employees e join line on e.id = line.id where e.reporting_manager_id <> person
  )
  select id from line
$$;

-- People whose superiors change with the line of one of these: those below them, and those who lead or head a department
-- under one of them.
create function people_under(persons bigint[]) returns setof bigint language sql stable as $$
  with recursive below as (
    select unnest(persons) as id
    union
    select e.id from employees e join below on e.reporting_manager_id = below.id
  ), led as (
    select d.id, d.manager_id, d.team_lead_id from departments d where d.manager_id = any(array(select id from below))
    union
    select d.id, d.manager_id, d.team_lead_id from departments d join led on d.parent_id = led.id
  )
  select id from below
  union select manager_id from led
  union select team_lead_id from led
$$;

-- A new manager counts at the next request of all people below who manage others: their cached rights name the superiors.
-- Accounts without a role of that scope keep theirs. One change at a time, so that two that build one line together are
-- both seen; changes of reporting lines hold this lock anyway.
create function note_new_lines() returns trigger language plpgsql as $$
declare
  moved bigint[] := array(
    select n.id from new_rows n join old_rows o on o.id = n.id
    where n.reporting_manager_id is distinct from o.reporting_manager_id);
begin
  if cardinality(moved) = 0 then
    return null;
  end if;
  perform pg_advisory_xact_lock(7365042);
  update users u set access_version = access_version + 1
  where u.id in (
    select e.user_id from employees e
    where e.id in (select people_under(moved))
      and exists (select from role_assignments a join roles r on r.id = a.role_id
                  where a.user_id = e.user_id and r.scope = 'managed'));
  return null;
end $$;
create trigger note_lines_on_update after update on employees
  referencing old table as old_rows new table as new_rows for each statement execute function note_new_lines();

-- Names as a hurried reader takes them, the same as shapeOf in features/roles/lookalike.ts: no case, accents, spaces or
-- punctuation, and letters by their shape.
create function name_shape(value text) returns text
  language sql immutable strict parallel safe
  return replace(replace(regexp_replace(
    translate(lower(translate(regexp_replace(normalize(value, nfkd),
      '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]', '', 'g'),
      'АВЕКМНОРСТХУІЈЅԌԚԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧᎪᎬᎻᏞᎷᎡᏒᎠ',
      'abekmhopctxyijsgqwabezhikmnoptyxaehlmrrd')),
      'аеорсухіјѕкмтнгпԁԛԝαεικνορτυχμոօհɑɡıʜʀᴀᴅᴍɪɴᴇɢʟᴘʏᴏᴛ01!|3458@$7l',
      'aeopcyxijskmthrndqwaeikvoptuxmnohagihradminegipyotoiiieasbasti'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u3000-\u3004\u3008-\u3020\u3030\u303d\u30fb\u3164\ufe00-\ufe0f\ufeff\uffa0]', '', 'g'),
    'rn', 'm'), 'vv', 'w');

create index employees_full_name_shape_idx on employees (name_shape(first_name || ' ' || last_name))
  where activity_status = 'active' and deleted_at is null;
create index employees_display_name_shape_idx on employees (name_shape(display_name))
  where activity_status = 'active' and deleted_at is null and display_name is not null;

-- True of a name to show that is not the person's own first and last name, and that another person shows or has. No SQL
-- function, because one would be planned as a part of every query that calls it.
create function is_name_taken(person bigint, shown text, first_name text, last_name text) returns boolean
  language plpgsql stable parallel safe as $$
declare
  shape text := name_shape(shown);
begin
  return shape not in ('', name_shape(first_name || ' ' || last_name)) and (
    exists (select from employees e
            where name_shape(e.first_name || ' ' || e.last_name) = shape
              and e.activity_status = 'active' and e.deleted_at is null and e.id is distinct from person)
    or exists (select from employees e
               where name_shape(e.display_name) = shape
                 and e.activity_status = 'active' and e.deleted_at is null and e.display_name is not null
                 and e.id is distinct from person));
end $$;

-- Of two people who get one display name at the same moment the second request sees what the first wrote: writers of one
-- name take turns. Names share a thousand locks, so that a large file cannot exhaust the server's table of locks.
create function name_turn(shown text, first_name text, last_name text) returns int
  language sql immutable parallel safe
  return case when name_shape(shown) not in ('', name_shape(first_name || ' ' || last_name))
              then hashtext(name_shape(shown)) & 1023 end;

-- In one order, so that two who hold several never deadlock.
create function hold_names(turns int[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7365044, t.turn)
  from (select distinct turn from unnest(turns) as turn where turn is not null order by turn) as t;
end $$;

-- Whatever the route, no person begins to show the name of another active person.
create function refuse_taken_name() returns trigger language plpgsql as $$
begin
  perform hold_names(array[name_turn(new.display_name, new.first_name, new.last_name)]);
  if is_name_taken(new.id, new.display_name, new.first_name, new.last_name) then
    raise unique_violation using
      message = 'the display name is that of another person', table = 'employees', constraint = 'employees_display_name_key';
  end if;
  return null;
end $$;
create trigger refuse_taken_name_on_insert after insert on employees
  for each row when (new.display_name is not null and new.activity_status = 'active' and new.deleted_at is null)
  execute function refuse_taken_name();
create trigger refuse_taken_name_on_update after update on employees
  for each row when (
    new.display_name is not null and new.activity_status = 'active' and new.deleted_at is null
    and (new.display_name, new.first_name, new.last_name, new.activity_status, new.deleted_at)
      is distinct from (old.display_name, old.first_name, old.last_name, old.activity_status, old.deleted_at))
  execute function refuse_taken_name();

-- When a user last opened the private details of a person: the audit log gets one entry for a while of reading them.
create table private_looks (
  user_id bigint not null references users on delete cascade,
  employee_id bigint not null references employees on delete cascade,
  looked_at timestamptz(3) not null default now(),
  primary key (user_id, employee_id)
);
create index private_looks_employee_idx on private_looks (employee_id);
create index private_looks_looked_idx on private_looks (looked_at);
