-- Reviewers come from above: the reporting manager, then the heads from the person's department upwards.

-- The heads of a department and of those above it, nearest first. Departments without a head are left out.
create function heads_from(department bigint) returns bigint[] language sql stable as $$
  with recursive up as (
    select d.id, d.parent_id, d.manager_id, 1 as step from departments d where d.id = department
    union all
    select d.id, d.parent_id, d.manager_id, u.step + 1 from departments d join up u on d.id = u.parent_id
    where u.step < 100
  )
  select coalesce(array_agg(manager_id order by step) filter (where manager_id is not null), '{}') from up
$$;
