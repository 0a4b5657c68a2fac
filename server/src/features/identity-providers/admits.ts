import { isDeepStrictEqual } from 'node:util';
import { reachesMore } from '../../people/rules-to-give.ts';
import type { StoredProvider } from './queries.ts';

/** The fields that decide who can sign in, and with which groups. */
const deciding = [
  'issuer',
  'client_id',
  'scopes',
  'match_rule',
  'subject_claim',
  'address_claim',
  'groups_claim',
  'sso_url',
  'certificates',
  'subject_attribute',
  'address_attribute',
] as const satisfies readonly (keyof StoredProvider)[];

/** True when a change lets other people in, or maps other groups. Removing the groups claim does not count. */
export const admitsOthers = (before: StoredProvider, after: StoredProvider): boolean =>
  reachesMore(after.entity_ids, before.entity_ids) ||
  after.domains.some((domain) => !before.domains.includes(domain)) ||
  deciding.some((field) => after[field] !== null && !isDeepStrictEqual(after[field], before[field]));
