-- Who must sign in through a provider, and who must have a second factor. One row applies to companies without a row of
-- their own, and to accounts without a person. Nothing is demanded until someone writes it here.

create table sign_in_policies (
  id bigint generated always as identity primary key,
  -- null: the default row
  entity_id bigint references entities on delete cascade,
  -- no reference: the providers are a table of a later release
  sso_provider_ids bigint[] not null default '{}',
  sso_required boolean not null default false,
  -- from this day (UTC) on; null: not demanded
  second_factor_from date,
  session_max_hours double precision check (session_max_hours > 0),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint sign_in_policies_entity_id_key unique nulls not distinct (entity_id),
  -- otherwise nobody could sign in
  constraint sign_in_policies_providers_check check (not sso_required or cardinality(sso_provider_ids) > 0),
  -- compared with a null, no provider is another one
  constraint sign_in_policies_null_check check (array_position(sso_provider_ids, null) is null)
);
insert into sign_in_policies (entity_id) values (null);

alter table roles add column second_factor_from date;
