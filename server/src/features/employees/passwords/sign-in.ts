import type { EmployeeSignIn } from '@tenure/contract';
import { sql } from 'kysely';
import type { ReadCtx } from '../../../http/context.ts';
import { isActive, tokenTables } from '../../../access/token-tables.ts';

/** How the user signs in to an account. */
export async function readSignIn({ db }: Pick<ReadCtx, 'db'>, userId: number): Promise<EmployeeSignIn> {
  const { rows } = await sql<Omit<EmployeeSignIn, 'tokens_count'>>`
    select u.password_sign_in,
      coalesce((
        select json_agg(json_strip_nulls(json_build_object(
          'other_email', case when i.email <> lower(u.email) then i.email end))::jsonb || jsonb_build_object(
          'provider', json_build_object('id', p.id, 'name', p.name), 'linked_by', i.linked_by,
          'last_used_at', to_char(i.last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        ) order by fold(p.name), p.id)
        from user_identities i join identity_providers p on p.id = i.provider_id where i.user_id = u.id), '[]')
        as identities,
      coalesce((
        select json_agg(json_build_object('id', c.id, 'name', c.name) order by c.id)
        from scim_users s join scim_connections c on c.id = s.connection_id where s.user_id = u.id), '[]')
        as connections,
      exists (select from authenticators a where a.user_id = u.id and a.kind = 'totp' and a.confirmed_at is not null)
        as has_app,
      (select count(*)::int from authenticators a
       where a.user_id = u.id and a.kind = 'passkey' and factor_works(a)) as passkeys_count,
      (select count(*)::int from recovery_codes r where r.user_id = u.id and r.used_at is null) as recovery_codes_left,
      coalesce((
        select json_agg(json_build_object('purpose', l.purpose,
          'expires_at', to_char(l.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by l.id)
        from account_links l
        where l.user_id = u.id and l.used_at is null and l.revoked_at is null and l.expires_at > now()
          -- an invitation mail to a provider has no link
          and demanded_providers(u.id) is null), '[]')
        as links
    from users u where u.id = ${userId}`.execute(db);
  const { rows: tokens } = await sql<{ count: number }>`
    select count(*)::int as count from ${tokenTables} where t.user_id = ${userId} and ${isActive}`.execute(db);
  return { ...(rows[0] as EmployeeSignIn), tokens_count: tokens[0]?.count ?? 0 };
}
