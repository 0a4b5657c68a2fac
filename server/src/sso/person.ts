import { foldEmail, isEmail } from '@tenure/contract';
import { claimAt } from './claims.ts';
import { isGoogle } from './metadata.ts';
import type { Claims } from './openid.ts';
import type { Provider } from './providers.ts';

/** Seconds by which the clocks of provider and service may differ. */
export const clockTolerance = 60;

/** Who came, as the claims of a provider say it. */
export type Came = {
  subject: string;
  /** The address as it is shown; it proves nothing. */
  email: string | null;
  name: string | null;
  /** The address by which an account may be found for the first time; null where the rule of the provider allows none. */
  vouched: string | null;
  /** How many factors the sign-in counts as. */
  factors: 1 | 2;
  /** The session at the provider. */
  sid: string | null;
  /** When the person signed in there, in seconds since 1970; null where the provider does not say it. */
  signed_in_at: number | null;
  /** The groups of the person; null where they are not named, undefined where they are not asked for. */
  groups: string[] | null | undefined;
};

/** Groups of claims that are needed: those of a group come from one token. */
export const wantedClaims = ({ match_rule, address_claim, groups_claim }: Provider): string[][] => [
  match_rule === 'verified_email' ? [address_claim, 'email_verified'] : [address_claim],
  ...(groups_claim === null ? [] : [[groups_claim]]),
];

/** A text that can be stored: the database has no place for a zero in it. */
const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= longest && !value.includes('\u0000');

function textIn(claims: Claims, name: string, longest: number): string | null {
  const value = claims[name];
  return isText(value, longest) ? value : null;
}

/** An address as it is stored; null for one that only looks like another, with letters of other forms. */
export const plainAddress = (value: string): string | null =>
  // small letters hide the other form: that of the sign of Kelvin is a k
  isEmail(value) && value.normalize('NFKC') === value ? foldEmail(value) : null;

function addressIn(claims: Claims, name: string): string | null {
  const value = textIn(claims, name, 190);
  return value === null ? null : plainAddress(value);
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1);

function vouchedIn(claims: Claims, { match_rule, address_claim, domains, issuer }: Provider): string | null {
  const address = addressIn(claims, address_claim);
  if (address === null || !domains.includes(domainOf(address))) return null;
  // a text or a number is no proof
  if (match_rule === 'verified_email' && claims['email_verified'] !== true) return null;
  if (match_rule === 'linked_only') return null;
  // the owner of any address may have an account at Google; only members of an organisation have its `hd`
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

const [mostGroups, longestGroup] = [2_000, 255];

/** A list that says of itself that it is not the whole one, as Entra ID does of people with many groups. */
const isCut = (claims: Claims, name: string) => {
  const elsewhere = claims['_claim_names'];
  const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name);
  return isElsewhere || (claims['hasgroups'] ?? false) !== false;
};

/** The groups in a claim, sorted; a single one may stand without a list. Null for everything that is no whole list. */
function groupsIn(claims: Claims, name: string | null): string[] | null | undefined {
  if (name === null) return undefined;
  const said = claimAt(claims, name);
  if (said === undefined || isCut(claims, name)) return null;
  const groups = Array.isArray(said) ? (said as unknown[]) : [said];
  if (groups.length > mostGroups || !groups.every((one) => isText(one, longestGroup))) return null;
  return [...new Set(groups)].sort((a, b) => (a < b ? -1 : 1));
}

/** Reads the claims; null when the one that says who it is is missing. */
export function cameFrom(claims: Claims, provider: Provider): Came | null {
  const subject = textIn(claims, provider.subject_claim, 255);
  if (subject === null) return null;
  return {
    subject,
    email: addressIn(claims, provider.address_claim),
    name: textIn(claims, 'name', 255),
    vouched: vouchedIn(claims, provider),
    factors: factorsIn(claims, provider),
    sid: textIn(claims, 'sid', 255),
    signed_in_at: timeIn(claims, 'auth_time'),
    groups: groupsIn(claims, provider.groups_claim),
  };
}
