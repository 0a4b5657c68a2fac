import { eventTypeNames } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../../db/connect.ts';
import { inBatches, inJobTransaction } from '../../../jobs/task.ts';
import type { JobContext } from '../../../jobs/task.ts';
import { isReadableBy } from '../../events/visible.ts';

/** Events per statement; each has at most a hundred webhooks. */
const batch = 500;

/** Creates deliveries of the events collected since the last run. Returns the number of events read. */
async function fanOutSome(db: Db): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    with reached as materialized (
      select sequence from webhooks_reached for update
    ), fresh as materialized (
      select v.sequence, v.type, v.entity_id from events v
      where v.sequence > (select sequence from reached) order by v.sequence limit ${batch}
    ), made as (
      -- events that the account may not read get no row, which would reveal them, and are checked again when they are
      -- sent; processes of a later release check its new types
      insert into webhook_deliveries (webhook_id, sequence)
      select w.id, s.sequence from fresh s join webhooks w on w.status <> 'disabled'
        and (w.types is null or s.type = any(w.types)) and (w.entity_ids is null or s.entity_id = any(w.entity_ids))
        and (s.type <> all(${eventTypeNames}::text[]) or ${isReadableBy(sql`w.service_account_id`, 's')})
      order by w.id, s.sequence
      on conflict do nothing
    ), noted as (
      update webhooks_reached set sequence = (select max(sequence) from fresh) where exists (select from fresh)
    )
    select count(*)::int as events from fresh`.execute(db);
  return rows[0]?.events ?? 0;
}

/** If nothing is to be sent, events are skipped, so that no old ones are sent when sending is enabled. */
const passOver = (db: Db) =>
  sql`update webhooks_reached set sequence = r.sequence from events_reached r
      where webhooks_reached.sequence < r.sequence`.execute(db);

/** Creates deliveries of collected events. */
export async function fanOut({ deps }: JobContext): Promise<void> {
  if (deps.config.WEBHOOKS) await inBatches(batch, () => inJobTransaction(deps.db, fanOutSome));
  else await inJobTransaction(deps.db, passOver);
}

/** Removes deliveries whose events are deleted, hourly counts, and secrets that no longer sign. */
export async function deleteDeliveries({ deps, now }: JobContext): Promise<void> {
  const moment = sql`${now.toString()}::timestamptz`;
  await inBatches(10_000, () =>
    inJobTransaction(deps.db, async (db) => {
      const { numAffectedRows } = await sql`
        delete from webhook_deliveries where id in (
          select id from webhook_deliveries
          where sequence < coalesce((select min(sequence) from events), (select sequence + 1 from events_reached))
          order by sequence limit 10000)`.execute(db);
      return Number(numAffectedRows ?? 0);
    }),
  );
  await sql`delete from webhook_hours where hour < ${moment} - interval '2 days'`.execute(deps.db);
  await sql`delete from webhook_hours_about where hour < ${moment} - interval '2 days'`.execute(deps.db);
  await sql`
    update webhooks set previous_secret = null, previous_until = null
    where previous_until < ${moment}`.execute(deps.db);
}
