import type { Refusal } from '@tenure/contract';
import { messages } from '@tenure/contract';
import { HashQueueFull } from '../crypto/hash-pool.ts';
import { StoreUnavailable } from '../files/store.ts';
import { NoTurn } from '../files/turns.ts';

export type FieldErrors = Record<string, string[]>;

/** A refusal with the exact answer it gives; everything else that is thrown becomes a 500 or a 503. */
export class HttpError extends Error {
  readonly status: number;
  readonly body: Refusal;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, body: Refusal, headers: Record<string, string> = {}) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** The first message, and how many more there are; messages are counted, not fields. */
export function summary(errors: FieldErrors): string {
  const all = Object.values(errors).flat();
  const more = all.length - 1;
  return more < 1 ? (all[0] ?? '') : `${all[0]} (and ${more} more error${more === 1 ? '' : 's'})`;
}

/** The field as messages name it: `entity_id` is "entity id"; a nested key stays as it is. */
export const attributeName = (field: string) => (field.includes('.') ? field : field.replaceAll('_', ' '));

/** Fills `:attribute` of a message template. */
export const say = (field: string, template: string) => template.replaceAll(':attribute', attributeName(field));

export const badRequest = () => new HttpError(400, { message: 'Bad request.' }, { connection: 'close' });
export const requestTimeout = () => new HttpError(408, { message: 'Request timeout.' });
export const unauthenticated = () => new HttpError(401, { message: 'Unauthenticated.' });
export const forbidden = (message = 'This action is unauthorized.') => new HttpError(403, { message });
export const notFound = () => new HttpError(404, { message: 'Not found.' });
export const methodNotAllowed = (allow: string) => new HttpError(405, { message: 'Method not allowed.' }, { allow });
export const tokenMismatch = () => new HttpError(419, { message: 'CSRF token mismatch.' });
export const bodyTooLarge = (errors?: FieldErrors) =>
  new HttpError(413, { message: 'The request body is too large.', ...(errors && { errors }) });
export const unavailable = (seconds = 5, extra: Partial<Refusal> = {}) =>
  new HttpError(503, { message: 'Service Unavailable', ...extra }, { 'retry-after': String(seconds) });

/** Fields that are wrong, as messages that name them. */
export const invalidFields = (errors: FieldErrors) => new HttpError(422, { message: summary(errors), errors });

/** One field that is wrong; `template` may hold `:attribute`. */
export const invalid = (field: string, template: string) => invalidFields({ [field]: [say(field, template)] });

/** A state that does not allow the action; the current one stands beside `errors`, so that a client can refresh. */
export const conflict = (message: string, { status, revision }: { status: string; revision: number }) =>
  // the two alone: callers hand in whole records
  new HttpError(422, { message, errors: { status: [message] }, status, revision });

/** A delete refused because of what is in the way. */
export const inTheWay = (resource: string, message: string) =>
  new HttpError(422, { message, errors: { [resource]: [message] } });

export const tooMany = (seconds: number, limit: number) =>
  new HttpError(
    429,
    { message: 'Too Many Attempts.' },
    {
      'retry-after': String(Math.max(1, Math.ceil(seconds))),
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': '0',
    },
  );

export const tooManyLogins = (seconds: number) => {
  const wait = Math.max(1, Math.ceil(seconds));
  const message = `Too many login attempts. Please try again in ${wait} seconds.`;
  return new HttpError(429, { message, errors: { email: [message] } }, { 'retry-after': String(wait) });
};

type DatabaseError = Error & { code?: string; constraint?: string; table?: string; detail?: string };

const lostConnection = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '55P03',
  '57014',
  '08000',
  '08003',
  '08006',
  '08001',
  '08004',
]);
const lostConnectionTexts = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Query read timeout',
  'connection is closed',
  'Cannot use a pool after calling end',
  'server closed the connection',
];

/** True when the database is away, busy beyond its limits or was cut off. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message } = error as DatabaseError;
  return (
    (code !== undefined && lostConnection.has(code)) ||
    (typeof message === 'string' && lostConnectionTexts.some((text) => message.includes(text)))
  );
}

export const isRetryable = (error: unknown) => ['40P01', '40001'].includes((error as DatabaseError).code ?? '');

/** Constraints whose field is not part of their name `<table>_<field>_key|_fkey|_check`. */
const constraintFields: Record<string, [field: string, template: string]> = {
  employees_entity_id_department_id_fkey: ['department_id', messages.selected],
  departments_entity_id_parent_id_fkey: ['parent_id', messages.selected],
  last_active_admin: ['status', 'There must always be one active administrator.'],
  users_email_folded_key: ['email', messages.taken],
  employees_check: ['reporting_manager_id', messages.selected],
  departments_check: ['parent_id', messages.selected],
  departments_check1: ['team_lead_id', 'The :attribute field and manager id must be different.'],
};

function fieldOf(error: DatabaseError): string | undefined {
  const prefix = `${error.table}_`;
  return error.constraint?.startsWith(prefix)
    ? error.constraint.slice(prefix.length).replace(/_(key|fkey|check)$/, '')
    : undefined;
}

/** What a refusal of the database means to the sender; anything unknown stays what it was. */
export function fromDatabase(raw: unknown): unknown {
  // anything can be thrown
  const error = (raw ?? {}) as DatabaseError;
  const known = error.constraint ? constraintFields[error.constraint] : undefined;
  if (known) return invalid(...known);
  if (error.code === '23505') return invalid(fieldOf(error) ?? 'record', messages.taken);
  if (error.code === '23503') return invalid(fieldOf(error) ?? 'record', messages.selected);
  if (error.code === '53100') return unavailable(30);
  if (isRetryable(error) || isDatabaseAway(error)) return unavailable();
  if (error instanceof StoreUnavailable || error instanceof NoTurn) return unavailable(error.retryAfter);
  if (error instanceof HashQueueFull) return tooManyLogins(error.retryAfter);
  return raw;
}
