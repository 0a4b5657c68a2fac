-- Finds the few evaluations whose step is over and for which no more time can be requested.
create index kpi_evaluations_time_over_idx on kpi_evaluations (entity_id, due_on, id)
  where status in ('self_assessment', 'manager_review') and extension_status <> 'pending' and extension_requests >= 3;
