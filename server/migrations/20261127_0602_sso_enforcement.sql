-- Tests of providers, and what rules that demand a provider need: whose accounts they decide about, and emergency
-- accounts that stay administrators.

alter table identity_providers
  -- when an administrator last went there and came back, and what was learned
  add column tested_at timestamptz(3),
  add column tested_by bigint references users on delete set null,
  add column test_result jsonb,
  -- signing out here goes on to sign out there
  add column end_session boolean not null default false;

-- The providers that an account must sign in through; null where its password will do.
create function demanded_providers(account bigint) returns bigint[] language sql stable as $$
  select case when p.sso_required and not u.break_glass then p.sso_provider_ids end
  from users u
  left join employees e on e.user_id = u.id
  left join lateral (
    -- a row of the company wins as a whole
    select s.sso_required, s.sso_provider_ids from sign_in_policies s
    where s.entity_id = e.entity_id or s.entity_id is null
    order by s.entity_id nulls last limit 1) as p on true
  where u.id = account
$$;

-- An account that is no administrator any more must not get past the rules.
create function end_break_glass() returns trigger language plpgsql as $$
begin
  new.break_glass := false;
  return new;
end $$;
create trigger end_break_glass before update of is_admin on users
  for each row when (old.is_admin and not new.is_admin and new.break_glass) execute function end_break_glass();
