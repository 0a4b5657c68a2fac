-- The superiors of a person, as before, step by step through indexes. The planner expects a hundred people in a line, where
-- there are a few: in companies of some 5,000 to 50,000 people it read all of them for each step of each line, which took
-- the publication of a cycle to 20,000 people longer than a request may take. `offset 0` keeps it from that.

create or replace function superiors_of(person bigint) returns setof bigint language sql stable as $$
  with recursive mine as (
    select d.id from departments d where d.manager_id = person
    union
    select d.id from mine cross join lateral (select id from departments where parent_id = mine.id offset 0) as d
  ), above as (
    select d.id, d.parent_id, d.manager_id from departments d where person in (d.manager_id, d.team_lead_id)
    union
    select d.id, d.parent_id, d.manager_id from above a
    cross join lateral (select id, parent_id, manager_id from departments where id = a.parent_id offset 0) as d
  ), line as (
    select first.id from (
      select e.reporting_manager_id as id from employees e where e.id = person
      union
      select a.manager_id from above a where a.id not in (select id from mine)
    ) as first
    where first.id <> person
    union
    select e.reporting_manager_id from line
    cross join lateral (select reporting_manager_id from employees where id = line.id offset 0) as e
    where e.reporting_manager_id <> person
  )
  select id from line
$$;
