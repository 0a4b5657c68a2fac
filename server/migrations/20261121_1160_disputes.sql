-- Disputes that wait in a company, the most urgent first; who reviewed does not settle them.
create index kpi_evaluations_disputed_idx on kpi_evaluations (entity_id, due_on, status_changed_at, id)
  include (employee_id, reviewer_id, manager_submitted_by) where status = 'disputed';
