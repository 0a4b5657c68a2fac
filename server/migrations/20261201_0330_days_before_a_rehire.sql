-- The first employment of a rehired person begins with the first job of the history, so evaluations also follow a job that
-- is added before it, and its corrected first day. Until now, only the row of the rehire itself was followed.

create or replace trigger settle_kpi_days_on_insert after insert on job_history
  for each row when (new.rehired_after is not null or new.status = 'past') execute function settle_days_of_job();
create or replace trigger settle_kpi_days_on_update after update on job_history
  for each row when (new.rehired_after is not null or new.effective_from <> old.effective_from)
  execute function settle_days_of_job();
