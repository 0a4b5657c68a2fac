-- What a former reviewer wrote and did not submit, for the next one to read, take over or discard:
-- {reviewer, at, manager_comment, strengths, improvements, items: [{id, manager_…}]}.

alter table kpi_evaluations add column former_draft jsonb;
