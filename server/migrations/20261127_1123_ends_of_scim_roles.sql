-- Roles of a connection of SCIM end with the link of the account to it, whatever ends the link.

alter table role_assignments
  add constraint role_assignments_rule_check check (provider_id is null or scim_connection_id is null) not valid,
  add constraint role_assignments_scim_fkey foreign key (user_id, scim_connection_id)
    references scim_users (user_id, connection_id) on delete cascade not valid;
