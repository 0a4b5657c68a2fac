-- The service accounts of an owner, for tasks about their tokens.

create index concurrently if not exists service_accounts_owner_ids_idx on service_accounts using gin (owner_ids);
