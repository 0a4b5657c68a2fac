import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { invalid } from '../../http/errors.ts';

/** Stores the domains of a provider. */
export async function storeDomains(db: Db, id: number, domains: readonly string[]): Promise<void> {
  await sql`delete from provider_domains where provider_id = ${id} and domain <> all(${domains}::text[])`.execute(db);
  await sql`
    insert into provider_domains (domain, provider_id)
    select distinct d, ${id}::bigint from unnest(${domains}::text[]) as d on conflict do nothing`.execute(db);
}

/**
 * Refuses domains of an enabled provider, or one to be enabled, that another enabled provider has. The database also
 * refuses them, if two requests come at the same moment.
 */
export async function refuseTaken(db: Db, id: number, domains: readonly string[]): Promise<void> {
  const { rows } = await sql<{ domain: string; provider: string }>`
    select d.domain, p.name as provider from identity_domains d join identity_providers p on p.id = d.provider_id
    where d.domain = any(${domains}::text[]) and p.is_enabled and p.id <> ${id} order by d.domain limit 1`.execute(db);
  const [taken] = rows;
  if (taken) throw invalid('domains', text('sso.domain_taken', taken));
}
