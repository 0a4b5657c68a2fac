import type { Config } from '../../config.ts';
import { namespaces } from './xml.ts';

/** The addresses by which SAML providers know the service, different for each provider. */

type Place = Pick<Config, 'APP_URL'>;

/** Where answers arrive (assertion consumer service). */
export const acsAddressOf = ({ APP_URL }: Place, id: number): string => `${APP_URL}/sso/${id}/acs`;

/** The service's entity id, which is also the address of its metadata. */
export const entityIdOf = ({ APP_URL }: Place, id: number): string => `${APP_URL}/sso/${id}/metadata`;

export const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The service's metadata for a provider. It is known without the database, except for the name id. */
export const metadataOf = (config: Place, id: number, subjectAttribute: string | null): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="${namespaces.metadata}" entityID="${escaped(entityIdOf(config, id))}">
  <md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="${namespaces.protocol}">${
    subjectAttribute === null ? `\n    <md:NameIDFormat>${persistent}</md:NameIDFormat>` : ''
  }
    <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${escaped(acsAddressOf(config, id))}" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`;
