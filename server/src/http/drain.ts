import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

const megabyte = 1_024 * 1_024;
/** How much is read after the answer on a connection that stays open, and for how long. */
const drained = { bytes: megabyte, milliseconds: 30_000 };
/** The same on one that closes, for a client that reads nothing until it has sent everything. */
export const lingering = { bytes: 16 * megabyte, milliseconds: 5_000 };

/**
 * Ends a connection from our side and keeps reading for a while: closing it with unread data would reset it, and the
 * answer in transit would be lost. Finally closes it, whatever the client does.
 */
export function linger(socket: Socket, { bytes, milliseconds } = lingering): void {
  let left = bytes;
  const late = setTimeout(() => socket.destroy(), milliseconds);
  // what arrives now is no longer a request
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
  socket.once('close', () => clearTimeout(late));
  socket.end();
  socket.resume();
}

/** The body is known to be so small that reading it is cheaper than a new connection. */
const isSmall = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? Infinity) <= drained.bytes;

/**
 * Called before an answer whose request was not read to the end: discards the rest of a small body; for any other,
 * closes the connection after the answer without a reset. Returns true if it will be closed, which the answer has to
 * announce.
 */
export function drainBody(request: IncomingMessage, closes: boolean): boolean {
  const { headers, socket } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const isRead = !hasBody || request.complete || request.readableEnded || request.destroyed;
  // requests in tests that bypass the network have no connection
  if (isRead || !(socket instanceof Socket)) return closes || socket.readableEnded;
  if (closes || !isSmall(request)) {
    // Node calls it once the last answer of a connection is written
    socket.destroySoon = () => linger(socket);
    return true;
  }
  const late = setTimeout(() => linger(socket), drained.milliseconds);
  const done = () => clearTimeout(late);
  request.on('end', done).on('close', done).on('error', done);
  // an earlier reader may have stopped in the middle
  request.unpipe();
  request.on('data', () => undefined);
  request.resume();
  return false;
}
