import { BadAnswer } from '../openid.ts';
import type { Claims } from '../openid.ts';
import { cameFrom } from '../person.ts';
import type { Came } from '../person.ts';
import type { SamlProvider } from '../providers.ts';
import { persistent } from './places.ts';
import type { SamlAnswer } from './signed.ts';

/** Who came, as a provider of SAML says it. Its attributes become claims, so that the rules for both kinds are the same. */

/** Where the name of a person stands at the usual providers. */
const nameAttributes = [
  'displayName',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'name',
];
/** Entra ID sends it in place of the groups of people with many. */
const groupsElsewhere = 'http://schemas.microsoft.com/claims/groups.link';

/** All values of an attribute, which some providers repeat for each value; undefined where it is not there. */
function valuesOf({ attributes }: SamlAnswer, name: string): (string | null)[] | undefined {
  const found = attributes.filter((attribute) => attribute.name === name);
  return found.length === 0 ? undefined : found.flatMap(({ values }) => values);
}

/** The value of an attribute that has exactly one. */
function onlyValue(answer: SamlAnswer, name: string | null): string | undefined {
  const values = name === null ? undefined : valuesOf(answer, name);
  return values?.length === 1 ? (values[0] ?? undefined) : undefined;
}

/** Who it is: a name that stays the same, or the chosen attribute. Throws `BadAnswer`. */
function subjectOf(answer: SamlAnswer, { subject_attribute, issuer }: SamlProvider): string {
  const { name_id } = answer;
  if (subject_attribute === null && name_id && name_id.format !== persistent) throw new BadAnswer('name_id_format');
  // of two providers behind a third one, each may have a person of this name
  if (subject_attribute === null && name_id?.qualifier && name_id.qualifier !== issuer)
    throw new BadAnswer('name_id_qualifier');
  const subject = subject_attribute === null ? name_id?.value : onlyValue(answer, subject_attribute);
  if (subject === undefined) throw new BadAnswer('subject');
  return subject;
}

/** Reads who came. Throws `BadAnswer` when it does not say who it is. */
export function samlCameFrom(answer: SamlAnswer, provider: SamlProvider): Came {
  const claims: Claims = {
    sub: subjectOf(answer, provider),
    email: onlyValue(answer, provider.address_attribute),
    name: nameAttributes.map((name) => onlyValue(answer, name)).find((value) => value !== undefined),
    groups: provider.groups_claim === null ? undefined : valuesOf(answer, provider.groups_claim),
    hasgroups: valuesOf(answer, groupsElsewhere) !== undefined,
    auth_time: answer.authn_instant,
    acr: answer.authn_context,
  };
  const came = cameFrom(claims, {
    ...provider,
    subject_claim: 'sub',
    address_claim: 'email',
    groups_claim: provider.groups_claim === null ? null : 'groups',
  });
  if (!came) throw new BadAnswer('subject');
  return came;
}

/** What was said, by the names that the provider uses, for an administrator who tries it. */
export const shownOf = (answer: SamlAnswer): Readonly<Record<string, unknown>> =>
  Object.fromEntries([
    ['NameID', answer.name_id?.value],
    ['NameID Format', answer.name_id?.format],
    ['AuthnContextClassRef', answer.authn_context ?? undefined],
    ['AuthnInstant', answer.authn_instant === null ? undefined : new Date(answer.authn_instant * 1_000).toISOString()],
    ...answer.attributes.map(({ name, values }) => [name, values.length === 1 ? values[0] : values] as const),
  ]);
