-- Rules that give roles to the people of a connection of SCIM by its groups, beside those of providers. An assignment of
-- such a rule keeps the source of one given by hand, which the release before leaves alone.

create table scim_role_rules (
  id bigint generated always as identity primary key,
  connection_id bigint not null references scim_connections on delete cascade,
  -- the displayName of groups
  value text not null check (length(value) between 1 and 255),
  role_id bigint not null references roles on delete cascade,
  -- limits as in role_assignments
  entity_ids bigint[],
  department_ids bigint[] check (cardinality(department_ids) > 0),
  created_at timestamptz(3) not null default now(),
  constraint scim_role_rules_limits_check check (
    case when department_ids is null then entity_ids is null or cardinality(entity_ids) > 0
         else entity_ids is not null end),
  constraint scim_role_rules_value_key unique (connection_id, value, role_id)
);
create index scim_role_rules_role_id_idx on scim_role_rules (role_id);

alter table role_assignments
  -- the connection whose rule gives it
  add column scim_connection_id bigint;

-- A form that shows the roles of a person must not be saved once a rule changed them.
create or replace function touch_holders() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update employees set updated_at = now()
    where user_id in (select user_id from old_rows where coalesce(provider_id, scim_connection_id) is not null);
  else
    update employees set updated_at = now()
    where user_id in (select user_id from new_rows where coalesce(provider_id, scim_connection_id) is not null);
  end if;
  return null;
end $$;
