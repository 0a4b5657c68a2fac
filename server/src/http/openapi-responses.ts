import type { Endpoint } from '@tenure/contract';
import { fileTypes } from '../files/limits.ts';
import type { FileExtension } from '../files/limits.ts';

export type Schema = { [key: string]: unknown };

const refusal = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } };
const header = (description: string) => ({ description, schema: { type: 'integer' } });
const retryAfter = { 'Retry-After': header('Seconds to wait') };
const allow = { description: 'Methods of the address', schema: { type: 'string', maxLength: 100 } };

/** Refusals that all endpoints share, by component name. */
const refusals: Record<string, [status: number, description: string, headers?: Schema]> = {
  Unauthenticated: [401, 'No session, or one that ended'],
  Forbidden: [403, 'Permission, role or relationship does not allow it, or a new password must be chosen first'],
  NotFound: [404, 'No such row in the scope of the caller'],
  MethodNotAllowed: [405, 'The address knows other methods', { Allow: allow }],
  TooLarge: [413, 'The body or its file is too large'],
  TokenMismatch: [419, 'The CSRF token is missing or belongs to another session'],
  Invalid: [422, 'Fields that are wrong, or a state that does not allow it'],
  TooMany: [
    429,
    'A limit is used up',
    { ...retryAfter, 'X-RateLimit-Limit': header('Requests a minute'), 'X-RateLimit-Remaining': header('0') },
  ],
  HeadersTooLarge: [431, 'The headers, the cookies or the address are too long'],
  ServerError: [500, 'An unexpected fault; the request id finds it in the log'],
  Unavailable: [503, 'The database or the file store is away or busy', retryAfter],
};

export const errorResponses: Record<string, Schema> = Object.fromEntries(
  Object.entries(refusals).map(([name, [, description, headers]]) => [
    name,
    { description, content: refusal, ...(headers && { headers }) },
  ]),
);

/** The statuses an endpoint refuses with. */
function refusalStatuses({ method, permission, path, cached, setting }: Endpoint): number[] {
  const changes = method !== 'GET';
  return [
    ...(permission === 'public' ? [] : [401, 403]),
    // an account without a person has no profile to change; the record of a repeated request may be gone
    ...(path.includes(':') ||
    cached ||
    setting ||
    path.startsWith('/profile') ||
    (method === 'POST' && permission !== 'public')
      ? [404]
      : []),
    ...(changes ? [405, 413, 419] : []),
    422,
    429,
    431,
    500,
    503,
  ];
}

/** The media types of kinds of files. */
export const mediaTypes = (kinds: readonly string[]): string[] => [
  ...new Set(kinds.map((kind) => fileTypes[kind as FileExtension])),
];

const bytes = { type: 'string', format: 'binary' };

const success = ({ status, file, stream, reply }: Endpoint, schemaName: string): Schema =>
  stream
    ? { description: 'Server-sent events', content: { 'text/event-stream': { schema: {} } } }
    : file
      ? {
          description: 'The file',
          content: Object.fromEntries(mediaTypes(file).map((type) => [type, { schema: bytes }])),
        }
      : reply
        ? {
            description: 'Done',
            content: { 'application/json': { schema: { $ref: `#/components/schemas/${schemaName}` } } },
          }
        : { description: status === 204 ? 'Done; the answer is empty' : 'Done' };

/** Every status an endpoint can answer with. */
export function responsesOf(endpoint: Endpoint, schemaName: string): Record<string, Schema> {
  const statuses = refusalStatuses(endpoint);
  const shared = Object.entries(refusals).filter(([, [status]]) => statuses.includes(status));
  return {
    [endpoint.status]: success(endpoint, schemaName),
    ...(endpoint.cached && { 304: { description: 'The file that the browser has is the current one' } }),
    ...Object.fromEntries(shared.map(([name, [status]]) => [status, { $ref: `#/components/responses/${name}` }])),
  };
}
