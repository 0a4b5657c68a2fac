import { sql } from 'kysely';
import { inJobTransaction } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import { leadDaysOf } from '../../notifications/lead-days.ts';
import { notifyEach } from '../../notifications/notify.ts';
import { caretakersOf } from '../../notifications/recipients.ts';
import { isActive, tokenTables } from '../../access/token-tables.ts';

/** Reminders that a token expires, so that no program stops without a warning. */

const event = 'token_ending';

/**
 * Sends reminders of tokens whose reminder day has come: to the person it belongs to, the owners of its service
 * account, or the managers of the SCIM connection. There is one round per day. A token with a lifetime shorter than a
 * reminder's lead time does not get that reminder.
 * @returns how many reminders were sent
 */
export async function remindOfTokens({ deps, now }: JobContext): Promise<number> {
  const leadDays = await leadDaysOf(deps.db, event);
  if (!leadDays) return 0;
  const moment = sql`${now.toString()}::timestamptz`;
  return inJobTransaction(deps.db, (db) =>
    notifyEach(
      { db, actor: null },
      event,
      { type: 'token' },
      sql`
        select r.user_id, t.id as subject_id, t.id || '-' || d.lead as round,
               case when c.id is not null then '/settings/provisioning'
                    when s.user_id is null then '/profile' else '/settings/access-tokens' end as url,
               jsonb_build_object('token', t.name, 'date', (t.expires_at at time zone 'UTC')::date,
                                  'account', coalesce(c.name, s.name)) as params,
               case when c.id is not null then 'connection' when s.user_id is null then 'plain' else 'service' end
                 as variant, null::text as copy_to
        from ${tokenTables}
        left join scim_connections c on c.user_id = t.user_id
        cross join lateral (
          select min(lead) as lead from unnest(${leadDays}::int[]) as lead
          where t.expires_at - make_interval(days => lead) <= ${moment}
            and t.created_at < t.expires_at - make_interval(days => lead)) as d
        cross join lateral (
          select unnest(coalesce(s.owner_ids, array[t.user_id])) as user_id where c.id is null
          union select h.user_id from (${caretakersOf('c.owner_ids')}) as h where c.id is not null) as r
        where ${isActive} and c.is_enabled is distinct from false and t.expires_at > ${moment} and d.lead is not null`,
    ),
  );
}
