-- Sign-ins that wait for a second step end when their provider is disabled, or signs their person out, also when it is
-- enabled again before they would have ended. They are in a cookie only, so what ended them is kept.

-- when the provider was disabled last
alter table identity_providers add column signed_out_at timestamptz(3);
-- when the provider last signed its subject out everywhere
alter table user_identities add column signed_out_at timestamptz(3);

-- whichever release disables it
create function note_provider_disabled() returns trigger language plpgsql as $$
begin
  -- the time of now, not of the transaction: a sign-in may have begun while this one waited
  new.signed_out_at := clock_timestamp();
  return new;
end $$;
create trigger note_disabled before update of is_enabled on identity_providers
  for each row when (old.is_enabled and not new.is_enabled) execute function note_provider_disabled();
