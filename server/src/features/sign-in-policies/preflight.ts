import { text } from '@tenure/contract';
import type { ReplyIn, signInPolicies, Text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { accountTables, couldHelp, decidedBy, fromElsewhere } from './accounts.ts';
import type { Target } from './accounts.ts';

type Shown = ReplyIn<typeof signInPolicies.preflight>['data'];
export type Wanted = { sso_required: boolean; sso_provider_ids: readonly number[] };

/** A test counts for a day. */
const testHours = 24;
const mostListed = 100;

type Found = { id: number; name: string; is_enabled: boolean; is_tested: boolean; reaches: boolean };

async function providersOf(db: Db, ids: readonly number[], target: Target): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select p.id, p.name, p.is_enabled,
           coalesce(p.tested_at > now() - make_interval(hours => ${testHours}), false) as is_tested,
           coalesce(p.entity_ids is null or ${target}::bigint = any(p.entity_ids), false) as reaches
    from identity_providers p where p.id = any(${ids}::bigint[]) order by fold(p.name), p.id for share`.execute(db);
  return rows;
}

/** Why a rule cannot be switched on; empty for one that demands nothing. */
export async function blockersOf(db: Db, target: Target, { sso_required, sso_provider_ids }: Wanted): Promise<Text[]> {
  if (!sso_required) return [];
  const found = await providersOf(db, sso_provider_ids, target);
  const { rows: helpers } = await sql`select from ${accountTables} where ${couldHelp} limit 1`.execute(db);
  return [
    ...(sso_provider_ids.length === 0 ? [text('policies.no_provider')] : []),
    ...(found.length < new Set(sso_provider_ids).size ? [text('policies.unknown_provider')] : []),
    ...found.flatMap(({ name, is_enabled, is_tested, reaches }) => [
      ...(is_enabled ? [] : [text('policies.provider_off', { provider: name })]),
      ...(is_tested ? [] : [text('policies.not_tested', { provider: name })]),
      ...(reaches ? [] : [text('policies.not_for_company', { provider: name })]),
    ]),
    ...(helpers.length === 0 ? [text('policies.no_break_glass')] : []),
  ];
}

type Unlinked = Shown['unlinked'][number] & { total: number };

/** Accounts that are linked to none of the providers, and whether the rule of one would find them. */
async function unlinkedOf(db: Db, target: Target, providers: readonly number[]): Promise<Unlinked[]> {
  const { rows } = await sql<Unlinked>`
    select u.id as user_id, coalesce(e.name, u.email) as name, u.email, count(*) over ()::int as total,
           exists (
             select from identity_providers p join identity_domains d on d.provider_id = p.id
             where p.id = any(${providers}::bigint[]) and p.match_rule <> 'linked_only'
               and d.domain = split_part(u.email, '@', 2) and e.id is not null and not u.is_admin
               and (p.entity_ids is null or e.entity_id = any(p.entity_ids))) as is_found
    from ${accountTables}
    where ${decidedBy(target)}
      and not exists (select from user_identities i where i.user_id = u.id and i.provider_id = any(${providers}::bigint[]))
    order by is_found, name, u.id limit ${mostListed}`.execute(db);
  return rows;
}

/** What a rule would do, and what stands in its way. */
export async function preflight(db: Db, target: Target, wanted: Wanted): Promise<Shown> {
  const blockers = await blockersOf(db, target, wanted);
  if (!wanted.sso_required) return { blockers, unlinked_count: 0, unlinked: [], sessions_to_end: 0 };
  const unlinked = await unlinkedOf(db, target, wanted.sso_provider_ids);
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from session_register s join ${accountTables} on u.id = s.user_id
    where ${fromElsewhere(wanted.sso_provider_ids)} and s.expires_at > now() and ${decidedBy(target)}`.execute(db);
  return {
    blockers,
    unlinked_count: unlinked[0]?.total ?? 0,
    unlinked: unlinked.map(({ total: _total, ...person }) => person),
    sessions_to_end: rows[0]?.n ?? 0,
  };
}
