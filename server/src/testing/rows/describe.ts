import type pg from 'pg';
import type { Connection, Submittable } from 'pg';

export type Column = { name: string; type: string };

/** A statement and its columns as PostgreSQL describes them, or why it could not. */
export type Statement = { text: string; columns?: Column[]; failure?: string };

type Field = { name: string; dataTypeID: number };

/** Asks PostgreSQL for the columns of a statement without running it. */
class Description implements Submittable {
  fields: Field[] = [];
  readonly #text: string;
  readonly #end: (failure?: string) => void;
  constructor(text: string, end: (failure?: string) => void) {
    this.#text = text;
    this.#end = end;
  }
  submit(connection: Connection) {
    connection.parse({ name: '', text: this.#text, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  }
  handleRowDescription({ fields }: { fields: Field[] }) {
    this.fields = fields;
  }
  handleError(error: Error) {
    this.#end(error.message);
  }
  handleReadyForQuery() {
    this.#end();
  }
}

/** Fills in PostgreSQL's descriptions of these statements. */
export async function describe(database: pg.Pool, statements: readonly Statement[]): Promise<void> {
  if (statements.length === 0) return;
  const client = await database.connect();
  try {
    const { rows } = await client.query<{ oid: number; typname: string }>('select oid::int4, typname from pg_type');
    const types = new Map(rows.map(({ oid, typname }) => [oid, typname]));
    for (const statement of statements)
      await new Promise<void>((resolve) => {
        const description = new Description(statement.text, (failure) => {
          if (failure !== undefined) statement.failure = failure;
          else
            statement.columns = description.fields.map(({ name, dataTypeID }) => ({
              name,
              type: types.get(dataTypeID) ?? String(dataTypeID),
            }));
          resolve();
        });
        client.query(description);
      });
  } finally {
    client.release();
  }
}
