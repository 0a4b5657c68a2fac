-- A sign-in through a provider and a logout of the provider at the same time come one after the other: the logout is before,
-- and is seen, or after, and ends the session.

-- Whether a person is still signed in at a provider since a moment: neither the provider, nor the link of the account, nor
-- the session there (by the hash under which used_once keeps it for so long) ended. Each statement sees what was committed
-- before it, which a condition of the update that calls this would not.
create function still_signed_in(provider bigint, account bigint, sid_hash text, since timestamptz, kept interval)
returns boolean language plpgsql volatile as $$
begin
  if sid_hash is not null then
    perform pg_advisory_xact_lock(hashtextextended(sid_hash, 0));
  end if;
  perform from identity_providers p where p.id = provider for key share;
  perform from user_identities n where n.provider_id = provider and n.user_id = account for share;
  return exists (
      select from identity_providers p join user_identities n on n.provider_id = p.id
      where p.id = provider and p.is_enabled and n.user_id = account
        and (p.signed_out_at >= since) is not true and (n.signed_out_at >= since) is not true)
    and not exists (
      select from used_once o
      where o.purpose = 'sso_ended_sid' and o.hash = sid_hash and o.expires_at - kept >= since);
end $$;
