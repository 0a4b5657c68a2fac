/** Why a request does not leave. */
export type Denial = 'scheme' | 'credentials' | 'literal' | 'address' | 'own';

/** The address must not be reached from here. */
export class EgressDenied extends Error {
  readonly reason: Denial;
  constructor(reason: Denial, hostname: string) {
    super(`${hostname} must not be reached: ${reason}`);
    this.reason = reason;
  }
}

/** The other side did not answer as it should. */
export type Failure = 'unresolved' | 'connection' | 'timeout' | 'too_large' | 'encoded' | 'proxy';

export class EgressFailed extends Error {
  readonly code: Failure;
  constructor(code: Failure, cause?: unknown) {
    super(`The request failed: ${code}`, { cause });
    this.code = code;
  }
}
