-- A cancelled evaluation does not stand in the way of another one of the same person in the same cycle.

create unique index kpi_evaluations_open_person_key on kpi_evaluations (cycle_id, employee_id)
  where status <> 'cancelled';
alter table kpi_evaluations drop constraint kpi_evaluations_person_key;
alter index kpi_evaluations_open_person_key rename to kpi_evaluations_person_key;
