-- An evaluation may cover a part of its cycle: a person who moved has one until the day before and one from that day on.
-- The days of both are stored, because they weigh the results.
alter table kpi_evaluations
  add column part integer,
  add column covers_from date,
  add column covers_until date,
  add constraint kpi_evaluations_part_check check (
    part is not distinct from case when covers_from is not null then 2 when covers_until is not null then 1 end
    and (covers_from is null or covers_until is null)),
  add constraint kpi_evaluations_part_days_check check (part is null or employed_days is not null);

-- Of a person in a cycle count one that begins with the cycle and one that ends with it; a whole one is both.
drop index kpi_evaluations_person_key;
create unique index kpi_evaluations_person_key on kpi_evaluations (cycle_id, employee_id)
  where status <> 'cancelled' and covers_from is null;
create unique index kpi_evaluations_person_end_key on kpi_evaluations (cycle_id, employee_id)
  where status <> 'cancelled' and covers_until is null;
create index kpi_evaluations_parts_idx on kpi_evaluations (cycle_id, person_sort, id) where part is not null;

-- The days of a person in a part of a cycle, at least one; null is the first or last day of the cycle.
create function kpi_employed_days(cycle bigint, person bigint, part_from date, part_until date)
returns integer language sql stable as $$
  select greatest(employed_days(person, coalesce(part_from, c.start_date), coalesce(part_until, c.end_date)), 1)
  from kpi_cycles c where c.id = cycle
$$;
