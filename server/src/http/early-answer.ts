import type { IncomingMessage } from 'node:http';

const mostBytes = 1_024 * 1_024;
const patience = 2_000;

/**
 * An answer that comes before its request was read whole: reads on for at most 1 MiB and 2 seconds, so that the client
 * gets to see the answer, and then closes the connection unless the request has ended by itself.
 */
export function readOn(request: IncomingMessage): void {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody || request.complete || request.readableEnded || request.destroyed) return;
  let left = mostBytes;
  const late = setTimeout(() => request.destroy(), patience);
  const done = () => clearTimeout(late);
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.pause();
  });
  request.on('end', done).on('close', done).on('error', done);
}
