import type pg from 'pg';

/** The text of a statement as the driver takes it. */
const textOf = (asked: unknown): string => {
  if (typeof asked === 'string') return asked;
  const { text, cursor } = asked as { text?: string; cursor?: { text?: string } };
  return text ?? cursor?.text ?? '';
};

const watched = new WeakSet<pg.PoolClient>();

/**
 * Lists the statements that a service sends from now on, one for each round trip: also those that begin and end
 * transactions. Returns what empties the list and hands it out.
 */
export function recordStatements(pool: pg.Pool): () => string[] {
  let sent: string[] = [];
  pool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: unknown[]) => {
      sent.push(textOf(given[0]).replaceAll(/\s+/g, ' ').trim());
      return query(...given);
    }) as typeof client.query;
  });
  return () => {
    const all = sent;
    sent = [];
    return all;
  };
}
