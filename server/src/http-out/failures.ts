/** Why a request is not sent. */
export type Denial = 'scheme' | 'credentials' | 'literal' | 'address' | 'own';

/** The address must not be reached from here. */
export class EgressDenied extends Error {
  readonly reason: Denial;
  constructor(reason: Denial, hostname: string) {
    super(`${hostname} must not be reached: ${reason}`);
    this.reason = reason;
  }
}

/** The other side did not respond as it should. */
export type Failure = 'unresolved' | 'connection' | 'timeout' | 'too_large' | 'encoded' | 'proxy';

export class EgressFailed extends Error {
  readonly code: Failure;
  constructor(code: Failure, cause?: unknown) {
    super(`The request failed: ${code}`, { cause });
    this.code = code;
  }
}

/** Why a message did not arrive, in words for people; undefined for an error of our own. */
export function reasonOf(error: unknown): Exclude<Failure, 'too_large' | 'encoded'> | 'denied' | undefined {
  if (error instanceof EgressDenied) return 'denied';
  if (!(error instanceof EgressFailed)) return undefined;
  // only the status counts, so an unreadable response is as good as none
  return error.code === 'too_large' || error.code === 'encoded' ? 'connection' : error.code;
}
