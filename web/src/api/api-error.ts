import type { Refusal } from '@tenure/contract';

/** An error answer of the service. `status` 0 means that there was no answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly refusal: Refusal;
  /** When to retry, in milliseconds since 1970; one minute from now if the service sent no Retry-After. */
  readonly retryAt: number;

  constructor(status: number, refusal: Refusal, retryAfterSeconds = 60) {
    super(refusal.message);
    this.name = 'ApiError';
    this.status = status;
    this.refusal = refusal;
    this.retryAt = Date.now() + retryAfterSeconds * 1_000;
  }

  /** The messages of each field, joined into one text. */
  get fieldErrors(): Record<string, string> {
    return Object.fromEntries(
      Object.entries(this.refusal.errors ?? {}).map(([field, messages]) => [field, messages.join(' ')]),
    );
  }
}

export const hasStatus = (error: unknown, status: number): error is ApiError =>
  error instanceof ApiError && error.status === status;

/** True if the record has a newer revision than the one sent; a retry with that one may succeed. */
export const isOutdated = (error: unknown, sent: number | undefined): error is ApiError =>
  error instanceof ApiError && error.refusal.revision !== undefined && error.refusal.revision !== sent;
