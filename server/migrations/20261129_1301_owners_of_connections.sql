-- Connections of SCIM have owners, who are notified of their tokens. One of before has none: those who manage it are
-- notified, as until now.

alter table scim_connections
  -- accounts of people
  add column owner_ids bigint[] not null default '{}',
  add constraint scim_connections_owner_ids_check check (cardinality(owner_ids) <= 2) not valid;
