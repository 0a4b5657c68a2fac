import { BadAnswer } from '../openid.ts';
import { childrenOf, everyElement, namespaces, onlyChild } from './xml.ts';
import type { Element } from './xml.ts';

/**
 * What an answer may look like before its signatures are verified. Every signature wrapping attack needs a second
 * assertion, a signature in another place, or a reference to something other than its parent: all of these shapes are
 * refused.
 */

const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const signatureMethods = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]);
const digestMethods = new Set(['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512']);

const algorithmOf = (element: Element | undefined) => element?.attributes.get('Algorithm') ?? '';
const shape = (what: string) => new BadAnswer('shape', new Error(what));

/** Refuses a signature that does not cover exactly its parent element. */
function checkSignature(holder: Element): void {
  const signature = onlyChild(holder, 'signature', 'Signature');
  if (!signature) throw new BadAnswer('unsigned');
  const parts = signature.children.map(({ name }) => name).join(' ');
  if (parts !== 'SignedInfo SignatureValue KeyInfo' && parts !== 'SignedInfo SignatureValue')
    throw shape('a signature with other parts');
  const info = onlyChild(signature, 'signature', 'SignedInfo');
  const reference = onlyChild(info, 'signature', 'Reference');
  if (info?.children.length !== 3 || reference?.children.length !== 3) throw shape('a signature of several things');
  if (reference.attributes.get('URI') !== `#${holder.attributes.get('ID')}`)
    throw shape('a signature of another thing');
  const transforms = onlyChild(reference, 'signature', 'Transforms')?.children.map(algorithmOf).join(' ');
  const canonical = algorithmOf(onlyChild(info, 'signature', 'CanonicalizationMethod'));
  if (transforms !== `${enveloped} ${exclusive}` || canonical !== exclusive) throw shape('other transforms');
  if (
    !signatureMethods.has(algorithmOf(onlyChild(info, 'signature', 'SignatureMethod'))) ||
    !digestMethods.has(algorithmOf(onlyChild(reference, 'signature', 'DigestMethod')))
  )
    throw new BadAnswer('algorithm');
}

/** Names that other readers accept as ids. */
const idNames = ['ID', 'Id', 'id'];

function checkIds(all: readonly Element[]): void {
  const ids = all.flatMap(({ attributes }) => idNames.flatMap((name) => attributes.get(name) ?? []));
  if (new Set(ids).size !== ids.length) throw shape('an id twice');
}

/** The status code; a nested code has more details for people, but is not used here. */
export const statusOf = (response: Element): string =>
  onlyChild(onlyChild(response, 'protocol', 'Status'), 'protocol', 'StatusCode')?.attributes.get('Value') ?? '';
export const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** Refuses an answer with another shape or untrusted algorithms, or of a failure. Nothing in it is trusted yet. */
export function checkShape(response: Element): void {
  if (response.name !== 'Response' || response.space !== namespaces.protocol) throw shape('no response');
  if (response.attributes.get('Version') !== '2.0') throw shape('another version');
  if (statusOf(response) !== success) throw new BadAnswer('status');
  const all = [...everyElement(response)];
  const count = (name: string) => all.filter((element) => element.name === name).length;
  if (count('EncryptedAssertion') + count('EncryptedID') > 0) throw new BadAnswer('encrypted');
  const [assertion] = childrenOf(response, 'assertion', 'Assertion');
  if (!assertion || count('Assertion') !== 1) throw shape('not one assertion');
  if (count('Response') !== 1 || count('Status') !== 1) throw shape('not one response');
  checkIds(all);
  checkSignature(response);
  checkSignature(assertion);
  if (count('Signature') !== 2) throw shape('a signature in another place');
}
