import { text } from '@tenure/contract';
import type { ReplyIn, signInPolicies, Text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { accountTables, couldHelp, decidedBy, fromElsewhere, hasFactor, isFound, isUnlinked } from './accounts.ts';
import type { Target, Wanted } from './accounts.ts';
import { warningsOf } from './warnings.ts';
import type { Reader } from './warnings.ts';

type Shown = ReplyIn<typeof signInPolicies.preflight>['data'];

/** A test is valid for a day. */
const testHours = 24;
const maxListed = 100;

type Found = { id: number; name: string; is_enabled: boolean; is_tested: boolean; reaches: boolean };

async function providersOf(db: Db, ids: readonly number[], target: Target): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select p.id, p.name, p.is_enabled,
           coalesce(p.tested_at > now() - make_interval(hours => ${testHours}), false) as is_tested,
           coalesce(p.entity_ids is null or ${target}::bigint = any(p.entity_ids), false) as reaches
    from identity_providers p where p.id = any(${ids}::bigint[]) order by fold(p.name), p.id for share`.execute(db);
  return rows;
}

/** True when a rule requires the same providers as before. */
export const demandsSame = (before: Wanted, after: Wanted): boolean =>
  before.sso_required === after.sso_required &&
  new Set(before.sso_provider_ids).symmetricDifference(new Set(after.sso_provider_ids)).size === 0;

/**
 * The reasons why a rule cannot require its providers; empty if it requires none. Requirements that already exist are
 * not checked again: otherwise an expired test would prevent other changes of the rule.
 */
export async function blockersOf(db: Db, target: Target, before: Wanted, wanted: Wanted): Promise<Text[]> {
  const { sso_required, sso_provider_ids } = wanted;
  if (!sso_required || demandsSame(before, wanted)) return [];
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

type Unlinked = Shown['unlinked'][number] & { total: number; not_found: number };

/** Accounts that are linked to none of the providers, and whether a provider's rule would find them. */
async function unlinkedOf(db: Db, target: Target, { sso_required, sso_provider_ids }: Wanted): Promise<Unlinked[]> {
  if (!sso_required) return [];
  const { rows } = await sql<Unlinked>`
    select user_id, name, email, is_found, count(*) over ()::int as total,
           count(*) filter (where not is_found) over ()::int as not_found
    from (
      select u.id as user_id, coalesce(e.name, u.email) as name, u.email, ${isFound(sso_provider_ids)} as is_found
      from ${accountTables}
      where ${decidedBy(target)} and ${isUnlinked(sso_provider_ids)}) as found
    order by is_found, name, user_id limit ${maxListed}`.execute(db);
  return rows;
}

type Counts = { sessions: number; without_factor: number };

async function countsOf(db: Db, target: Target, wanted: Wanted): Promise<Counts> {
  const { sso_required, sso_provider_ids, second_factor_from } = wanted;
  const { rows } = await sql<Counts>`
    select
      (select count(*)::int from session_register s join ${accountTables} on u.id = s.user_id
       where ${sso_required} and ${fromElsewhere(sso_provider_ids)} and s.expires_at > now()
         and ${decidedBy(target)}) as sessions,
      (select count(*)::int from ${accountTables}
       where ${second_factor_from}::date is not null and ${decidedBy(target)} and not ${hasFactor}) as without_factor`.execute(
    db,
  );
  return rows[0] as Counts;
}

/** The effect of a rule, and the reasons against it. */
export async function preflight(
  db: Db,
  reader: Reader,
  target: Target,
  { before, wanted }: { before: Wanted; wanted: Wanted },
): Promise<Shown> {
  const blockers = await blockersOf(db, target, before, wanted);
  const unlinked = await unlinkedOf(db, target, wanted);
  const { sessions, without_factor } = await countsOf(db, target, wanted);
  return {
    blockers,
    warnings: await warningsOf(db, reader, target, wanted),
    unlinked_count: unlinked[0]?.total ?? 0,
    unlinked: unlinked.map(({ total: _total, not_found: _count, ...person }) => person),
    not_found_count: unlinked[0]?.not_found ?? 0,
    sessions_to_end: sessions,
    without_factor_count: without_factor,
  };
}
