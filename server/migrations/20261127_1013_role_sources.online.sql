-- The roles of a provider are found by it, and each has a link.

create index concurrently if not exists role_assignments_provider_idx on role_assignments (provider_id, user_id)
  where provider_id is not null;
alter table role_assignments validate constraint role_assignments_source_check;
alter table role_assignments validate constraint role_assignments_link_fkey;
