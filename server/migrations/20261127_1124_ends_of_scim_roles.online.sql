-- Each role of a connection of SCIM has a link.

alter table role_assignments validate constraint role_assignments_rule_check;
alter table role_assignments validate constraint role_assignments_scim_fkey;
