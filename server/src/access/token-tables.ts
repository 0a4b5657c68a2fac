import type { tokenStates } from '@tenure/contract';
import { sql } from 'kysely';
import type { SqlBool } from 'kysely';

/** The tables that tokens are read from, and which tokens are valid for the API. */

/** The state of a token. */
export const tokenState = sql<(typeof tokenStates)[number]>`case
  when t.revoked_at is not null or t.epoch <> u.token_epoch or t.global_epoch <> i.global_epoch then 'revoked'
  when now() >= t.expires_at then 'expired' else 'active' end`;

/** SQL that is true for a token that is valid for the API, of `api_tokens t`, `users u` and `installation i`. */
export const isActive = sql<SqlBool>`${tokenState} = 'active'`;

const joined = sql`join users u on u.id = t.user_id
  cross join installation i
  left join service_accounts s on s.user_id = u.id
  left join employees e on e.user_id = u.id`;
/** The tables for reading tokens: `api_tokens t`, `users u`, `installation i`, `service_accounts s`, `employees e`. */
export const tokenTables = sql`api_tokens t ${joined}`;

/** SQL that is true for a token that has expired or expires within two weeks. */
export const isSoonOver = sql<SqlBool>`t.expires_at < now() + interval '14 days'`;
/** The moment from which a token counts as unused. */
export const unusedFrom = sql`(coalesce(t.last_used_at, t.created_at) + interval '90 days')`;
/** The moment from which a token needs attention; matches the expression of an index. */
export const attentionFrom = sql`least((t.expires_at at time zone 'UTC') - interval '14 days',
  (coalesce(t.last_used_at, t.created_at) at time zone 'UTC') + interval '90 days')`;
