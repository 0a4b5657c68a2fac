import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';

/** A company, or null for the default row. */
export type Target = number | null;

/** The fields of a rule. */
export type Wanted = {
  sso_required: boolean;
  sso_provider_ids: readonly number[];
  second_factor_from: string | null;
  session_max_hours: number | null;
};

export const accountTables = sql`users u left join employees e on e.user_id = u.id`;
export const maySignIn = sql`u.is_enabled and u.account_kind = 'person' and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))`;

/** True for the accounts `u` of people `e` to whom the policy of a target applies. */
export const decidedBy = (target: Target): RawBuilder<SqlBool> => sql<SqlBool>`(
  not u.break_glass and ${maySignIn} and ${
    target === null
      ? sql`(e.entity_id is null or not exists (select from sign_in_policies o where o.entity_id = e.entity_id))`
      : sql`e.entity_id = ${target}`
  })`;

/** True for an account `u` that has a second factor in this service. */
export const hasFactor = sql<SqlBool>`exists (
  select from authenticators a where a.user_id = u.id and factor_works(a))`;

/** True for an emergency account that could sign in now: an administrator with a second factor. */
export const couldHelp = sql<SqlBool>`(
  u.break_glass and u.is_admin and u.password_hash is not null and ${maySignIn} and ${hasFactor})`;

/** True for an account `u` of a person `e` whom one of these providers would find by address. */
export const isFound = (providers: readonly number[]): RawBuilder<SqlBool> => sql<SqlBool>`exists (
  select from identity_providers p join provider_domains d on d.provider_id = p.id
  where p.id = any(${providers}::bigint[]) and p.match_rule <> 'linked_only'
    and d.domain = split_part(u.email, '@', 2) and e.id is not null and not u.is_admin
    and (p.entity_ids is null or e.entity_id = any(p.entity_ids)))`;

/** True for an account `u` that is linked to none of these providers. */
export const isUnlinked = (providers: readonly number[]): RawBuilder<SqlBool> => sql<SqlBool>`not exists (
  select from user_identities i where i.user_id = u.id and i.provider_id = any(${providers}::bigint[]))`;

/** True for sessions `s` that did not come from one of these providers. */
export const fromElsewhere = (providers: readonly number[]): RawBuilder<SqlBool> => sql<SqlBool>`(
  s.revoked_at is null and (s.method <> 'sso' or (s.provider_id = any(${providers}::bigint[])) is not true))`;
