import type { Config } from '../../config.ts';
import { readCertificate } from '../../crypto/certificate.ts';
import { BadAnswer } from '../openid.ts';
import type { SamlProvider } from '../providers.ts';
import { verifierFor } from './library.ts';
import { acsAddressOf, entityIdOf } from './places.ts';
import { checkShape } from './shape.ts';
import { readSigned } from './signed.ts';
import type { SamlAnswer } from './signed.ts';
import { BadXml, readXml } from './xml.ts';
import type { Element } from './xml.ts';

/** Checks an answer of a SAML provider. Only bytes covered by its signatures are trusted. */

/** The most bytes of a document; a request that contains one is no larger. */
export const maxBytes = 256 * 1_024;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The document of a form field. */
function decoded(field: string): string {
  const base64 = field.replaceAll(/\s/g, '');
  if (base64.length > maxBytes) throw new BadAnswer('too_large');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new BadAnswer('xml');
  try {
    return utf8.decode(Buffer.from(base64, 'base64'));
  } catch (error) {
    throw new BadAnswer('xml', error);
  }
}

function parsed(xml: string): Element {
  try {
    return readXml(xml, { plain: true });
  } catch (error) {
    throw error instanceof BadXml ? new BadAnswer('xml', error) : error;
  }
}

/** The provider, with only the certificates that have not expired. */
function withLiving(provider: SamlProvider, now: number): SamlProvider {
  const isLiving = (der: string) => Date.parse(readCertificate(der)?.valid_until ?? '') > now;
  const certificates = provider.certificates.filter(isLiving);
  if (certificates.length === 0) throw new BadAnswer('certificate');
  return { ...provider, certificates };
}

/**
 * The content of a provider's answer in the field `SAMLResponse`. `isOpen` returns whether a request was made and not
 * answered yet. Throws `BadAnswer` with the reason.
 */
export async function readSamlAnswer(
  config: Config,
  provider: SamlProvider,
  { field, isOpen }: { field: string; isOpen: (requestId: string) => Promise<boolean> },
): Promise<SamlAnswer> {
  const xml = decoded(field);
  const raw = parsed(xml);
  checkShape(raw);
  // before any cryptography, so that answers to no request of ours stop here
  const requestId = raw.attributes.get('InResponseTo') ?? '';
  if (!(await isOpen(requestId))) throw new BadAnswer('in_response_to');
  const verifier = await verifierFor(config, withLiving(provider, Date.now()), { requestId, isOpen });
  let failure: unknown;
  try {
    await verifier.validatePostResponseAsync({ SAMLResponse: Buffer.from(xml).toString('base64') });
  } catch (error) {
    failure = error;
  }
  if (verifier.verified === undefined) throw new BadAnswer('signature', failure);
  const { issuer, id } = provider;
  const expected = { issuer, entity_id: entityIdOf(config, id), acs_address: acsAddressOf(config, id) };
  const answer = readSigned(parsed(verifier.verified), expected, Date.now() / 1_000);
  if (failure !== undefined) throw new BadAnswer('refused', failure);
  return answer;
}
