import { messages, text } from '@tenure/contract';
import type { BodyOut, identityProviders } from '@tenure/contract';
import { readCertificate } from '../../crypto/certificate.ts';
import type { Deps } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { isGoogle } from '../../sso/metadata.ts';
import type { Metadata } from '../../sso/metadata.ts';
import type { Provider } from '../../sso/providers.ts';
import { samlMetadataOf } from '../../sso/saml/metadata.ts';
import type { MetadataSource } from '../../sso/saml/metadata.ts';

/** How a provider is reached; the two kinds have different fields for it. */

type Sent = BodyOut<typeof identityProviders.update>;
type Kind = Provider['kind'];

/** The fields that only one kind has. */
const fieldsOf = {
  oidc: [
    'issuer',
    'client_id',
    'client_auth',
    'client_secret',
    'scopes',
    'subject_claim',
    'address_claim',
    'end_session',
  ],
  saml: ['metadata_xml', 'metadata_url', 'subject_attribute', 'address_attribute'],
} as const satisfies Record<Kind, readonly (keyof Sent)[]>;

/** Refuses fields of the other kind, and a new provider without the fields that its kind needs. */
export function checkKind(kind: Kind, sent: Partial<Sent>, { isNew }: { isNew: boolean }): void {
  const other = fieldsOf[kind === 'oidc' ? 'saml' : 'oidc'].find((field) => sent[field] !== undefined);
  if (other) throw invalid(other, messages.prohibited);
  if (sent.metadata_xml !== undefined && sent.metadata_url !== undefined)
    throw invalid('metadata_url', messages.prohibited);
  if (!isNew) return;
  const needed = kind === 'oidc' ? (['issuer', 'client_id'] as const) : [];
  for (const field of needed) if (sent[field] === undefined) throw invalid(field, messages.required);
  if (kind === 'saml' && sent.metadata_xml === undefined && sent.metadata_url === undefined)
    throw invalid('metadata_xml', messages.required);
}

type Checked = Pick<Provider, 'kind' | 'issuer' | 'match_rule' | 'address_claim' | 'address_attribute'>;

/** If people can register themselves, `email` is what they typed, which proves nothing without `email_verified`. */
const isUnproved = ({ kind, match_rule, address_claim }: Checked) =>
  kind === 'oidc' && match_rule === 'tenant_address' && address_claim === 'email';

/**
 * Refuses combinations that would find the wrong account. A provider from an earlier release that finds accounts by the
 * unproved claim `email` stays unchanged, and its page shows a warning.
 */
export function check(provider: Checked & Partial<Provider>, before?: Checked): void {
  const { kind, match_rule, address_claim, address_attribute, issuer } = provider;
  const { second_factor, second_factor_values = [] } = provider;
  // only an issuer of a single organisation vouches for its addresses
  if (match_rule === 'tenant_address' && isGoogle(issuer)) throw invalid('match_rule', text('sso.many_tenants'));
  // SAML cannot say that an address is verified
  if (kind === 'saml' && match_rule === 'verified_email') throw invalid('match_rule', messages.selected);
  if (kind === 'saml' && match_rule === 'tenant_address' && address_attribute === null)
    throw invalid('address_attribute', messages.required);
  // only `email` comes with a verified flag
  if (match_rule === 'verified_email' && address_claim !== 'email') throw invalid('address_claim', messages.selected);
  if (isUnproved(provider) && !(before && isUnproved(before))) throw invalid('address_claim', text('sso.unproved'));
  if (second_factor === 'values' && second_factor_values.length === 0)
    throw invalid('second_factor_values', messages.required);
}

type Connection = { metadata?: Metadata; issuer?: string; sso_url?: string; certificates?: string[] };

/** Reads the stored settings from the provider, or from the metadata in the request. */
export async function readConnection(
  { openId, door }: Pick<Deps, 'openId' | 'door'>,
  kind: Kind,
  { issuer, ...source }: MetadataSource & { issuer: string },
): Promise<Connection> {
  if (kind === 'oidc') return { issuer, metadata: await openId.discover(issuer) };
  return (await samlMetadataOf(door, source)) ?? {};
}

/** The same for the audit log, with the fingerprints of certificates. */
export const audited = ({
  certificates,
  sso_url,
  issuer,
}: Partial<Pick<Provider, 'certificates' | 'sso_url' | 'issuer'>>) => ({
  ...(issuer !== undefined && { issuer }),
  ...(sso_url !== undefined && sso_url !== null && { sso_url }),
  ...(certificates !== undefined &&
    certificates.length > 0 && { certificates: certificates.map((der) => readCertificate(der)?.fingerprint ?? der) }),
});
