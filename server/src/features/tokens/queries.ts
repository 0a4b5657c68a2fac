import type { AnyToken, ApiToken, ownTokens, QueryOut, tokenKinds } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { tokenPrefixes } from '../../crypto/api-token.ts';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, oneOfTexts, orderedBy, selectPage } from '../../db/lists.ts';
import { attentionFrom, isActive, isSoonOver, tokenState, tokenTables, unusedFrom } from '../../access/token-tables.ts';
import { holds } from '../../access/actor.ts';
import { coverOf } from '../../access/cover.ts';
import { either } from '../../access/scope.ts';
import type { ReadCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';

export type TokenQuery = QueryOut<typeof ownTokens.list> & {
  kind?: readonly (typeof tokenKinds)[number][] | undefined;
};
type Row = Omit<AnyToken, 'allowed_actions'>;

const prefixOf = sql.join(
  Object.entries(tokenPrefixes).map(([kind, prefix]) => sql`when ${kind} then ${prefix}`),
  sql` `,
);
const needs = {
  ending: sql<SqlBool>`(${isActive} and ${isSoonOver})`,
  unused: sql<SqlBool>`(${isActive} and ${unusedFrom} < now())`,
};
/** The SCIM connection whose account it is; the account's address is made up. */
const connection = sql`(select c.name from scim_connections c where c.user_id = u.id)`;
const columns = sql`
  t.id, t.kind, t.name, case t.kind ${prefixOf} end || '_…' || t.hint as hint, ${tokenState} as state,
  coalesce(t.permissions, '{}') as permissions, t.entity_ids, t.created_at, t.expires_at, t.last_used_at, t.last_used_ip,
  t.revoked_at, array_remove(array[case when ${needs.ending} then 'ending' end, case when ${needs.unused} then 'unused' end], null)
    as attention, json_build_object('user_id', u.id, 'name', coalesce(e.name, s.name, ${connection}, u.email),
    'is_service', u.account_kind = 'service') as account`;
const sorts: Record<NonNullable<TokenQuery['sort_by']>, RawBuilder<unknown>> = {
  last_used_at: sql`t.last_used_at`,
  expires_at: sql`t.expires_at`,
  created_at: sql`t.created_at`,
  name: sql`fold(t.name)`,
  attention: attentionFrom,
};

const present = (row: Row, actions: string[]): AnyToken => ({
  ...row,
  allowed_actions: row.state === 'active' ? actions : [],
});

/** Users can rename their own tokens; a service account's token can only be revoked. */
const actionsOn = ({ kind }: Pick<Row, 'kind'>) => (kind === 'personal' ? ['update', 'delete'] : ['delete']);

/** The condition for active tokens in a form that an index supports. */
const activeOnly = ({ state }: TokenQuery): RawBuilder<SqlBool>[] =>
  state?.length === 1 && state[0] === 'active' ? [sql<SqlBool>`t.revoked_at is null and t.expires_at > now()`] : [];

const attentionOf = ({ attention }: TokenQuery): RawBuilder<SqlBool>[] =>
  attention ? [either(attention.map((one) => needs[one]))] : [];

/** A page of tokens, by default the last used one first. */
async function selectTokens(db: Db, among: RawBuilder<SqlBool>, query: TokenQuery) {
  const where = every([
    among,
    ...oneOfTexts(tokenState, query.state),
    ...activeOnly(query),
    ...attentionOf(query),
    ...oneOfTexts(sql`t.kind`, query.kind),
    ...holdsWords([sql`t.name`, sql`t.hint`, sql`e.name`, sql`s.name`, connection, sql`u.email`], query.search),
  ]);
  const order = orderedBy(sorts[query.sort_by ?? 'last_used_at'], query.sort_direction ?? 'desc', sql`t.id`);
  return selectPage(db, query, {
    rows: sql<Row>`select ${columns} from ${tokenTables} where ${where} ${order}`,
    total: sql`select count(*) from ${tokenTables} where ${where}`,
  });
}

/** A page of the tokens of all accounts; the actor can revoke those of accounts whose work they may end. */
export async function listTokens({ db, actor }: Pick<ReadCtx, 'db' | 'actor'>, query: TokenQuery) {
  const { rows, total } = await selectTokens(db, sql<SqlBool>`true`, query);
  const covers = await coverOf(db, actor, [...new Set(rows.map(({ account }) => account.user_id))], 'tokens.view_all');
  const mayRevoke = ({ kind, account }: Row) =>
    (kind !== 'provisioning' || holds(actor, 'identity.manage')) && covers.get(account.user_id)?.has('reach') === true;
  return { rows: rows.map((row) => present(row, mayRevoke(row) ? ['delete'] : [])), total };
}

/** The tokens of one account, without their owner. */
export async function listTokensOf(db: Db, userId: number, query: TokenQuery) {
  const among = sql<SqlBool>`t.user_id = ${userId} and t.kind <> 'provisioning'`;
  const { rows, total } = await selectTokens(db, among, query);
  const shown = ({ account: _account, ...token }: AnyToken): ApiToken => token;
  return { rows: rows.map((row) => shown(present(row, actionsOn(row)))), total };
}

/** Finds one token. Throws 404. */
export async function readToken(db: Db, among: RawBuilder<SqlBool>, id: number): Promise<AnyToken> {
  const { rows } = await sql<Row>`select ${columns} from ${tokenTables} where t.id = ${id} and ${among}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return present(row, actionsOn(row));
}
