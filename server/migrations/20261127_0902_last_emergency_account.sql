-- While a company demands a provider, someone gets in without one: an emergency account that could sign in stays,
-- whatever takes Admin or the employment from it.

-- True while no company demands a provider, or an emergency account could get in now.
create function has_emergency_account() returns boolean language sql stable as $$
  select not exists (select from sign_in_policies where sso_required) or exists (
    select from users u
    join role_assignments a on a.user_id = u.id
    join roles r on r.id = a.role_id and r.is_system and r.name = 'Admin'
    left join employees e on e.user_id = u.id
    where u.break_glass and u.is_enabled and u.password_hash is not null
      and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))
      and exists (select from authenticators f where f.user_id = u.id and f.confirmed_at is not null))
$$;

create or replace function keep_active_admin() returns trigger language plpgsql as $$
begin
  perform 1 from installation for update;
  if not has_active_admin() then
    raise exception 'the last active administrator' using errcode = 'check_violation', constraint = 'last_active_admin';
  end if;
  if not has_emergency_account() then
    raise exception 'the last emergency account' using errcode = 'check_violation', constraint = 'last_emergency_account';
  end if;
  return null;
end $$;
