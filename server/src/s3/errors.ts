/** An error of an object store, or of the connection to it. */
export class S3Error extends Error {
  /** The store's code, such as `AccessDenied`, or the connection's, such as `ECONNREFUSED`. */
  readonly code: string;
  /** The status of the store's answer; undefined if there was none. */
  readonly status: number | undefined;
  constructor(code: string, { status, message, cause }: { status?: number; message?: string; cause?: unknown } = {}) {
    super(message ?? `The object store answered ${code}`, { cause });
    this.code = code;
    this.status = status;
  }

  /** Whether the same request may succeed a moment later. Silence already took its time, and is not retried. */
  get isPassing(): boolean {
    if (this.status === undefined) return this.code !== silent;
    return this.status >= 500 || this.status === 429 || passing.has(this.code);
  }

  /** Whether the answer is final: the store does what it is set to do, and would refuse each time. */
  get isSettled(): boolean {
    return this.status !== undefined && this.status < 500 && !this.isPassing;
  }
}

/** The code for a store that did not answer in time. */
export const silent = 'ETIMEDOUT';

/** The store's code for expired temporary keys. */
export const expired = 'ExpiredToken';

/** The code for keys that a container did not get. */
export const noKeys = 'NoCredentials';

// the body was changed in transit or did not arrive in time; or temporary keys were renewed a moment too late
const passing = new Set([expired, 'XAmzContentSHA256Mismatch', 'BadDigest', 'IncompleteBody', 'RequestTimeout']);

const advice: Readonly<Record<string, string>> = {
  AccessDenied: 'the key has no right to it',
  AuthorizationHeaderMalformed: 'the region is another',
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID is unknown there',
  NoSuchBucket: 'the bucket does not exist',
  PermanentRedirect: 'the region or the endpoint is another',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY is another',
};

/** An error of the store `name` as one line for the operator. */
export function inWords(name: string, { code, status, message }: S3Error): string {
  if (code === noKeys)
    return `${name} cannot be used: the credential endpoint of this container gives no keys (${message}).`;
  return status === undefined
    ? `${name} cannot be reached (${code}): check the endpoint and the network.`
    : `${name} answered ${code}${advice[code] ? `: ${advice[code]}.` : '.'}`;
}
