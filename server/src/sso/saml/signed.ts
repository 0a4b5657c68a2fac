import { BadAnswer } from '../openid.ts';
import { clockTolerance } from '../person.ts';
import { statusOf, success } from './shape.ts';
import { childrenOf, onlyChild } from './xml.ts';
import type { Element } from './xml.ts';

/** The content of a signed answer, and checks that it is for this service, now, and for this request. */

/** A provider's statements about a person. Attributes may repeat; a value is text, or null for anything else. */
export type SamlAnswer = {
  request_id: string;
  /** `qualifier`: the provider within which the value is unique to a person, if named. */
  name_id: { value: string; format: string; qualifier?: string } | null;
  attributes: { name: string; values: (string | null)[] }[];
  /** When the user signed in there, in Unix seconds, and how. */
  authn_instant: number | null;
  authn_context: string | null;
};

export type Expected = { issuer: string; entity_id: string; acs_address: string };

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

const textOf = (element: Element | undefined): string | null =>
  element && element.children.length === 0 && element.text.trim() !== '' ? element.text.trim() : null;

/** An instant in seconds; null for an invalid text, or one without a UTC offset. */
function secondsOf(text: string | undefined): number | null {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at / 1_000;
}

/** Refuses a time outside the element's validity; the element must have an end. */
function checkTimes({ attributes }: Element, now: number): void {
  const [from, until] = [attributes.get('NotBefore'), attributes.get('NotOnOrAfter')];
  const [first, last] = [from === undefined ? 0 : secondsOf(from), secondsOf(until)];
  if (first === null || last === null) throw new BadAnswer('time');
  if (now + clockTolerance < first) throw new BadAnswer('not_yet');
  if (now - clockTolerance >= last) throw new BadAnswer('expired');
}

function checkConditions(assertion: Element, { entity_id }: Expected, now: number): void {
  const conditions = onlyChild(assertion, 'assertion', 'Conditions');
  if (!conditions) throw new BadAnswer('time');
  checkTimes(conditions, now);
  const restrictions = childrenOf(conditions, 'assertion', 'AudienceRestriction');
  const isForUs = (restriction: Element) =>
    childrenOf(restriction, 'assertion', 'Audience').some((audience) => textOf(audience) === entity_id);
  if (restrictions.length === 0 || !restrictions.every(isForUs)) throw new BadAnswer('audience');
}

/** Checks that the assertion is for the browser that delivered it, and was requested. */
function checkBearer(subject: Element, requestId: string, { acs_address }: Expected, now: number): void {
  const confirmations = childrenOf(subject, 'assertion', 'SubjectConfirmation');
  const [first] = confirmations;
  if (!first || confirmations.length > 1 || first.attributes.get('Method') !== bearer) throw new BadAnswer('bearer');
  const data = onlyChild(first, 'assertion', 'SubjectConfirmationData');
  if (!data) throw new BadAnswer('bearer');
  if (data.attributes.get('Recipient') !== acs_address) throw new BadAnswer('recipient');
  if (data.attributes.get('InResponseTo') !== requestId) throw new BadAnswer('in_response_to');
  checkTimes(data, now);
}

function nameIdIn(subject: Element): SamlAnswer['name_id'] {
  const found = onlyChild(subject, 'assertion', 'NameID');
  const value = textOf(found);
  if (!found || value === null) return null;
  const { attributes } = found;
  return { value, format: attributes.get('Format') ?? '', qualifier: attributes.get('NameQualifier') ?? '' };
}

const attributesIn = (assertion: Element): SamlAnswer['attributes'] =>
  childrenOf(assertion, 'assertion', 'AttributeStatement')
    .flatMap((statement) => childrenOf(statement, 'assertion', 'Attribute'))
    .map((attribute) => ({
      name: attribute.attributes.get('Name') ?? '',
      values: childrenOf(attribute, 'assertion', 'AttributeValue').map(textOf),
    }));

/** Reads a response that is signed as a whole. Throws `BadAnswer` with the reason. `now` is in seconds. */
export function readSigned(response: Element, expected: Expected, now: number): SamlAnswer {
  const requestId = response.attributes.get('InResponseTo');
  if (requestId === undefined) throw new BadAnswer('in_response_to');
  if (statusOf(response) !== success) throw new BadAnswer('status');
  if (response.attributes.get('Destination') !== expected.acs_address) throw new BadAnswer('destination');
  const issued = secondsOf(response.attributes.get('IssueInstant'));
  if (issued === null || issued > now + clockTolerance) throw new BadAnswer('not_yet');
  const assertion = onlyChild(response, 'assertion', 'Assertion');
  const subject = onlyChild(assertion, 'assertion', 'Subject');
  if (!assertion || !subject) throw new BadAnswer('subject');
  const issuers = childrenOf(response, 'assertion', 'Issuer').concat(childrenOf(assertion, 'assertion', 'Issuer'));
  if (!onlyChild(assertion, 'assertion', 'Issuer') || issuers.some((issuer) => textOf(issuer) !== expected.issuer))
    throw new BadAnswer('issuer');
  checkBearer(subject, requestId, expected, now);
  checkConditions(assertion, expected, now);
  const statement = childrenOf(assertion, 'assertion', 'AuthnStatement')[0];
  if (!statement) throw new BadAnswer('subject');
  const context = onlyChild(statement, 'assertion', 'AuthnContext');
  return {
    request_id: requestId,
    name_id: nameIdIn(subject),
    attributes: attributesIn(assertion),
    authn_instant: secondsOf(statement.attributes.get('AuthnInstant')),
    authn_context: textOf(onlyChild(context, 'assertion', 'AuthnContextClassRef')),
  };
}
