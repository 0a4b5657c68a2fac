import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

export type RawAnswer = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Everything that the server sent, possibly several responses. */
  text: string;
  /** The server closed the connection before the client gave up waiting. */
  closed: boolean;
};

/** The headers of a request, as a browser with our application sends them. */
export const requestHead = (line: string, cookies: ReadonlyMap<string, string>, ...headers: string[]) =>
  [
    `${line} HTTP/1.1`,
    'Host: localhost:8000',
    'Referer: http://localhost:8000/',
    `Cookie: ${[...cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`,
    `X-XSRF-TOKEN: ${cookies.get('XSRF-TOKEN')}`,
    ...headers,
    '',
    '',
  ].join('\r\n');

/** The number of connections that a server holds open. */
export const connectionsOf = ({ server }: FastifyInstance) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

type Options = {
  /** How long to wait for more, in milliseconds; by default long enough for a busy machine. */
  wait?: number;
  /** Sent piece by piece after the first. */
  more?: Iterable<string | Buffer> | AsyncIterable<string | Buffer>;
  /** Also waits for the connection to close. */
  untilClosed?: boolean;
};

/** Listens on a free port of this machine until the app closes. */
export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

function parse(text: string): Pick<RawAnswer, 'status' | 'headers' | 'body'> {
  const end = text.indexOf('\r\n\r\n');
  const [line = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((header) => {
      const colon = header.indexOf(':');
      return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(line.split(' ')[1] ?? 0), headers, body: text.slice(end + 4) };
}

const isWhole = (text: string) => {
  const { headers, body, status } = parse(text);
  return status > 0 && (status === 204 || Buffer.byteLength(body) >= Number(headers['content-length'] ?? Infinity));
};

/** Sends raw bytes and reads what comes back. */
export async function sendBytes(port: number, first: string | Buffer, options: Options = {}): Promise<RawAnswer> {
  const { wait = 15_000, more = [], untilClosed = false } = options;
  const socket = connect(port, '127.0.0.1');
  const over = Promise.withResolvers<boolean>();
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('utf8');
    if (!untilClosed && isWhole(text)) over.resolve(false);
  });
  socket.on('close', () => over.resolve(true));
  // a server that refuses may reset the connection while more is in transit
  socket.on('error', () => undefined);
  const timer = setTimeout(() => over.resolve(false), wait);
  socket.write(first);
  for await (const piece of more) {
    if (socket.destroyed || !socket.writable) break;
    socket.write(piece);
  }
  const closed = await over.promise;
  clearTimeout(timer);
  socket.destroy();
  return { ...parse(text), text, closed };
}
