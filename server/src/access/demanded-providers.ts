import { sql } from 'kysely';

/** The names of the providers that the account `u` must sign in through; null if a password is enough. */
export const demandedProviders = sql<string | null>`(
  select string_agg(p.name, ', ' order by p.name) from identity_providers p where p.id = any(demanded_providers(u.id)))`;
