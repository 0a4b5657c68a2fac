import { groups, users } from './attributes.ts';
import type { Attribute, Resource, Schema } from './attributes.ts';

/** What the service says about itself (RFC 7643, 5 to 7). */

export const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const maxResults = 200;

const spec = 'urn:ietf:params:scim:schemas:core:2.0';

const attributeBody = ({ subAttributes, referenceTypes, caseExact, uniqueness, ...about }: Attribute): object => ({
  ...about,
  returned: 'default',
  ...(about.type !== 'boolean' && about.type !== 'complex' && { caseExact }),
  uniqueness,
  ...(referenceTypes && { referenceTypes }),
  ...(subAttributes && { subAttributes: subAttributes.map(attributeBody) }),
});

const schemaBody = ({ id, name, description, attributes }: Schema, base: string) => ({
  schemas: [`${spec}:Schema`],
  id,
  name,
  description,
  attributes: attributes.map(attributeBody),
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
});

const typeBody = ({ name, endpoint, core, extensions }: Resource, base: string) => ({
  schemas: [`${spec}:ResourceType`],
  id: name,
  name,
  endpoint,
  description: core.description,
  schema: core.id,
  schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
});

const resources = [users, groups];

export const schemaBodies = (base: string) =>
  resources.flatMap(({ core, extensions }) => [core, ...extensions].map((schema) => schemaBody(schema, base)));

export const typeBodies = (base: string) => resources.map((resource) => typeBody(resource, base));

export const configBody = (base: string, documentation: string) => ({
  schemas: [`${spec}:ServiceProviderConfig`],
  documentationUri: documentation,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Token of a provisioning connection',
      description: 'Authorization: Bearer tnrc_…',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

/** A page of a list (RFC 7644, 3.4.2). `startIndex` starts at 1. */
export const listBody = (resourcesOfPage: readonly unknown[], totalResults: number, startIndex = 1) => ({
  schemas: [listSchema],
  totalResults,
  startIndex,
  itemsPerPage: resourcesOfPage.length,
  Resources: resourcesOfPage,
});
