import { Agent as HttpAgent, request as overHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as overHttps } from 'node:https';
import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { S3Error, silent } from './errors.ts';

/** The body of a request; `open` is called for each try. */
export type Content = { size: number; sha256: string; open: () => Readable };

export type Outgoing = {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  content: Content | undefined;
};

export type TimeLimits = {
  /** Milliseconds without a byte in either direction. */
  silenceMs: number;
  /** Milliseconds until the response headers arrive, and of all waiting for the body. */
  totalMs: number;
  /** Milliseconds before the second try; four times as many before the third. */
  pauseMs: number;
};

export const usualLimits: TimeLimits = { silenceMs: 5_000, totalMs: 60_000, pauseMs: 150 };

// connections stay open between requests
const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };

const late = () => new S3Error(silent);

/**
 * Sends a request and returns the response once its headers arrive; the caller reads or destroys its body. An error of
 * the content, which is read from this machine's disk, is thrown unchanged, because it says nothing about the store.
 */
export function send(
  { method, url, headers, content }: Outgoing,
  { silenceMs, totalMs }: TimeLimits,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, timeout: silenceMs };
    const request =
      url.protocol === 'https:'
        ? overHttps(url, { ...options, agent: agents.https })
        : overHttp(url, { ...options, agent: agents.http });
    const timer = setTimeout(() => request.destroy(late()), totalMs);
    const fail = (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(error instanceof S3Error ? error : new S3Error(error.code ?? 'ECONNRESET', { cause: error }));
    };
    request.on('timeout', () => request.destroy(late()));
    request.on('error', fail);
    request.on('response', (response) => {
      clearTimeout(timer);
      // from here on, only waiting by the reader counts, see `bodyOf`
      request.setTimeout(0);
      // a refusal may arrive before the whole body was sent
      if (!request.writableFinished) response.on('end', () => request.destroy());
      resolve(response);
    });
    if (!content) return void request.end();
    const source = content.open();
    source.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    pipeline(source, request, (error) => error && request.destroy(error));
  });
}

/** The chunks of a response body. Only time in which the reader waits for the store counts. */
export async function* bodyOf(
  response: IncomingMessage,
  { silenceMs, totalMs }: TimeLimits,
): AsyncGenerator<Buffer, void> {
  let left = totalMs;
  const pieces = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const started = performance.now();
      const timer = setTimeout(() => response.destroy(late()), Math.max(1, Math.min(silenceMs, left)));
      const { value, done } = await pieces.next().finally(() => clearTimeout(timer));
      if (done) return;
      left -= performance.now() - started;
      yield value;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw error instanceof S3Error ? error : new S3Error(code ?? 'ECONNRESET', { cause: error });
  } finally {
    response.destroy();
  }
}

/** The whole body as text; more than `most` bytes are an error. */
export async function textOf(response: IncomingMessage, limits: TimeLimits, most: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of bodyOf(response, limits)) {
    size += piece.length;
    if (size > most) throw new S3Error('AnswerTooLarge', { status: response.statusCode ?? 0 });
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
