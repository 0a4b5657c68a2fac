import { Readable } from 'node:stream';
import pg from 'pg';
import { Refusal } from '../refusal.ts';

/** What the server sends: the files of the cluster as one tar, then its manifest with the SHA-256 of each file. */
export type Piece = { part: 'files' | 'manifest'; data: Buffer };

export type Position = { lsn: string; timeline: number };

export type BaseStream = {
  pieces: AsyncIterable<Piece>;
  /** Where the required WAL begins and ends; known once the pieces are read. */
  begin: () => Position;
  end: () => Position;
};

/** A connection that can read the whole cluster. */
export async function connectToReplicate(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    replication: 'database',
    application_name: 'tenure base',
  } as pg.ClientConfig);
  client.on('error', () => undefined);
  await client.connect().catch((error: Error) => {
    throw new Refusal(
      `The database does not allow base backups (${error.message}): start the service once with BACKUP_WAL=on.`,
      {
        cause: error,
      },
    );
  });
  return client;
}

type Fields = (string | null)[];
/** The part of the driver's connection that a query uses. */
type Connection = { query: (text: string) => void; stream: { pause: () => void; resume: () => void } };

const command =
  "BASE_BACKUP (LABEL 'tenure', CHECKPOINT 'fast', WAIT false, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')";

/** Requests a base backup. The server continues only as fast as the pieces are consumed. */
export function streamBase(client: pg.Client): BaseStream {
  const rows: Fields[][] = [];
  const query = new BaseQuery(rows);
  client.query(query as unknown as pg.Submittable);
  // the answer is a row with the start, one per tablespace, the copy, and a row with the end
  const positionOf = (set: Fields[] | undefined): Position => {
    const [lsn, timeline] = set?.[0] ?? [];
    if (!lsn) throw new Refusal('The database ended the base backup: check its log, and try again.');
    return { lsn, timeline: Number(timeline) };
  };
  return { pieces: query.pieces, begin: () => positionOf(rows[0]), end: () => positionOf(rows.at(-1)) };
}

/** A query whose answer has a copy between rows, which the driver's own queries do not support. */
class BaseQuery {
  readonly pieces: Readable;
  readonly #rows: Fields[][];
  #connection: Connection | undefined;
  #part: Piece['part'] = 'files';
  #archives = 0;
  #error: Error | undefined;

  constructor(rows: Fields[][]) {
    this.#rows = rows;
    this.pieces = new Readable({ objectMode: true, highWaterMark: 64, read: () => this.#connection?.stream.resume() });
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    connection.query(command);
  }

  handleRowDescription(): void {
    this.#rows.push([]);
  }

  handleDataRow({ fields }: { fields: Fields }): void {
    this.#rows.at(-1)?.push(fields);
  }

  /** The first byte is the type: `n` a new archive, `m` the manifest, `d` data, `p` progress. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const kind = String.fromCharCode(chunk[0] ?? 0);
    if (kind === 'm') this.#part = 'manifest';
    if (kind === 'n' && (this.#archives += 1) > 1)
      this.#error ??= new Refusal(
        'The cluster has tablespaces, which base backups of Tenure do not support: move their tables to pg_default.',
      );
    if (kind !== 'd' || this.#error) return;
    // a copy, because the driver reuses its buffer
    const isRoom = this.pieces.push({ part: this.#part, data: Buffer.from(chunk.subarray(1)) } satisfies Piece);
    if (!isRoom) this.#connection?.stream.pause();
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}

  handleError(error: Error): void {
    this.pieces.destroy(new Refusal(`The base backup was aborted: ${error.message}. Try again.`, { cause: error }));
  }

  handleReadyForQuery(): void {
    if (this.#error) this.pieces.destroy(this.#error);
    else this.pieces.push(null);
  }
}
