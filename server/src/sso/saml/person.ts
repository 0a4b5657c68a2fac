import { BadAnswer } from '../openid.ts';
import type { Claims } from '../openid.ts';
import { profileFrom } from '../person.ts';
import type { ProviderProfile } from '../person.ts';
import type { SamlProvider } from '../providers.ts';
import { persistent } from './places.ts';
import type { SamlAnswer } from './signed.ts';

/** Who signed in, according to a SAML provider. Attributes become claims, so that both kinds share their rules. */

/** The attributes in which common providers send a person's name. */
const nameAttributes = [
  'displayName',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'name',
];
/** Sent by Entra ID instead of the groups for people who have many. */
const groupsElsewhere = 'http://schemas.microsoft.com/claims/groups.link';

/** All values of an attribute, which some providers repeat for each value; undefined if it is missing. */
function valuesOf({ attributes }: SamlAnswer, name: string): (string | null)[] | undefined {
  const found = attributes.filter((attribute) => attribute.name === name);
  return found.length === 0 ? undefined : found.flatMap(({ values }) => values);
}

/** The value of an attribute that has exactly one. */
function onlyValue(answer: SamlAnswer, name: string | null): string | undefined {
  const values = name === null ? undefined : valuesOf(answer, name);
  return values?.length === 1 ? (values[0] ?? undefined) : undefined;
}

/** The subject: a persistent name, or the configured attribute. Throws `BadAnswer`. */
function subjectOf(answer: SamlAnswer, { subject_attribute, issuer }: SamlProvider): string {
  const { name_id } = answer;
  if (subject_attribute === null && name_id && name_id.format !== persistent) throw new BadAnswer('name_id_format');
  // of two providers behind a third one, each may have a person with this name
  if (subject_attribute === null && name_id?.qualifier && name_id.qualifier !== issuer)
    throw new BadAnswer('name_id_qualifier');
  const subject = subject_attribute === null ? name_id?.value : onlyValue(answer, subject_attribute);
  if (subject === undefined) throw new BadAnswer('subject');
  return subject;
}

/** Reads who signed in. Throws `BadAnswer` if the answer does not say. */
export function samlProfileFrom(answer: SamlAnswer, provider: SamlProvider): ProviderProfile {
  const claims: Claims = {
    sub: subjectOf(answer, provider),
    email: onlyValue(answer, provider.address_attribute),
    name: nameAttributes.map((name) => onlyValue(answer, name)).find((value) => value !== undefined),
    groups: provider.groups_claim === null ? undefined : valuesOf(answer, provider.groups_claim),
    hasgroups: valuesOf(answer, groupsElsewhere) !== undefined,
    auth_time: answer.authn_instant,
    acr: answer.authn_context,
  };
  const profile = profileFrom(claims, {
    ...provider,
    subject_claim: 'sub',
    address_claim: 'email',
    groups_claim: provider.groups_claim === null ? null : 'groups',
  });
  if (!profile) throw new BadAnswer('subject');
  return profile;
}

/** The statements of an answer under the provider's names, for an administrator who tests it. */
export const shownOf = (answer: SamlAnswer): Readonly<Record<string, unknown>> =>
  Object.fromEntries([
    ['NameID', answer.name_id?.value],
    ['NameID Format', answer.name_id?.format],
    ['AuthnContextClassRef', answer.authn_context ?? undefined],
    ['AuthnInstant', answer.authn_instant === null ? undefined : new Date(answer.authn_instant * 1_000).toISOString()],
    ...answer.attributes.map(({ name, values }) => [name, values.length === 1 ? values[0] : values] as const),
  ]);
