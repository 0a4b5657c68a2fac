import type { Answer, Client } from './client.ts';

const last = new WeakMap<Client, Promise<unknown>>();

/** Requests documents one after the other, because the service draws one at a time per user. */
export function getInTurn(client: Client, url: string): Promise<Answer> {
  if (!/\/(pdf|letter)(\?|$)/.test(url)) return client.get(url);
  const turn = (last.get(client) ?? Promise.resolve()).then(() => client.get(url));
  last.set(
    client,
    turn.catch(() => undefined),
  );
  return turn;
}
