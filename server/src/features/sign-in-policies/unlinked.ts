import type { QueryOut, signInPolicies, UnlinkedAccount } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, orderedBy, selectPage } from '../../db/lists.ts';
import { accountTables, decidedBy, isFound, isUnlinked } from './accounts.ts';
import type { Target } from './accounts.ts';

type Query = QueryOut<typeof signInPolicies.unlinked>;

const name = sql`coalesce(e.name, u.email)`;

/** A page of the accounts that are linked to none of the providers; those that no provider would find come first. */
export async function listUnlinked(db: Db, target: Target, query: Query) {
  const providers = query.provider_ids ?? [];
  const found = isFound(providers);
  const sorts: Record<NonNullable<Query['sort_by']>, RawBuilder<unknown>> = {
    is_found: found,
    name: sql`fold(${name})`,
    email: sql`u.email`,
  };
  const where = every([
    decidedBy(target),
    isUnlinked(providers),
    ...(query.is_found === undefined ? [] : [sql<SqlBool>`${found} = ${query.is_found}`]),
    ...holdsWords([name, sql`u.email`], query.search),
  ]);
  return selectPage(db, query, {
    rows: sql<UnlinkedAccount>`
      select u.id as user_id, ${name} as name, u.email, ${found} as is_found from ${accountTables} where ${where}
      ${orderedBy(sorts[query.sort_by ?? 'is_found'], query.sort_direction, sql`u.id`)}`,
    total: sql`select count(*) from ${accountTables} where ${where}`,
  });
}
