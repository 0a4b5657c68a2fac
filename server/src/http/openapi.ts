import { endpointGroups, opensToTokens, Refusal } from '@tenure/contract';
import type { Endpoint } from '@tenure/contract';
import * as z from 'zod';
import type { Config } from '../config.ts';
import type { Binding } from './context.ts';
import { errorResponses, responsesOf } from './openapi-responses.ts';
import type { Schema } from './openapi-responses.ts';

type Operation = { operationId: string; responses: Record<string, Schema>; [key: string]: unknown };
type PathItem = Record<string, Operation | Schema[]>;
export type ApiDocument = {
  openapi: string;
  info: Schema;
  servers: Schema[];
  paths: Record<string, PathItem>;
  components: Record<string, Record<string, Schema>>;
};

const version = '1';
const contentTypes = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Schema => {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as Schema;
  return rest;
};

/** Every endpoint of the contract by its name, such as `employees.update`. */
export const declaredEndpoints: ReadonlyMap<Endpoint, string> = new Map(
  Object.entries(endpointGroups).flatMap(([group, members]) =>
    Object.entries(members).map(([name, endpoint]): [Endpoint, string] => [endpoint, `${group}.${name}`]),
  ),
);

const camel = (text: string) => text.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_all, next: string = '') => next.toUpperCase());
const pascal = (text: string) => camel(`.${text}`);

const stepUpText = ({ step_up }: Endpoint) => {
  if (!step_up) return '';
  const when =
    step_up === true
      ? ''
      : 'changes' in step_up
        ? ` where ${step_up.changes.join(' or ')} changes,`
        : ` with ${step_up.query}, except ${step_up.except.join(', ')}`;
  return ` With STEP_UP_MINUTES, 403 with step_up${when} until POST /profile/step-up.`;
};

/** Any one of these permissions opens the operation; none are required for guests or all signed-in users. */
const permissionsOf = ({ permission }: Endpoint): readonly string[] =>
  permission === 'public' || permission === 'signed in' ? [] : [permission].flat();

const permissionText = (endpoint: Endpoint) => {
  const { permission, scope, setting } = endpoint;
  const who = typeof permission === 'string' ? permission : permission.join(' or ');
  const isOff = setting ? ` 404 unless ${setting}=on.` : '';
  return `Permission: ${who}. Scope: ${scope}.${isOff}${stepUpText(endpoint)}`;
};

const idSchema = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

const parameterSchema = ({ words = {}, texts = {} }: Endpoint, name: string): Schema => {
  if (words[name]) return { type: 'string', enum: words[name], maxLength: 60 };
  return texts[name] ? { type: 'string', pattern: `^(?:${texts[name]})$`, maxLength: 80 } : idSchema;
};

const pathParameters = (endpoint: Endpoint): Schema[] =>
  [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: parameterSchema(endpoint, name),
  }));

/** Documents list parameters, which schemas do not, because the browser application includes the contract. */
const proseOf: Readonly<Record<string, string>> = {
  page: 'Number of the page from 1; anything else counts as 1',
  sort_direction: 'Upper case is read, too',
};
const separated = { description: 'One or several, separated by commas', style: 'form', explode: false };

function queryParameters({ query }: Endpoint): Schema[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query, 'input') as { properties?: Schema; required?: string[] };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    ...((schema as Schema).type === 'array' && { ...separated }),
    ...(proseOf[name] && { description: proseOf[name] }),
  }));
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A repeat with the same key and body does nothing again and gets the first answer, checked like a new request: 403 or 404 when its sender may no longer do it, a record as the sender sees it now, and 422 where an answer that cannot be read again held what the sender may see differently by now',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

const isSession = ({ path }: Endpoint) => path === '/login' || path === '/logout';

/** How an operation authenticates: cookies with the CSRF token, or a token if it is open to programs. */
function securityOf(endpoint: Endpoint): Schema[] {
  const { method, permission } = endpoint;
  const session = permission === 'public' ? {} : { session: [] };
  const own = method === 'GET' ? session : { ...session, csrf: [] };
  return permission !== 'public' && opensToTokens(endpoint) ? [own, { token: [] }] : [own];
}

/** A body is optional if every one of its fields is. */
const isNeeded = ({ body, upload, upload_optional }: Endpoint) =>
  (upload !== undefined && !upload_optional) || (body !== undefined && !z.safeParse(body, {}).success);

/** In a multipart form, lists and objects are sent as JSON parts. */
function encodingOf({ body }: Endpoint, type: string): Schema {
  if (type !== 'multipart/form-data' || !body) return {};
  const { properties = {} } = schemaOf(body, 'input') as { properties?: Record<string, Schema> };
  const isNested = (schema: Schema): boolean =>
    schema.type === 'object' || schema.type === 'array' || ((schema.anyOf as Schema[]) ?? []).some(isNested);
  const nested = Object.entries(properties).flatMap(([name, schema]) => (isNested(schema) ? [name] : []));
  if (nested.length === 0) return {};
  return { encoding: Object.fromEntries(nested.map((name) => [name, { contentType: 'application/json' }])) };
}

