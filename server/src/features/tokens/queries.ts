import type { AnyToken, ApiToken, ownTokens, QueryOut, tokenKinds, tokenStates } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { tokenPrefixes } from '../../crypto/api-token.ts';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, oneOfTexts, orderedBy, selectPage } from '../../db/lists.ts';
import { notFound } from '../../http/errors.ts';

export type TokenQuery = QueryOut<typeof ownTokens.list> & {
  kind?: readonly (typeof tokenKinds)[number][] | undefined;
};
type Row = Omit<AnyToken, 'allowed_actions'>;

const state = sql<(typeof tokenStates)[number]>`case
  when t.revoked_at is not null or t.epoch <> u.token_epoch or t.global_epoch <> i.global_epoch then 'revoked'
  when now() >= t.expires_at then 'expired' else 'active' end`;

/** SQL that is true for a token that opens the API: of `api_tokens t`, `users u` and `installation i`. */
export const isActive = sql<SqlBool>`${state} = 'active'`;

const prefixOf = sql.join(
  Object.entries(tokenPrefixes).map(([kind, prefix]) => sql`when ${kind} then ${prefix}`),
  sql` `,
);
const columns = sql`
  t.id, t.kind, t.name, case t.kind ${prefixOf} end || '_…' || t.hint as hint, ${state} as state,
  coalesce(t.permissions, '{}') as permissions, t.entity_ids, t.created_at, t.expires_at, t.last_used_at, t.last_used_ip,
  t.revoked_at, json_build_object('user_id', u.id, 'name', coalesce(e.name, s.name, u.email),
    'is_service', u.account_kind = 'service') as account`;
const joined = sql`join users u on u.id = t.user_id
  cross join installation i
  left join service_accounts s on s.user_id = u.id
  left join employees e on e.user_id = u.id`;
/** Everything a token is read with. */
export const tokenTables = sql`api_tokens t ${joined}`;

const sorts: Record<NonNullable<TokenQuery['sort_by']>, RawBuilder<unknown>> = {
  last_used_at: sql`t.last_used_at`,
  expires_at: sql`t.expires_at`,
  created_at: sql`t.created_at`,
  name: sql`fold(t.name)`,
};

const present = (row: Row): AnyToken => ({
  ...row,
  allowed_actions: row.state === 'active' ? ['update', 'delete'] : [],
});

/** A page of tokens, the last used one first unless asked otherwise. */
export async function listTokens(db: Db, among: RawBuilder<SqlBool>, query: TokenQuery) {
  const where = every([
    among,
    ...oneOfTexts(state, query.state),
    ...oneOfTexts(sql`t.kind`, query.kind),
    ...holdsWords([sql`t.name`, sql`t.hint`, sql`e.name`, sql`s.name`, sql`u.email`], query.search),
  ]);
  const order = orderedBy(sorts[query.sort_by ?? 'last_used_at'], query.sort_direction ?? 'desc', sql`t.id`);
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Row>`select ${columns} from api_tokens t ${joined} where ${where} ${order}`,
    total: sql`select count(*) from ${tokenTables} where ${where}`,
  });
  return { rows: rows.map(present), total };
}

/** The same without whose they are. */
export async function listTokensOf(db: Db, userId: number, query: TokenQuery) {
  const { rows, total } = await listTokens(db, sql<SqlBool>`t.user_id = ${userId} and t.kind <> 'provisioning'`, query);
  return { rows: rows.map(({ account: _account, ...token }): ApiToken => token), total };
}

/** One of the tokens. Throws 404. */
export async function readToken(db: Db, among: RawBuilder<SqlBool>, id: number): Promise<AnyToken> {
  const { rows } =
    await sql<Row>`select ${columns} from api_tokens t ${joined} where t.id = ${id} and ${among}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return present(row);
}
