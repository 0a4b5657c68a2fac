-- Who answers for whose account a user of a connection of SCIM is. An address, an employee number or a link that HR chose
-- says who gets the roles of the user's groups.

alter table scim_users
  -- what the account was found by: subject, address or number; person: who linked it by hand; null: by an earlier release,
  -- which did not note it
  add column linked_by text,
  -- who set the address, or made the link; null: no one but the person. As in users, no reference
  add column linked_by_id bigint,
  -- roles of groups that this person may not give
  add column withheld_roles bigint[] not null default '{}';
