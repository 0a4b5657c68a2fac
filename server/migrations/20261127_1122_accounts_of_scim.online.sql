-- The link of an account to a connection of SCIM, which the roles of the connection end with.

create unique index concurrently if not exists scim_users_account_key on scim_users (user_id, connection_id);
create index concurrently if not exists role_assignments_connection_idx on role_assignments (scim_connection_id, user_id)
  where scim_connection_id is not null;
