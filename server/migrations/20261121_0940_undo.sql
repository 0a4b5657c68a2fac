-- Taking an import back removes people and accounts for good: what might refer to them must be found without a scan.
create index job_history_reporting_manager_id_idx on job_history (reporting_manager_id)
  where reporting_manager_id is not null;
create index job_history_created_by_idx on job_history (created_by) where created_by is not null;
create index attachments_uploaded_by_idx on attachments (uploaded_by) where uploaded_by is not null;
create index session_register_account_idx on session_register (user_id);
