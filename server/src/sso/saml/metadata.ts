import { text } from '@tenure/contract';
import { readCertificate } from '../../crypto/certificate.ts';
import type { Certificate } from '../../crypto/certificate.ts';
import type { Door } from '../../http-out/door.ts';
import { EgressDenied, EgressFailed } from '../../http-out/failures.ts';
import { invalid } from '../../http/errors.ts';
import { childrenOf, namespaces, onlyChild, readXml } from './xml.ts';
import type { Element } from './xml.ts';

/** A SAML provider's metadata: its name, where browsers go, and its signing keys. */

export type SamlMetadata = { issuer: string; sso_url: string; certificates: string[] };
export type MetadataSource = { metadata_xml?: string | undefined; metadata_url?: string | undefined };

const maxBytes = 1_000_000;
const timeoutMs = 10_000;
const leastBits = 2_048;
const maxCertificates = 2;
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

type Field = keyof MetadataSource;

/** The provider in the document: alone, or the only provider among several entities. */
function providerIn(root: Element): Element | undefined {
  const entities = root.name === 'EntitiesDescriptor' ? childrenOf(root, 'metadata', 'EntityDescriptor') : [root];
  const found = entities.filter(
    (entity) =>
      entity.space === namespaces.metadata &&
      entity.name === 'EntityDescriptor' &&
      childrenOf(entity, 'metadata', 'IDPSSODescriptor').length === 1,
  );
  return found.length === 1 ? found[0] : undefined;
}

/** Refuses metadata that has expired. */
function refusePast(field: Field, elements: readonly (Element | undefined)[]): void {
  for (const until of elements.flatMap((element) => element?.attributes.get('validUntil') ?? [])) {
    const at = Date.parse(until);
    if (Number.isNaN(at)) throw invalid(field, text('sso.no_metadata'));
    if (at <= Date.now())
      throw invalid(field, text('sso.ended_metadata', { date: { day: new Date(at).toISOString().slice(0, 10) } }));
  }
}

function parsed(field: Field, xml: string): Element {
  try {
    return readXml(xml, { plain: false });
  } catch {
    throw invalid(field, text('sso.no_metadata'));
  }
}

const isHttps = (value: string | undefined): value is string =>
  value !== undefined && value.length <= 1_000 && URL.canParse(value) && new URL(value).protocol === 'https:';

/** Certificates of signing keys; a key without a stated use serves all uses. */
const certificatesIn = (descriptor: Element): string[] => [
  ...new Set(
    childrenOf(descriptor, 'metadata', 'KeyDescriptor')
      .filter(({ attributes }) => (attributes.get('use') ?? 'signing') === 'signing')
      .flatMap((key) => onlyChild(key, 'signature', 'KeyInfo') ?? [])
      .flatMap((info) => childrenOf(info, 'signature', 'X509Data'))
      .flatMap((data) => childrenOf(data, 'signature', 'X509Certificate'))
      .map(({ text: base64 }) => base64.replaceAll(/\s/g, '')),
  ),
];

/** Refuses keys that are too weak, and expired certificates; an expired one beside a valid one is left out. */
function checked(field: Field, found: readonly string[]): string[] {
  const read = found.map(readCertificate);
  if (read.length === 0 || read.includes(undefined)) throw invalid(field, text('sso.no_certificate'));
  const certificates = read as Certificate[];
  const weak = certificates.find(({ key }) => key.type !== 'rsa' || key.bits < leastBits);
  if (weak) throw invalid(field, text('sso.weak_certificate', { bits: leastBits }));
  const living = certificates.filter(({ valid_until }) => Date.parse(valid_until) > Date.now());
  if (living.length === 0) {
    const last =
      certificates
        .map(({ valid_until }) => valid_until.slice(0, 10))
        .sort()
        .at(-1) ?? '';
    throw invalid(field, text('sso.ended_certificate', { date: { day: last } }));
  }
  if (living.length > maxCertificates) throw invalid(field, text('sso.many_certificates', { most: maxCertificates }));
  return living.map(({ der }) => der);
}

/** Parses a document. Throws 422 on the field that it came in, with the reason. */
export function readSamlMetadata(field: Field, xml: string): SamlMetadata {
  const root = parsed(field, xml);
  const provider = providerIn(root);
  const descriptor = onlyChild(provider, 'metadata', 'IDPSSODescriptor');
  const issuer = provider?.attributes.get('entityID')?.trim() ?? '';
  if (!descriptor || issuer === '' || issuer.length > 500) throw invalid(field, text('sso.no_metadata'));
  refusePast(field, [root, provider, descriptor]);
  // an Entra ID document for all tenants has a placeholder for the tenant
  if (issuer.includes('{')) throw invalid(field, text('sso.many_tenants'));
  const service = childrenOf(descriptor, 'metadata', 'SingleSignOnService').find(
    ({ attributes }) => attributes.get('Binding') === redirect,
  );
  const sso_url = service?.attributes.get('Location');
  if (!isHttps(sso_url)) throw invalid(field, text('sso.no_redirect'));
  return { issuer, sso_url, certificates: checked(field, certificatesIn(descriptor)) };
}

/** Fetches the text of a document. */
async function fetched(door: Door, url: string): Promise<string> {
  const refuse = (key: 'unreachable' | 'not_allowed' | 'no_metadata') => invalid('metadata_url', text(`sso.${key}`));
  const headers = { accept: 'application/samlmetadata+xml, application/xml, text/xml' };
  const answer = await door.send({ url, headers, maxBytes, timeoutMs }).catch((error: unknown) => {
    if (error instanceof EgressDenied) throw refuse('not_allowed');
    if (error instanceof EgressFailed) throw refuse('unreachable');
    throw error;
  });
  if (answer.status !== 200) throw refuse('no_metadata');
  return answer.body.toString('utf8');
}

/** The metadata that was sent, or found at the address that was sent; undefined if neither was. */
export async function samlMetadataOf(door: Door, source: MetadataSource): Promise<SamlMetadata | undefined> {
  const { metadata_xml, metadata_url } = source;
  if (metadata_xml !== undefined) return readSamlMetadata('metadata_xml', metadata_xml);
  if (metadata_url !== undefined) return readSamlMetadata('metadata_url', await fetched(door, metadata_url));
  return undefined;
}
