-- Rules that give roles to the people of a provider by their groups there. Without a rule no role is given.

alter table identity_providers
  -- the claim with the groups of a person; null: groups are not read
  add column groups_claim text;

alter table user_identities
  -- the groups of the last sign-in that named them; null: not known, which is not the same as none
  add column groups text[],
  -- since when sign-ins came without groups
  add column groups_missing_at timestamptz(3);

create table role_rules (
  id bigint generated always as identity primary key,
  -- may be null once there are other sources of groups
  provider_id bigint references identity_providers on delete cascade
    constraint role_rules_source_check check (provider_id is not null),
  -- a group, as the claim spells it
  value text not null check (length(value) between 1 and 255),
  role_id bigint not null references roles on delete cascade,
  -- limits as in role_assignments
  entity_ids bigint[],
  department_ids bigint[] check (cardinality(department_ids) > 0),
  created_at timestamptz(3) not null default now(),
  constraint role_rules_limits_check check (
    case when department_ids is null then entity_ids is null or cardinality(entity_ids) > 0
         else entity_ids is not null end),
  constraint role_rules_value_key unique (provider_id, value, role_id)
);
create index role_rules_role_id_idx on role_rules (role_id);
