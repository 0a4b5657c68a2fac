import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { DB } from '../db/schema.ts';

type Demand = {
  what: 'provider' | 'second_factor' | 'role';
  of: string | null;
  providers: string | null;
  from: string | null;
};

const describe = ({ what, of, providers, from }: Demand): string => {
  if (what === 'role') return `The role ${of} demands a second factor from ${from} on (Roles).`;
  const company = of === null ? 'All other companies' : of;
  return what === 'provider'
    ? `${company}: people sign in only through ${providers} (Sign-in › Rules).`
    : `${company}: a second factor is demanded from ${from} on (Sign-in › Rules).`;
};

/**
 * The sign-in requirements, a line per rule: what an administrator switches off before going back to a release that
 * does not know them, or when no one can sign in.
 */
export async function demandsOf(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<Demand>`
    select 'provider' as what, n.name as of,
           (select string_agg(p.name, ', ' order by p.name) from identity_providers p where p.id = any(s.sso_provider_ids))
             as providers, null::text as from
    from sign_in_policies s left join entities n on n.id = s.entity_id where s.sso_required
    union all
    select 'second_factor', n.name, null, s.second_factor_from::text
    from sign_in_policies s left join entities n on n.id = s.entity_id where s.second_factor_from is not null
    union all
    select 'role', r.name, null, r.second_factor_from::text from roles r where r.second_factor_from is not null
    order by 1, 2 nulls first`.execute(db);
  return rows.map(describe);
}
