import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { Provider } from '../../sso/providers.ts';

/** A subject identifies a person only together with these fields. */
export const naming = ['issuer', 'subject_claim', 'subject_attribute'] as const;
/** The fields that SAML responses are checked against. */
const checking = ['issuer', 'certificates'] as const;

type Checked = Pick<Provider, 'id' | (typeof naming)[number] | (typeof checking)[number]>;

/**
 * Deletes what is outdated after a change of a provider: unmatched people, if other fields identify them now, and
 * unclaimed SAML responses, if they are checked against other keys now.
 */
export async function deleteOutdated(db: Db, before: Checked, after: Checked): Promise<void> {
  const differs = (field: keyof Checked) => !isDeepStrictEqual(before[field], after[field]);
  const { id } = before;
  if (naming.some(differs)) await sql`delete from sso_unmatched where provider_id = ${id}`.execute(db);
  if (checking.some(differs)) await sql`delete from saml_requests where provider_id = ${id}`.execute(db);
}
