import { Readable } from 'node:stream';
import { maxUnpacked, readChunks } from './chunks.ts';
import type { ReadChunk } from './chunks.ts';
import type { Manifest } from './manifest.ts';
import type { Sum } from './tables.ts';

type TableRows = {
  columns: string[];
  /** The rows as COPY writes them. */
  open: () => Readable;
  /** Their number and sum, to be compared after the restore. */
  sum: () => Promise<Sum>;
};

/** The rows of a database at one moment, from any source. */
export type Rows = Pick<Manifest, 'migrations' | 'audit_months' | 'sequences' | 'jobs'> & {
  /** The source, for messages: `the backup 20261122T063000Z-a1b2c3`. */
  name: string;
  /** What to do if the restored rows differ. */
  remedy: string;
  tables: Record<string, TableRows>;
};

/** A backup that can be read. */
export type Content = { manifest: Manifest; read: ReadChunk };

export function rowsOfBackup(manifest: Manifest, read: ReadChunk): Rows {
  const { id, tables, migrations, audit_months, sequences, jobs } = manifest;
  const entries = Object.entries(tables).map(([name, table]): [string, TableRows] => {
    const { columns, rows, sum } = table;
    const open = () => Readable.from(readChunks(read, table, maxUnpacked.rows));
    return [name, { columns, open, sum: async () => ({ rows, sum }) }];
  });
  return {
    name: `the backup ${id}`,
    remedy: 'use another backup',
    migrations,
    audit_months,
    sequences,
    jobs,
    tables: Object.fromEntries(entries),
  };
}
