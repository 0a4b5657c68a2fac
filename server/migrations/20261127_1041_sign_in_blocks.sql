-- Blocks of sign-in: who switched an account off, each in a row of its own, so that lifting one leaves the others. The end
-- of an employment and its suspension by HR are states of the person and none of these.

create table sign_in_blocks (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- scim: a connection; other: the account was off before the first block
  source text not null check (source in ('scim', 'other')),
  connection_id bigint,
  -- how the source is called, also when it is gone
  source_name text check (length(source_name) <= 60),
  since timestamptz(3) not null default now(),
  constraint sign_in_blocks_source_key unique nulls not distinct (user_id, source, connection_id)
);

create function begin_sign_in_block() returns trigger language plpgsql as $$
declare
  account record;
begin
  select is_enabled, break_glass into account from users where id = new.user_id for no key update;
  if account.break_glass then
    raise exception 'an emergency account is not blocked'
      using errcode = 'check_violation', table = 'sign_in_blocks', constraint = 'sign_in_blocks_emergency_account';
  end if;
  if not account.is_enabled and new.source <> 'other'
    and not exists (select from sign_in_blocks where user_id = new.user_id) then
    insert into sign_in_blocks (user_id, source) values (new.user_id, 'other');
  end if;
  return new;
end $$;
create trigger begin_sign_in_block before insert on sign_in_blocks
  for each row execute function begin_sign_in_block();

-- What ended is never revived: a session of before the block is of an older epoch after it.
create function apply_sign_in_block() returns trigger language plpgsql as $$
begin
  update users set is_enabled = false, session_epoch = session_epoch + 1 where id = new.user_id and is_enabled;
  update session_register set revoked_at = now(), reason = 'sign-in switched off'
  where user_id = new.user_id and revoked_at is null;
  return null;
end $$;
create trigger apply_sign_in_block after insert on sign_in_blocks
  for each row execute function apply_sign_in_block();

create function lift_sign_in_block() returns trigger language plpgsql as $$
begin
  update users set is_enabled = true
  where id = old.user_id and not is_enabled and not exists (select from sign_in_blocks where user_id = old.user_id);
  return null;
end $$;
create trigger lift_sign_in_block after delete on sign_in_blocks
  for each row execute function lift_sign_in_block();

-- The last active administrator stays, whatever switches the account off.
create trigger keep_admin after update of is_enabled on users
  for each row when (old.is_enabled and not new.is_enabled and holds_admin(new.id))
  execute function keep_active_admin();
