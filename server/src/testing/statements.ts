import type pg from 'pg';

/** The text of a statement, as the driver receives it. */
const textOf = (asked: unknown): string => {
  if (typeof asked === 'string') return asked;
  const { text, cursor } = asked as { text?: string; cursor?: { text?: string } };
  return text ?? cursor?.text ?? '';
};

type Statement = { values?: unknown; cursor?: { values?: unknown } };

/** The values sent with it. */
const valuesOf = ([asked, values]: unknown[]): unknown => {
  const { values: own, cursor } = Object(asked) as Statement;
  return values ?? own ?? cursor?.values;
};

const watched = new WeakSet<pg.PoolClient>();

/**
 * Lists the statements that a service sends from now on, one per round trip, including those that begin and end
 * transactions. With `values`, each is followed by its parameters. Returns a function that returns the list and empties
 * it.
 */
export function recordStatements(pool: pg.Pool, { values = false } = {}): () => string[] {
  let sent: string[] = [];
  pool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: unknown[]) => {
      const text = textOf(given[0]).replaceAll(/\s+/g, ' ').trim();
      sent.push(values ? `${text} ${JSON.stringify(valuesOf(given))}` : text);
      return query(...given);
    }) as typeof client.query;
  });
  return () => {
    const all = sent;
    sent = [];
    return all;
  };
}
