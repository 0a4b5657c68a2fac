-- A session in which an administrator views the application as a role; see access/role-view.ts. Null while the
-- administrator acts with their own rights. Companies as in role_assignments.
alter table session_register
  add column viewed_role_id bigint references roles on delete set null,
  add column viewed_entity_ids bigint[] check (cardinality(viewed_entity_ids) > 0),
  add column viewing_until timestamptz(3),
  add check (viewed_role_id is null or viewing_until is not null);
create index session_register_viewed_role_id_idx on session_register (viewed_role_id) where viewed_role_id is not null;

-- An account that loses Admin views nothing any more, not even after it has Admin again.
create function end_role_views() returns trigger language plpgsql as $$
begin
  update session_register set viewed_role_id = null where user_id = new.id and viewed_role_id is not null;
  return null;
end $$;
create trigger end_role_views after update of is_admin on users
  for each row when (old.is_admin and not new.is_admin) execute function end_role_views();
