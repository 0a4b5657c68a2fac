-- The least days after absences count from the first day back, also when an absence becomes longer after they were given:
-- what an absence gave before is no window of which the whole must be covered. They never become fewer.
create or replace function kpi_open_after_absences(v kpi_evaluations) returns date language sql stable as $$
  select greatest(v.stage_open_until, kpi_back_after(
    v.employee_id,
    greatest(c.self_assessment_opens_on, (coalesce(v.status_changed_at, now()) at time zone n.timezone)::date),
    c.self_assessment_closes_on) + c.min_days)
  from kpi_cycles c, entities n where c.id = v.cycle_id and n.id = v.entity_id
$$;
