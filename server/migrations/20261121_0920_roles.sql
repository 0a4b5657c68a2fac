-- The five seeded roles; their permissions are data that an administrator may change (but for Admin).
insert into roles (name, description, scope, is_system) values
  ('Admin', 'Holds every permission', 'all', true),
  ('HR', 'Runs people, KPI and probation work', 'all', true),
  ('Manager', 'Manages a department', 'managed', true),
  ('TeamLead', 'Leads a team', 'managed', true),
  ('Employee', 'Works here', 'own', true);

-- Permissions that were granted to the seeded roles once; a later release adds its new ones without touching the rest.
create table known_permissions (name text primary key);
