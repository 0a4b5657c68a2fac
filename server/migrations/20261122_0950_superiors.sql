-- Who stands above somebody: the own line of managers, and the heads of the departments above those the person leads
-- or heads (of one that is led, its own head too), with their lines. Whoever the person manages as head of a
-- department is not above. What somebody manages never holds any of them.
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

-- People whose superiors change with the line of one of these: those below, and who leads or heads a department under
-- one of them.
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

-- Another manager of somebody counts at the next request of everybody below who manages people: their kept rights name
-- the superiors. Accounts without a role of that reach keep theirs. One change at a time, so that two that build one
-- line together are both seen; the lock is the one that changes of reporting lines hold anyway.
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
