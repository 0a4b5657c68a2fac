/** What an object store or the way to it refused. */
export class S3Error extends Error {
  /** That of the store, such as `AccessDenied`, or of the connection, such as `ECONNREFUSED`. */
  readonly code: string;
  /** Of an answer of the store; undefined where none came. */
  readonly status: number | undefined;
  constructor(code: string, { status, message, cause }: { status?: number; message?: string; cause?: unknown } = {}) {
    super(message ?? `The object store answered ${code}`, { cause });
    this.code = code;
    this.status = status;
  }

  /** Whether the same request may succeed a moment later. Silence took its time already and is not tried again. */
  get isPassing(): boolean {
    if (this.status === undefined) return this.code !== silent;
    return this.status >= 500 || this.status === 429 || passing.has(this.code);
  }

  /** Whether the store does what the settings say, and would refuse every request. */
  get isSettled(): boolean {
    return this.status !== undefined && this.status < 500 && !this.isPassing;
  }
}

/** The code of a store that said nothing in time. */
export const silent = 'ETIMEDOUT';

/** The code of a store that calls lent keys old. */
export const expired = 'ExpiredToken';

/** The code of keys that a container was not lent. */
export const noKeys = 'NoCredentials';

// the body was changed on its way, or did not arrive in time; or lent keys were renewed a moment too late
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

/** An error of the place `name` as one line for the operator. */
export function inWords(name: string, { code, status, message }: S3Error): string {
  if (code === noKeys)
    return `${name} cannot be used: the credential endpoint of this container gives no keys (${message}).`;
  return status === undefined
    ? `${name} cannot be reached (${code}): check the endpoint and the network.`
    : `${name} answered ${code}${advice[code] ? `: ${advice[code]}.` : '.'}`;
}
