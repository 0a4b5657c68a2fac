-- What an account held before the person came back: by rehire, or as a restored record. It permits nothing; whoever may
-- give these roles is shown them until they decide.
create table former_roles (
  user_id bigint not null references users on delete cascade,
  role_id bigint not null references roles on delete cascade,
  entity_ids bigint[] check (entity_ids is null or cardinality(entity_ids) > 0),
  taken_at timestamptz(3) not null default now(),
  primary key (user_id, role_id)
);
create index former_roles_role_id_idx on former_roles (role_id);
