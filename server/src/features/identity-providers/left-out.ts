import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { invalid } from '../../http/errors.ts';
import type { Provider } from '../../sso/providers.ts';
import { findRuleOutside, rulesOf } from '../../sso/role-rules.ts';

/** Refuses to exclude companies whose sign-in policy requires the provider. */
export async function refuseLeftOut(db: Db, { id, entity_ids }: Pick<Provider, 'id' | 'entity_ids'>): Promise<void> {
  if (entity_ids === null) return;
  const { rows } = await sql`
    select from sign_in_policies s where s.sso_required and ${id} = any(s.sso_provider_ids)
      and (s.entity_id = any(${entity_ids}::bigint[])) is not true limit 1`.execute(db);
  if (rows.length > 0) throw invalid('entity_ids', text('sso.demanded_elsewhere'));
}

/** Refuses to exclude companies in which the provider's rules give roles. */
export async function refuseRulesOutside(
  db: Db,
  { id, entity_ids }: Pick<Provider, 'id' | 'entity_ids'>,
): Promise<void> {
  if (await findRuleOutside(db, entity_ids, rulesOf({ kind: 'identity_provider', id })))
    throw invalid('entity_ids', text('sso.rules_elsewhere'));
}
