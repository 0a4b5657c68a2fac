import { randomUUID } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import { rsaCertificate } from './certificates.ts';

/** A SAML provider whose answers a test can change: their content, their signatures and the signed document. */

const algorithms = {
  sha256: ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2001/04/xmlenc#sha256'],
  sha512: ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', 'http://www.w3.org/2001/04/xmlenc#sha512'],
  sha1: ['http://www.w3.org/2000/09/xmldsig#rsa-sha1', 'http://www.w3.org/2000/09/xmldsig#sha1'],
} as const;
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
export const formats = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  address: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
};

export type Signer = { key: string; cert: string };

/** A request, as a provider parses it from the URL. */
export type Asked = { id: string; xml: string; acs: string; audience: string };

export function readRequest(url: string): Asked {
  const packed = new URL(url).searchParams.get('SAMLRequest') ?? '';
  const xml = inflateRawSync(Buffer.from(packed, 'base64')).toString();
  const read = (pattern: RegExp) => pattern.exec(xml)?.[1] ?? '';
  return {
    id: read(/ ID="([^"]+)"/),
    xml,
    acs: read(/AssertionConsumerServiceURL="([^"]+)"/),
    audience: read(/<saml:Issuer[^>]*>([^<]+)</),
  };
}

/** The content of an answer; instants are in seconds from now. */
export type Saying = {
  issuer: string;
  nameId: string;
  format: string;
  attributes: Record<string, readonly string[]>;
  inResponseTo: string | null;
  subjectInResponseTo: string | null;
  destination: string;
  recipient: string;
  audience: string;
  status: string;
  from: number;
  until: number;
  confirmUntil: number;
  signedInAt: number;
  context: string;
};

const instant = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
const maybe = (name: string, value: string | null) => (value === null ? '' : ` ${name}="${value}"`);

const attribute = ([name, values]: [string, readonly string[]]) =>
  `<saml:Attribute Name="${name}">${values
    .map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`)
    .join('')}</saml:Attribute>`;

const assertionOf = (said: Saying, id: string) =>
  `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${instant(0)}"><saml:Issuer>${said.issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${said.format}">${said.nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData${maybe('InResponseTo', said.subjectInResponseTo)} Recipient="${said.recipient}" NotOnOrAfter="${instant(said.confirmUntil)}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${instant(said.from)}" NotOnOrAfter="${instant(said.until)}"><saml:AudienceRestriction><saml:Audience>${said.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${instant(said.signedInAt)}" SessionIndex="of-tests"><saml:AuthnContext><saml:AuthnContextClassRef>${said.context}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${Object.entries(said.attributes).map(attribute).join('')}</saml:AttributeStatement></saml:Assertion>`;

const responseOf = (said: Saying, id: string, content: string) =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${instant(0)}" Destination="${said.destination}"${maybe('InResponseTo', said.inResponseTo)}><saml:Issuer>${said.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${said.status}"/></samlp:Status>${content}</samlp:Response>`;

/** Signs the element with an id; the signature follows its issuer. */
export function signElement(
  xml: string,
  id: string,
  { key, cert }: Signer,
  algorithm: keyof typeof algorithms = 'sha256',
) {
  const [signatureAlgorithm, digestAlgorithm] = algorithms[algorithm];
  const signer = new SignedXml({
    privateKey: key,
    publicCert: cert,
    signatureAlgorithm,
    canonicalizationAlgorithm: exclusive,
  });
  const xpath = `//*[@ID='${id}']`;
  signer.addReference({ xpath, transforms: [enveloped, exclusive], digestAlgorithm });
  const location = { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' } as const;
  signer.computeSignature(xml, { location, prefix: 'ds' });
  return signer.getSignedXml();
}

export type Bends = {
  say?: Partial<Saying>;
  /** What is signed; by default both. */
  sign?: readonly ('response' | 'assertion')[];
  algorithm?: keyof typeof algorithms;
  by?: Signer;
  /** Changes the assertion, or the whole, before signing. */
  assertion?: (xml: string) => string;
  response?: (xml: string) => string;
  /** Changes the signed document. */
  bend?: (xml: string, ids: { response: string; assertion: string }) => string;
};

export function samlProvider() {
  const signer = rsaCertificate();
  const issuer = 'https://idp.test/entity';
  const sso = 'https://idp.test/sso?tenant=1';
  const metadata = (certificates: readonly string[] = [signer.cert], fields: { issuer?: string; sso?: string } = {}) =>
    `<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${fields.issuer ?? issuer}"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${certificates
      .map(
        (cert) =>
          `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${cert.replaceAll(/-----[^-]+-----/g, '')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
      )
      .join(
        '',
      )}<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.test/post"/><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${fields.sso ?? sso}"/></md:IDPSSODescriptor></md:EntityDescriptor>`;

  /** An answer to a request, as the document that the browser delivers. */
  function answer({ id, acs, audience }: Asked, subject: string, bends: Bends = {}): string {
    const said: Saying = {
      issuer,
      nameId: subject,
      format: formats.persistent,
      attributes: {},
      inResponseTo: id,
      subjectInResponseTo: id,
      destination: acs,
      recipient: acs,
      audience,
      status: 'Success',
      from: -5,
      until: 300,
      confirmUntil: 300,
      signedInAt: -10,
      context: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
      ...bends.say,
    };
    const ids = { response: `_r${randomUUID()}`, assertion: `_a${randomUUID()}` };
    const { sign = ['assertion', 'response'], by = signer, algorithm, assertion = String, response = String } = bends;
    let xml = response(responseOf(said, ids.response, assertion(assertionOf(said, ids.assertion))));
    if (sign.includes('assertion')) xml = signElement(xml, ids.assertion, by, algorithm);
    if (sign.includes('response')) xml = signElement(xml, ids.response, by, algorithm);
    return bends.bend ? bends.bend(xml, ids) : xml;
  }
  return { issuer, sso, signer, metadata, answer };
}
