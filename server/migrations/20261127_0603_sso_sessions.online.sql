-- Sessions that came from a provider, by their id there: a provider says which one ended.

create index concurrently if not exists session_register_provider_idx on session_register (provider_id, sso_sid)
  where provider_id is not null and revoked_at is null;
create index concurrently if not exists identity_providers_tested_by_idx on identity_providers (tested_by)
  where tested_by is not null;
