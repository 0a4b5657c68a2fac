import { text } from '@tenure/contract';
import type { Text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { accountTables, couldHelp, decidedBy, hasFactor, isUnlinked } from './accounts.ts';
import type { Target, Wanted } from './accounts.ts';

/** The user who asks for the effect of a rule, and the longest session of the installation in hours. */
export type Reader = { user_id: number; longest: number };

type Facts = {
  /** True if the rule applies to the reader, who is linked to none of its providers. */
  self_unlinked: boolean;
  self_without_factor: boolean;
  /** Administrators to whom the rule applies and who are linked to none of its providers: no address finds them. */
  admins_unlinked: number;
  helpers: number;
  /** Providers whose sign-ins count as one factor. */
  one_factor: string[];
};

async function factsOf(db: Db, { user_id }: Reader, target: Target, wanted: Wanted): Promise<Facts> {
  const { sso_provider_ids: ids } = wanted;
  const { rows } = await sql<Facts>`
    select exists (select from ${accountTables} where u.id = ${user_id} and ${decidedBy(target)} and ${isUnlinked(ids)})
             as self_unlinked,
           exists (select from ${accountTables} where u.id = ${user_id} and ${decidedBy(target)} and not ${hasFactor})
             as self_without_factor,
           (select count(*)::int from ${accountTables}
            where u.is_admin and u.id <> ${user_id} and ${decidedBy(target)} and ${isUnlinked(ids)}) as admins_unlinked,
           (select count(*)::int from ${accountTables} where ${couldHelp}) as helpers,
           array(select p.name from identity_providers p
                 where p.id = any(${ids}::bigint[]) and p.second_factor = 'never' order by fold(p.name)) as one_factor`.execute(
    db,
  );
  return rows[0] as Facts;
}

/** Warnings that do not prevent a rule. */
export async function warningsOf(db: Db, reader: Reader, target: Target, wanted: Wanted): Promise<Text[]> {
  const { sso_required, second_factor_from, session_max_hours } = wanted;
  const facts = await factsOf(db, reader, target, wanted);
  const { self_unlinked, self_without_factor, admins_unlinked, helpers, one_factor } = facts;
  const isDemanded = second_factor_from !== null;
  return [
    ...(sso_required && self_unlinked ? [text('policies.self_unlinked')] : []),
    ...(sso_required && admins_unlinked > 0 ? [text('policies.admins_unlinked', { count: admins_unlinked })] : []),
    ...(sso_required && helpers === 1 ? [text('policies.one_break_glass')] : []),
    ...(isDemanded && self_without_factor ? [text('policies.self_without_factor')] : []),
    ...(isDemanded && sso_required ? one_factor.map((provider) => text('policies.one_factor', { provider })) : []),
    ...(session_max_hours !== null && session_max_hours > reader.longest
      ? [text('policies.longer_than_allowed', { hours: reader.longest })]
      : []),
  ];
}
