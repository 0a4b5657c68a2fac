import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';

type Ref = { id: number; name: string };

/** What the sign-in page offers before the user enters an address. */
export async function waysIn(db: Db): Promise<{ by_address: boolean; providers: Ref[] }> {
  const { rows } = await sql<Ref & { has_domains: boolean }>`
    select p.id, p.name, exists (select from provider_domains d where d.provider_id = p.id) as has_domains
    from identity_providers p where p.is_enabled order by fold(p.name), p.id`.execute(db);
  return {
    by_address: rows.some(({ has_domains }) => has_domains),
    providers: rows.flatMap(({ id, name, has_domains }) => (has_domains ? [] : [{ id, name }])),
  };
}

/** How the owner of an address signs in. Only its domain matters, so that nothing is revealed about accounts. */
export async function optionsFor(db: Db, email: string): Promise<{ provider: Ref | null; password: boolean }> {
  const { rows } = await sql<Ref & { is_required: boolean }>`
    select p.id, p.name,
           exists (select from sign_in_policies s where s.sso_required and p.id = any(s.sso_provider_ids)) as is_required
    from identity_domains d join identity_providers p on p.id = d.provider_id and p.is_enabled
    where d.domain = ${email.slice(email.lastIndexOf('@') + 1)}`.execute(db);
  const [found] = rows;
  if (!found) return { provider: null, password: true };
  return { provider: { id: found.id, name: found.name }, password: !found.is_required };
}
