import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

const megabyte = 1_024 * 1_024;
/** What is read after the answer on a connection that stays, and how long. */
const drained = { bytes: megabyte, milliseconds: 30_000 };
/** The same on one that closes: a client that reads nothing before it has written all gets to see its answer. */
export const lingering = { bytes: 16 * megabyte, milliseconds: 5_000 };

/**
 * Ends a connection from our side and reads on for a while: to close it while something is unread would reset it, and
 * the answer on its way would be lost. Frees it in the end whatever the client does.
 */
export function linger(socket: Socket, { bytes, milliseconds } = lingering): void {
  let left = bytes;
  const late = setTimeout(() => socket.destroy(), milliseconds);
  // what comes now is no request any more
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
  socket.once('close', () => clearTimeout(late));
  socket.end();
  socket.resume();
}

/** The body is known to be so small that reading it costs less than a new connection. */
const isSmall = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? Infinity) <= drained.bytes;

/**
 * Before an answer whose request was not read whole: reads and drops the rest of a small body, and for any other has
 * the connection closed behind the answer without a reset. True when it will be closed, which the answer has to say.
 */
export function drainBody(request: IncomingMessage, closes: boolean): boolean {
  const { headers, socket } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const isRead = !hasBody || request.complete || request.readableEnded || request.destroyed;
  // requests of tests that bypass the network have no connection
  if (isRead || !(socket instanceof Socket)) return closes || socket.readableEnded;
  if (closes || !isSmall(request)) {
    // Node calls it once the last answer of a connection is written
    socket.destroySoon = () => linger(socket);
    return true;
  }
  const late = setTimeout(() => linger(socket), drained.milliseconds);
  const done = () => clearTimeout(late);
  request.on('end', done).on('close', done).on('error', done);
  // whatever read it before may have stopped in the middle
  request.unpipe();
  request.on('data', () => undefined);
  request.resume();
  return false;
}
