import { foldEmail, isEmail } from '@tenure/contract';
import { claimAt } from './claims.ts';
import { isGoogle } from './metadata.ts';
import type { Claims } from './openid.ts';
import type { Provider } from './providers.ts';

/** The accepted difference in seconds between the clocks of provider and service. */
export const clockTolerance = 60;

/** The person who signed in, according to the provider's claims. */
export type ProviderProfile = {
  subject: string;
  /** The address for display; it proves nothing. */
  email: string | null;
  name: string | null;
  /** The address by which an account may be found the first time; null if the provider's rule allows none. */
  trusted_email: string | null;
  /** The number of factors that the sign-in counts as. */
  factors: 1 | 2;
  /** The session at the provider. */
  sid: string | null;
  /** When the user signed in there, in Unix seconds; null if the provider does not say. */
  signed_in_at: number | null;
  /** The user's groups; null if the provider did not name them, undefined if they are not used. */
  groups: string[] | null | undefined;
};

/** Groups of required claims; the claims of a group must come from the same token. */
export const wantedClaims = ({ match_rule, address_claim, groups_claim }: Provider): string[][] => [
  match_rule === 'verified_email' ? [address_claim, 'email_verified'] : [address_claim],
  ...(groups_claim === null ? [] : [[groups_claim]]),
];

/** A text that can be stored: the database accepts no NUL. */
const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= longest && !value.includes('\u0000');

function textIn(claims: Claims, name: string, longest: number): string | null {
  const value = claims[name];
  return isText(value, longest) ? value : null;
}

/** An address in stored form; null for one that only looks like another because of other forms of letters. */
export const plainAddress = (value: string): string | null =>
  // lower case would hide the other form: the Kelvin sign becomes a k
  isEmail(value) && value.normalize('NFKC') === value ? foldEmail(value) : null;

function addressIn(claims: Claims, name: string): string | null {
  const value = textIn(claims, name, 190);
  return value === null ? null : plainAddress(value);
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1);

function trustedEmailIn(claims: Claims, { match_rule, address_claim, domains, issuer }: Provider): string | null {
  const address = addressIn(claims, address_claim);
  if (address === null || !domains.includes(domainOf(address))) return null;
  // only the boolean is proof, not text or a number
  if (match_rule === 'verified_email' && claims['email_verified'] !== true) return null;
  if (match_rule === 'linked_only') return null;
  // the owner of any address may have a Google account; only members of an organisation have its `hd`
  if (isGoogle(issuer) && !domains.includes(textIn(claims, 'hd', 190)?.toLowerCase() ?? '')) return null;
  return address;
}

function factorsIn(claims: Claims, { second_factor, second_factor_values }: Provider): 1 | 2 {
  if (second_factor !== 'values') return second_factor === 'always' ? 2 : 1;
  const said = [claims['amr'], claims['acr']].flat();
  return said.some((one) => typeof one === 'string' && second_factor_values.includes(one)) ? 2 : 1;
}

function timeIn(claims: Claims, name: string): number | null {
  const value = claims[name];
  return typeof value === 'number' && value >= 0 && value < Infinity ? value : null;
}

const [maxGroups, longestGroup] = [2_000, 255];

/** Whether a list is marked as incomplete, as Entra ID does for people with many groups. */
const isCut = (claims: Claims, name: string) => {
  const elsewhere = claims['_claim_names'];
  const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name);
  return isElsewhere || (claims['hasgroups'] ?? false) !== false;
};

/** The groups in a claim, sorted; a single one may be sent without a list. Null for anything but a complete list. */
function groupsIn(claims: Claims, name: string | null): string[] | null | undefined {
  if (name === null) return undefined;
  const said = claimAt(claims, name);
  if (said === undefined || isCut(claims, name)) return null;
  const groups = Array.isArray(said) ? (said as unknown[]) : [said];
  if (groups.length > maxGroups || !groups.every((one) => isText(one, longestGroup))) return null;
  return [...new Set(groups)].sort((a, b) => (a < b ? -1 : 1));
}

/** Reads the claims; null if the one that identifies the person is missing. */
export function profileFrom(claims: Claims, provider: Provider): ProviderProfile | null {
  const subject = textIn(claims, provider.subject_claim, 255);
  if (subject === null) return null;
  return {
    subject,
    email: addressIn(claims, provider.address_claim),
    name: textIn(claims, 'name', 255),
    trusted_email: trustedEmailIn(claims, provider),
    factors: factorsIn(claims, provider),
    sid: textIn(claims, 'sid', 255),
    signed_in_at: timeIn(claims, 'auth_time'),
    groups: groupsIn(claims, provider.groups_claim),
  };
}
