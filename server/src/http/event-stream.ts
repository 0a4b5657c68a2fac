import type { ServerResponse } from 'node:http';

/** One event as it is sent; a client that lost its connection returns `id` as `Last-Event-ID`. */
export type ServerEvent = { event: string; data: unknown; id?: number };

/** An answer with server-sent events that stays open until either side ends it. */
export type EventStream = {
  /** The last event that the client received before its connection broke. */
  lastId: number | undefined;
  send: (event: ServerEvent) => void;
  /** Keeps proxies from closing a silent connection. */
  beat: () => void;
  /** Sends a final event and ends. */
  end: (event: ServerEvent) => void;
  /** Called once, however the stream ends. */
  onClose: (closed: () => void) => void;
};

/** An endpoint's answer that continues: `begin` receives it once its headers are sent. */
export class StreamReply {
  readonly begin: (stream: EventStream) => void;
  constructor(begin: (stream: EventStream) => void) {
    this.begin = begin;
  }
}

/** Nothing in between may store, compress or buffer what is sent. */
export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

/** A client that reads so slowly that this much is queued is disconnected, and reconnects when it can. */
export const maxWaiting = 64 * 1_024;

/** Spread, so that not all clients reconnect at the same moment after a restart. */
const comeBack = ({ socket }: ServerResponse) => `retry: ${3_000 + ((socket?.remotePort ?? 0) % 5_000)}\n\n`;

const asText = ({ event, data, id }: ServerEvent) =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

/** Writes events to an answer whose headers have been sent. */
export function startEventStream(raw: ServerResponse, lastEventId: string | string[] | undefined): EventStream {
  let isOpen = true;
  raw.on('close', () => {
    isOpen = false;
  });
  // a client that ends its side of a stream is gone
  raw.socket?.once('end', () => raw.destroy());
  // a broken connection is the client's problem
  raw.on('error', () => undefined);
  const write = (text: string) => {
    if (!isOpen) return;
    raw.write(text);
    if (raw.writableLength > maxWaiting) raw.destroy();
  };
  write(comeBack(raw));
  return {
    lastId: typeof lastEventId === 'string' && /^[1-9][0-9]{0,14}$/.test(lastEventId) ? Number(lastEventId) : undefined,
    send: (event) => write(asText(event)),
    beat: () => write(':\n\n'),
    end: (event) => {
      write(asText(event));
      if (isOpen) raw.end();
      isOpen = false;
    },
    onClose: (closed) => {
      raw.once('close', closed);
    },
  };
}