function bodyOf(endpoint: Endpoint, name: string): Schema | undefined {
  if (!endpoint.body && !endpoint.upload) return undefined;
  const reference = { $ref: `#/components/schemas/${pascal(name)}Body` };
  const types = endpoint.upload && !endpoint.upload_optional ? ['multipart/form-data'] : contentTypes;
  return {
    required: isNeeded(endpoint),
    content: Object.fromEntries(types.map((type) => [type, { schema: reference, ...encodingOf(endpoint, type) }])),
  };
}

/** A form has no null: a field is absent or empty. */
function withoutNull(schema: Schema): Schema {
  const { anyOf, ...rest } = schema as { anyOf?: Schema[] };
  const others = anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return others.length === 1 ? { ...rest, ...others[0] } : schema;
}

function bodySchema({ body, upload, upload_optional }: Endpoint): Schema {
  const schema = body ? schemaOf(body, 'input') : { type: 'object', properties: {} };
  if (!upload) return schema;
  const { properties: all = {}, required = [] } = schema as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  const properties = upload_optional
    ? all
    : Object.fromEntries(Object.entries(all).map(([name, field]) => [name, withoutNull(field)]));
  const file = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };
  return {
    ...schema,
    properties: { ...properties, file },
    required: upload_optional ? required : [...required, 'file'],
  };
}

function describe(endpoint: Endpoint, name: string): Operation {
  const { method, summary } = endpoint;
  const requestBody = bodyOf(endpoint, name);
  const header = method === 'POST' && !isSession(endpoint) ? [idempotencyKey] : [];
  return {
    operationId: camel(name),
    summary,
    description: permissionText(endpoint),
    tags: [name.split('.', 1)[0]],
    security: securityOf(endpoint),
    'x-permission': permissionsOf(endpoint),
    parameters: [...queryParameters(endpoint), ...header],
    ...(requestBody && { requestBody }),
    responses: responsesOf(endpoint, `${pascal(name)}Reply`),
  };
}

function schemasOf(endpoint: Endpoint, name: string): Record<string, Schema> {
  const { body, upload, reply } = endpoint;
  return {
    ...((body || upload) && { [`${pascal(name)}Body`]: bodySchema(endpoint) }),
    ...(reply && { [`${pascal(name)}Reply`]: schemaOf(reply, 'output') }),
  };
}

const csrfCookie = ({ APP_URL }: Config) => ({
  servers: [{ url: APP_URL }],
  get: {
    operationId: 'sessionPrime',
    summary: 'Set the XSRF-TOKEN cookie, whose value later requests send as X-XSRF-TOKEN',
    tags: ['session'],
    security: [],
    responses: { 204: { description: 'The cookie is set' }, 429: { $ref: '#/components/responses/TooMany' } },
  },
});

const securitySchemes = {
  session: { type: 'apiKey', in: 'cookie', name: 'tenure_session', description: 'Set by signing in' },
  token: { type: 'http', scheme: 'bearer', description: 'A personal token or one of a service account' },
  csrf: { type: 'apiKey', in: 'header', name: 'X-XSRF-TOKEN', description: 'The value of the XSRF-TOKEN cookie' },
};

/** The OpenAPI 3.1 document of everything that is bound, generated from the contract alone. */
export function describeApi(config: Config, bindings: readonly Binding[]): ApiDocument {
  const paths: Record<string, PathItem> = { '/sanctum/csrf-cookie': csrfCookie(config) };
  const schemas: Record<string, Schema> = { Refusal: schemaOf(Refusal, 'output') };
  for (const { endpoint } of bindings) {
    const name = declaredEndpoints.get(endpoint) ?? `other.${endpoint.method}${endpoint.path}`;
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    const parameters = pathParameters(endpoint);
    const item = (paths[path] ??= {
      ...(parameters.length > 0 && { parameters }),
      ...(isSession(endpoint) && { servers: [{ url: config.APP_URL }, { url: `${config.APP_URL}/api` }] }),
    });
    item[endpoint.method.toLowerCase()] = describe(endpoint, name);
    if (endpoint.method === 'PUT') item.patch = { ...describe(endpoint, name), operationId: `${camel(name)}Patch` };
    Object.assign(schemas, schemasOf(endpoint, name));
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tenure',
      version,
      description: 'HR management: companies, departments, people, KPI cycles and probation reviews.',
    },
    servers: [{ url: `${config.APP_URL}/api` }],
    paths,
    components: { schemas, responses: errorResponses, securitySchemes },
  };
}
