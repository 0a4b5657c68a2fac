import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { Provider } from '../../sso/providers.ts';

/** A subject says who it is only together with these. */
export const naming = ['issuer', 'subject_claim', 'subject_attribute'] as const;
/** What answers by SAML are checked with. */
const checking = ['issuer', 'certificates'] as const;

type Judged = Pick<Provider, 'id' | (typeof naming)[number] | (typeof checking)[number]>;

/**
 * Forgets what a changed provider said before: who tried, once another one says who they are, and the answers that browsers
 * have not come for, once they are checked with other keys.
 */
export async function forgetSaid(db: Db, before: Judged, after: Judged): Promise<void> {
  const differs = (field: keyof Judged) => !isDeepStrictEqual(before[field], after[field]);
  const { id } = before;
  if (naming.some(differs)) await sql`delete from sso_unmatched where provider_id = ${id}`.execute(db);
  if (checking.some(differs)) await sql`delete from saml_requests where provider_id = ${id}`.execute(db);
}
