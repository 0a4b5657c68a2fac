-- Two changes of one account see each other: each locks the account in a statement before the one that reads what else
-- there is. A statement that waits for a row itself goes on with what it has read before.

create or replace function settle_roles(accounts bigint[]) returns void language plpgsql as $$
begin
  perform from users where id = any(accounts) order by id for no key update;
  update users u set access_version = access_version + 1, roles = held.roles, is_admin = held.is_admin
  from (
    select account.id, coalesce(sums.roles, '[]') as roles, coalesce(sums.is_admin, false) as is_admin
    from unnest(accounts) as account (id)
    left join lateral (
      select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'entity_ids', a.entity_ids)
                       || case when a.department_ids is null then '{}'
                               else jsonb_build_object('department_ids', a.department_ids) end order by r.name) as roles,
             bool_or(r.is_system and r.name = 'Admin') as is_admin
      from role_assignments a join roles r on r.id = a.role_id where a.user_id = account.id) as sums on true) as held
  where u.id = held.id and (u.roles, u.is_admin) is distinct from (held.roles, held.is_admin);
end $$;

create or replace function lift_sign_in_block() returns trigger language plpgsql as $$
begin
  perform from users where id = old.user_id for no key update;
  update users set is_enabled = true
  where id = old.user_id and not is_enabled and not exists (select from sign_in_blocks where user_id = old.user_id);
  return null;
end $$;
