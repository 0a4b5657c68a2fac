import type { Refusal } from '@tenure/contract';

/** The service answered, and refused. `status` 0 stands for no answer at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly refusal: Refusal;
  /** When to ask again, in milliseconds since 1970; a minute from now when the service did not say. */
  readonly retryAt: number;

  constructor(status: number, refusal: Refusal, retryAfterSeconds = 60) {
    super(refusal.message);
    this.name = 'ApiError';
    this.status = status;
    this.refusal = refusal;
    this.retryAt = Date.now() + retryAfterSeconds * 1_000;
  }

  /** All messages by field, ready for a form. */
  get fieldErrors(): Record<string, string> {
    return Object.fromEntries(
      Object.entries(this.refusal.errors ?? {}).map(([field, messages]) => [field, messages.join(' ')]),
    );
  }
}

/** True when the service answered with this status. */
export const hasStatus = (error: unknown, status: number): error is ApiError =>
  error instanceof ApiError && error.status === status;

/** True when the record was changed after the revision that was sent: another one may do. */
export const isOutdated = (error: unknown, sent: number | undefined): error is ApiError =>
  error instanceof ApiError && error.refusal.revision !== undefined && error.refusal.revision !== sent;
