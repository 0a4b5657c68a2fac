import { messages, text } from '@tenure/contract';
import type { Refusal, Text } from '@tenure/contract';
import type * as z from 'zod';
import { HashQueueFull } from '../crypto/hash-pool.ts';
import { isStalePlan, UnconfirmedCommit } from '../db/adapter.ts';
import { StoreUnavailable } from '../files/disk.ts';
import { NoTurn } from '../files/turns.ts';
import { inEnglish } from '../languages/languages.ts';

/** A text for the person who sent the request. */
export type Message = Text;
export type FieldErrors = Record<string, Message[]>;
/** The body of a refusal before its texts are rendered. */
export type RefusalBody = z.input<typeof Refusal>;

/** A refusal with its exact answer; any other error becomes a 500 or a 503. */
export class HttpError extends Error {
  readonly status: number;
  readonly body: RefusalBody;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, body: RefusalBody, headers: Record<string, string> = {}) {
    super(inEnglish(body.message));
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Several sentences in a row. */
export const joinTexts = (texts: readonly Text[]): Text =>
  texts.reduceRight((rest, first) => text('general.sentences', { first, rest }));

/** The first message, and how many more there are; messages are counted, not fields. */
export function summary(errors: FieldErrors): Text {
  const [first, ...others] = Object.values(errors).flat();
  const more = others.length;
  if (!first) return text('general.bad_request');
  return more < 1 ? first : text('validation.summary', { first, more });
}

/** A message about a field, with the field's name filled in. */
export const say = (field: string, message: Text): Text => ({
  ...message,
  parameters: { attribute: { field }, ...message.parameters },
});

export const badRequest = () => new HttpError(400, { message: text('general.bad_request') }, { connection: 'close' });
export const requestTimeout = () => new HttpError(408, { message: text('general.request_timeout') });
export const unauthenticated = () => new HttpError(401, { message: text('general.unauthenticated') });
/** 401 for a token that is invalid or no longer valid. */
export const invalidToken = () =>
  new HttpError(
    401,
    { message: text('general.unauthenticated') },
    { 'www-authenticate': 'Bearer error="invalid_token"' },
  );
export const forbidden = (message: Message = text('general.unauthorized')) => new HttpError(403, { message });
/** Refuses with 403 for a reason that is shown to people. */
export const forbiddenBecause = (message: Message) => new HttpError(403, { message, explained: true });
/** Refuses with 403 for the value of one field, with a message that says which one is allowed. */
export const forbiddenValue = (field: string, message: Message) =>
  new HttpError(403, { message: text('general.unauthorized'), errors: { [field]: [message] } });
export const notFound = () => new HttpError(404, { message: text('general.not_found') });
export const methodNotAllowed = (allow: string) =>
  new HttpError(405, { message: text('general.method_not_allowed') }, { allow });
export const tokenMismatch = () => new HttpError(419, { message: text('general.token_mismatch') });
export const bodyTooLarge = (errors?: FieldErrors) =>
  new HttpError(413, { message: text('general.body_too_large'), ...(errors && { errors }) });
export const unavailable = (seconds = 5, extra: Partial<RefusalBody> = {}) =>
  new HttpError(503, { message: text('general.unavailable'), ...extra }, { 'retry-after': String(seconds) });

/** The most fields that a refusal names: a form has fewer, and to say what is wrong takes time for each. */
export const maxNamed = 200;

/** Fields that are wrong, as messages that name them; of very many the first ones. */
export function invalidFields(found: FieldErrors): HttpError {
  const named = Object.entries(found).slice(0, maxNamed);
  const errors = Object.fromEntries(named.map(([field, all]) => [field, all.map((one) => say(field, one))]));
  return new HttpError(422, { message: summary(errors), errors });
}

/** Refuses one invalid field. */
export const invalid = (field: string, message: Message) => invalidFields({ [field]: [say(field, message)] });

/** Refuses an action that the state does not allow; returns the current state too, so that a client can refresh. */
export const conflict = (message: Message, { status, revision }: { status: string; revision: number }) =>
  // only these two, because callers pass whole records
  new HttpError(422, { message, errors: { status: [message] }, status, revision });

/** Refuses a delete because of what depends on the record. */
export const blocked = (resource: string, message: Message) =>
  new HttpError(422, { message, errors: { [resource]: [message] } });

export const tooMany = (seconds: number, limit: number) =>
  new HttpError(
    429,
    { message: text('general.too_many_attempts') },
    {
      'retry-after': String(Math.max(1, Math.ceil(seconds))),
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': '0',
    },
  );

export const tooManyLogins = (seconds: number) => {
  const wait = Math.max(1, Math.ceil(seconds));
  const message = text('account.too_many_logins', { seconds: wait });
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
  // a server that became read-only when it was demoted
  '25006',
  // a pooler had no connection in time, or mixed up its clients' prepared statements
  '08P01',
  '42P05',
  '26000',
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

/** True if the database is down, overloaded or was disconnected, or did not confirm a commit. */
export function isDatabaseAway(error: unknown): boolean {
  // an object store fails with the same codes
  if (error instanceof StoreUnavailable) return false;
  if (error instanceof UnconfirmedCommit) return true;
  const { code, message } = error as DatabaseError;
  return (
    (code !== undefined && lostConnection.has(code)) ||
    (typeof message === 'string' && lostConnectionTexts.some((text) => message.includes(text)))
  );
}

/** The transaction changed nothing, and succeeds when repeated. */
export const isRetryable = (error: unknown) =>
  ['40P01', '40001'].includes((error as DatabaseError).code ?? '') || isStalePlan(error);

/** Constraints that do not contain their field's name as `<table>_<field>_key|_fkey|_check`. */
const constraintFields: Record<string, [field: string, message: Message]> = {
  employees_entity_id_department_id_fkey: ['department_id', messages.unavailable],
  departments_entity_id_parent_id_fkey: ['parent_id', messages.unavailable],
  last_active_admin: ['status', text('employees.last_admin')],
  last_emergency_account: ['status', text('policies.last_break_glass')],
  sign_in_blocks_emergency_account: ['status', text('policies.break_glass_not_blocked')],
  // a cancelled evaluation was restored just as the person got another one
  kpi_evaluations_person_key: ['status', text('evaluations.has_other')],
  kpi_evaluations_person_end_key: ['status', text('evaluations.has_other')],
  identity_domains_domain_key: ['domains', messages.taken],
  users_email_folded_key: ['email', messages.taken],
  employees_check: ['reporting_manager_id', messages.unavailable],
  departments_check: ['parent_id', messages.unavailable],
  // a policy that took effect during the session
  session_register_second_factor: ['password', text('account.second_factor_required')],
  session_register_sign_in_policy: ['password', text('account.wrong_credentials')],
  session_register_password_sign_in: ['password', text('account.wrong_credentials')],
  entities_kpi_band_b_limit: ['kpi_band_b_from', text('kpi_cycles.band_limits')],
  entities_kpi_band_c_limit: ['kpi_band_c_from', text('kpi_cycles.band_limits')],
  entities_kpi_band_names: ['kpi_band_d_name', text('kpi_cycles.band_names')],
  departments_check1: ['team_lead_id', text('validation.heads_must_differ')],
};

function fieldOf(error: DatabaseError): string | undefined {
  const prefix = `${error.table}_`;
  return error.constraint?.startsWith(prefix)
    ? error.constraint.slice(prefix.length).replace(/_(key|fkey|check)$/, '')
    : undefined;
}

/** Translates a database error for the sender; unknown errors stay as they are. The log has the cause of an outage. */
export function fromDatabase(raw: unknown): unknown {
  const refusal = meaningOf(raw);
  return refusal instanceof HttpError && refusal.status === 503 && refusal !== raw
    ? Object.assign(refusal, { cause: raw })
    : refusal;
}

function meaningOf(raw: unknown): unknown {
  // any value can be thrown
  const error = (raw ?? {}) as DatabaseError;
  const known = error.constraint ? constraintFields[error.constraint] : undefined;
  if (known) return invalid(...known);
  if (error.code === '23505') return invalid(fieldOf(error) ?? 'record', messages.taken);
  if (error.code === '23503') return invalid(fieldOf(error) ?? 'record', messages.unavailable);
  if (error.code === '53100') return unavailable(30);
  if (error instanceof UnconfirmedCommit) return unavailable(5, { outcome: 'unknown' });
  if (isRetryable(error) || isDatabaseAway(error)) return unavailable();
  if (error instanceof StoreUnavailable || error instanceof NoTurn) return unavailable(error.retryAfter);
  if (error instanceof HashQueueFull) return tooManyLogins(error.retryAfter);
  return raw;
}
