import type { OutageReason } from '@tenure/contract';
import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import type { Db } from '../db/connect.ts';
import type { DB } from '../db/schema.ts';
import { notifyProviderFailing } from '../notifications/providers.ts';

/** Failures that a provider or its settings cause. The state is in the row, so that all processes share it. */

export type OutagePart = 'sign_in' | 'discovery';
type Outage = { failures: number; notified_at: string | null };

/** A provider that fails to answer once may be busy; a wrong secret is wrong the first time. */
const failuresOf = (reason: OutageReason) => (reason === 'away' ? 3 : 1);

/** Since when and why the provider `p` fails; null while it works. */
export const outageOf: RawBuilder<{ since: string; reason: OutageReason } | null> = sql`
  (select json_build_object('since', o.since, 'reason', o.reason) from provider_outages o
   where o.provider_id = p.id and p.is_enabled order by o.since, o.part limit 1)`;

/** Whether sign-ins through the provider `p` failed. */
export const signInsFail: RawBuilder<boolean> = sql`
  exists (select from provider_outages o where o.provider_id = p.id and o.part = 'sign_in')`;

/** Records a failure of an enabled provider. Administrators are notified once per outage. */
export const recordOutage = (
  db: Kysely<DB>,
  provider: { id: number; name: string },
  { part, reason }: { part: OutagePart; reason: OutageReason },
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { id } = provider;
    await sql`
      insert into provider_outages (provider_id, part, reason)
      select id, ${part}, ${reason} from identity_providers where id = ${id} and is_enabled for key share
      on conflict do nothing`.execute(trx);
    // serialises simultaneous failures
    const { rows } = await sql<Outage>`
      update provider_outages set failures = failures + 1, reason = ${reason}
      where provider_id = ${id} and part = ${part} returning failures, notified_at`.execute(trx);
    const [outage] = rows;
    if (!outage || outage.notified_at !== null || outage.failures < failuresOf(reason)) return;
    await sql`
      update provider_outages set notified_at = now() where provider_id = ${id} and part = ${part}`.execute(trx);
    await notifyProviderFailing(trx, provider, reason);
  });

/** Ends an outage after a success, or because the provider is disabled; without `part`, both kinds. */
export async function endOutage(db: Db, id: number, part?: OutagePart): Promise<void> {
  await sql`
    delete from provider_outages where provider_id = ${id} and part = coalesce(${part ?? null}, part)`.execute(db);
}
