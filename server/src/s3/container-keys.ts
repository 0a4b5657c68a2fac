import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { isLoopback } from '../loopback.ts';
import { BadAddress } from './address.ts';
import type { KeySource, S3Keys } from './address.ts';
import { noKeys, S3Error } from './errors.ts';
import { send, textOf } from './requests.ts';
import type { TimeLimits } from './requests.ts';

/**
 * Keys that a container service issues and renews: ECS, and EKS Pod Identity. The platform sets these variables, under
 * Amazon's names.
 */
export type ContainerSettings = {
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI?: string | undefined;
  AWS_CONTAINER_CREDENTIALS_FULL_URI?: string | undefined;
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE?: string | undefined;
};

const ofEcs = '169.254.170.2';
/** Addresses that stay on this machine: the answer contains keys, and the request may contain a token. */
const known = new Set([ofEcs, '169.254.170.23', '[fd00:ec2::23]']);

/** @throws {BadAddress} for an endpoint that is not on this machine */
function endpointOf(settings: ContainerSettings): URL | undefined {
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: path, AWS_CONTAINER_CREDENTIALS_FULL_URI: full } = settings;
  const text = path === undefined ? full : `http://${ofEcs}${path}`;
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    (known.has(url.hostname) || isLoopback(url.hostname))
  )
    return url;
  const name = path === undefined ? 'AWS_CONTAINER_CREDENTIALS_FULL_URI' : 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI';
  throw new BadAddress(
    `has no keys, and ${name} names no credential endpoint of this machine: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY`,
  );
}

const answer = z.object({
  AccessKeyId: z.string().min(1),
  SecretAccessKey: z.string().min(1),
  Token: z.string().min(1),
  Expiration: z.iso.datetime({ offset: true }),
});

const limits: TimeLimits = { silenceMs: 2_000, totalMs: 4_000, pauseMs: 0 };
const largestAnswer = 64 * 1_024;

type Lent = S3Keys & {
  /** In milliseconds since 1970. */
  expires: number;
};

/** The token may be renewed too, so its file is read each time. */
async function askFor(url: URL, tokenFile: string | undefined): Promise<Lent> {
  try {
    const token = tokenFile === undefined ? '' : (await readFile(tokenFile, 'utf8')).trim();
    const headers = { accept: 'application/json', ...(token !== '' && { authorization: token }) };
    const response = await send({ method: 'GET', url, headers, content: undefined }, limits);
    const text = await textOf(response, limits, largestAnswer);
    if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`);
    const found = answer.parse(JSON.parse(text));
    const { AccessKeyId: id, SecretAccessKey: secret, Token } = found;
    return { id, secret, token: Token, expires: Date.parse(found.Expiration) };
  } catch (error) {
    const { code, name, message } = error as NodeJS.ErrnoException;
    // these errors quote the invalid value, which may be a secret, and the log would show them as the cause
    if (error instanceof z.ZodError || error instanceof SyntaxError)
      throw new S3Error(noKeys, { message: 'another answer' });
    throw new S3Error(noKeys, { message: (code ?? message) || name, cause: error });
  }
}

const earlyMs = 5 * 60_000;
const pauseMs = 5_000;

/** Keys are requested once for all requests, and again before they expire: five minutes, or half a shorter lifetime. */
export function openContainerKeys(url: URL, tokenFile: string | undefined, now = () => Date.now()): KeySource {
  let lent: Lent | undefined;
  let renewAt = 0;
  let asking: Promise<Lent> | undefined;

  async function ask() {
    const asked = now();
    // the existing ones remain valid until they expire
    renewAt = asked + pauseMs;
    lent = await askFor(url, tokenFile);
    renewAt = lent.expires - Math.min(earlyMs, (lent.expires - asked) / 2);
    return lent;
  }
  const askOnce = () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };

  return {
    read: async () => {
      if (!lent || lent.expires <= now()) return askOnce();
      if (renewAt <= now()) void askOnce().catch(() => undefined);
      return lent;
    },
    clear: () => {
      lent = undefined;
    },
  };
}

const opened = new Map<string, KeySource>();

/**
 * The keys that the container of this process gets, the same for all addresses; undefined if it gets none.
 * @throws {BadAddress} for an endpoint that is not on this machine
 */
export function containerKeys(settings: ContainerSettings): KeySource | undefined {
  const url = endpointOf(settings);
  if (!url) return undefined;
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile } = settings;
  const id = `${url.href} ${tokenFile ?? ''}`;
  const source = opened.get(id) ?? openContainerKeys(url, tokenFile);
  opened.set(id, source);
  return source;
}
