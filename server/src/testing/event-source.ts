import { vi } from 'vitest';
import { cookieHeader } from './client.ts';
import type { Client } from './client.ts';

export type Heard = { event: string; id?: string; data: Record<string, unknown> };

export type Source = {
  status: number;
  headers: Headers;
  /** The events in order. */
  heard: Heard[];
  /** The raw text received. */
  text: () => string;
  /** True when the service ended the answer. */
  isOver: () => boolean;
  /** The events of a kind, once there are this many. */
  wait: (event: string, count?: number) => Promise<Heard[]>;
  close: () => void;
};

function parsed(block: string): Heard | undefined {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  if (!fields.event) return undefined;
  return {
    event: fields.event,
    ...(fields.id && { id: fields.id }),
    data: JSON.parse(fields.data ?? 'null') as Record<string, unknown>,
  };
}

/** Opens the notification stream at a port like a browser. */
export async function openSource(
  port: number,
  client: Pick<Client, 'cookies'>,
  headers: Record<string, string> = {},
): Promise<Source> {
  const hangUp = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${port}/api/notifications/stream`, {
    headers: { cookie: cookieHeader(client.cookies), referer: 'http://localhost:8000/', ...headers },
    signal: hangUp.signal,
  });
  const heard: Heard[] = [];
  let text = '';
  let isOver = false;
  const reading = async () => {
    for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString('utf8');
      heard.splice(0, heard.length, ...text.split('\n\n').flatMap((block) => parsed(block) ?? []));
    }
  };
  void reading()
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  return {
    status: answer.status,
    headers: answer.headers,
    heard,
    text: () => text,
    isOver: () => isOver,
    wait: (event, count = 1) =>
      vi.waitFor(
        () => {
          const found = heard.filter((one) => one.event === event);
          if (found.length < count) throw new Error(`${found.length} of ${count} ${event}: ${text}`);
          return found;
        },
        { timeout: 10_000, interval: 10 },
      ),
    close: () => hangUp.abort(),
  };
}
