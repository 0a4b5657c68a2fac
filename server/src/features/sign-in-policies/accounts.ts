import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';

/** A company, or null for the default row. */
export type Target = number | null;

export const accountTables = sql`users u left join employees e on e.user_id = u.id`;
const maySignIn = sql`u.is_enabled and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))`;

/** True for the accounts `u` of people `e` that the policy of a target decides about. */
export const decidedBy = (target: Target): RawBuilder<SqlBool> => sql<SqlBool>`(
  not u.break_glass and ${maySignIn} and ${
    target === null
      ? sql`(e.entity_id is null or not exists (select from sign_in_policies o where o.entity_id = e.entity_id))`
      : sql`e.entity_id = ${target}`
  })`;

/** True for a break-glass account that could get in now: an administrator with a second factor. */
export const couldHelp = sql<SqlBool>`(
  u.break_glass and u.is_admin and u.password_hash is not null and ${maySignIn}
  and exists (select from authenticators a where a.user_id = u.id and a.confirmed_at is not null))`;

/** True for sessions `s` that did not come from one of these providers. */
export const fromElsewhere = (providers: readonly number[]): RawBuilder<SqlBool> => sql<SqlBool>`(
  s.revoked_at is null and (s.method <> 'sso' or (s.provider_id = any(${providers}::bigint[])) is not true))`;
