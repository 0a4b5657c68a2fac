import { sql } from 'kysely';
import { isActive, tokenTables } from '../access/token-tables.ts';
import type { Db } from '../db/connect.ts';
import { notifyEach } from './notify.ts';
import { caretakersOf } from './recipients.ts';

/**
 * Before a restore ends all tokens that are valid for the API, notifies the people they belong to, the owners of
 * service accounts, and those responsible for SCIM connections; each once per account. One statement, whatever the
 * number of tokens.
 */
export const notifyTokensEnded = (db: Db): Promise<number> =>
  notifyEach(
    { db, actor: null },
    'token_ending',
    { type: 'token' },
    sql`
      select r.user_id, ended.subject_id, 'restore-' || ended.epoch as round, r.url,
             jsonb_build_object('count', ended.count, 'account', ended.account) as params, r.variant, null::text as copy_to
      from (
        select t.user_id, min(t.id) as subject_id, count(*) as count, i.global_epoch as epoch, s.owner_ids,
               c.id as connection_id, c.owner_ids as connection_owner_ids, coalesce(c.name, s.name) as account
        from ${tokenTables}
        left join scim_connections c on c.user_id = t.user_id
        where ${isActive} and c.is_enabled is distinct from false
        group by t.user_id, i.global_epoch, s.owner_ids, c.id, c.owner_ids, c.name, s.name) as ended
      cross join lateral (
        select ended.user_id, '/profile?part=security' as url, 'restored' as variant
        where ended.owner_ids is null and ended.connection_id is null
        union all
        select unnest(ended.owner_ids), '/settings/access-tokens', 'restored_service'
        where ended.connection_id is null and ended.owner_ids is not null
        union all
        select h.user_id, '/settings/provisioning', 'restored_connection'
        from (${caretakersOf('ended.connection_owner_ids')}) as h where ended.connection_id is not null) as r`,
  );
