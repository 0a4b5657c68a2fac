import type { CacheProvider, SAML, SamlConfig } from '@node-saml/node-saml';
import type { Config } from '../../config.ts';
import { pemOf } from '../../crypto/certificate.ts';
import { flowSeconds } from '../../http/flow-cookies.ts';
import type { SamlProvider } from '../providers.ts';
import { acsAddressOf, entityIdOf, persistent } from './places.ts';

/** The SAML library. It is loaded by the first request to a SAML provider, so that it takes no memory otherwise. */

/** The library, and the bytes of the last response whose signatures it verified: nothing else may be read. */
export type Verifier = SAML & { readonly verified: string | undefined };

type Own = Omit<SamlConfig, 'validateInResponseTo'>;

async function load(): Promise<(options: Own) => Verifier> {
  const { SAML: Library, ValidateInResponseTo } = await import('@node-saml/node-saml');
  class Remembering extends Library {
    verified: string | undefined;
    /** Called once both signatures are verified, with the content that the response's signature covers. */
    protected override getSignedAssertion(signedXml: string): Promise<string | null> {
      this.verified = signedXml;
      return super.getSignedAssertion(signedXml);
    }
  }
  // by default, requests are not validated
  return (options) => new Remembering({ ...options, validateInResponseTo: ValidateInResponseTo.always });
}

let loaded: ReturnType<typeof load> | undefined;

type Asked = { requestId: string; forceAuthn?: boolean };

/** Requests are stored in the database, so that all processes together use each one only once. */
const cacheOf = (isOpen: (requestId: string) => Promise<boolean>): CacheProvider => ({
  saveAsync: () => Promise.resolve(null),
  getAsync: async (key) => ((await isOpen(key)) ? new Date().toISOString() : null),
  removeAsync: () => Promise.resolve(null),
});

const milliseconds = 1_000;

/** The library for one provider and one exchange. */
export async function verifierFor(
  config: Config,
  provider: SamlProvider,
  { requestId, forceAuthn = false, isOpen }: Asked & { isOpen: (requestId: string) => Promise<boolean> },
): Promise<Verifier> {
  loaded ??= load();
  const open = await loaded;
  return open({
    callbackUrl: acsAddressOf(config, provider.id),
    entryPoint: provider.sso_url,
    issuer: entityIdOf(config, provider.id),
    audience: entityIdOf(config, provider.id),
    idpIssuer: provider.issuer,
    idpCert: provider.certificates.map(pemOf),
    wantAuthnResponseSigned: true,
    wantAssertionsSigned: true,
    requestIdExpirationPeriodMs: flowSeconds * milliseconds,
    cacheProvider: cacheOf(isOpen),
    acceptedClockSkewMs: 60 * milliseconds,
    generateUniqueId: () => requestId,
    // the provider decides how people sign in; by default the library requires a password
    disableRequestedAuthnContext: true,
    identifierFormat: provider.subject_attribute === null ? persistent : null,
    forceAuthn,
  });
}
