-- What somebody signed as reviewer, and so does not decide on.
create index probation_signatures_signer_idx on probation_signatures (signer_id) include (review_id)
  where role = 'manager' and valid;
-- The administrators among many accounts.
create index users_admin_idx on users (id) where is_admin;
