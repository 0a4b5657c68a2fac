import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { inImportTransaction } from './transaction.ts';
import { ImportFailed } from './kind.ts';
import type { FileRows, Writing } from './kind.ts';
import { rowMessage } from './outcomes.ts';
import type { Outcome } from './record.ts';

/** Rows that are written together, such as those of one person. */
type Group = { lines: readonly { row: number }[] };

type Work<G extends Group> = {
  /** The groups with planned rows that are still to be written. */
  open: readonly G[];
  inBatches: (groups: readonly G[]) => G[][];
  /** Writes groups using current data. Returns the first failure. */
  write: (db: Db, groups: readonly G[]) => Promise<Outcome | undefined>;
  /** Rows without effect, at the importer's request. */
  left_out: readonly { row: number }[];
};

/** The number of rows of some groups. */
export const rowsIn = (groups: readonly Group[]): number => groups.reduce((sum, { lines }) => sum + lines.length, 0);

const skip = (db: Db, importId: number, rows: readonly { row: number }[]) =>
  sql`
  update import_rows set status = 'skipped'
  where import_id = ${importId} and "row" = any(${rows.map(({ row }) => row)}::int[])`.execute(db);

type Finish = (db: Db) => Promise<void>;

/** Each batch in its own transaction; earlier batches stay. */
async function inSeveralTransactions<G extends Group>(
  writing: Writing<FileRows>,
  work: Work<G>,
  finish: Finish,
): Promise<void> {
  let done = writing.keys.rows.length - rowsIn(work.open);
  for (const groups of work.inBatches(work.open)) {
    done += rowsIn(groups);
    await inImportTransaction(writing.db, async (db) => {
      await work.write(db, groups);
      await writing.onDone(db, { done, made: [] });
    });
  }
  await inImportTransaction(writing.db, async (db) => {
    await skip(db, writing.record.id, work.left_out);
    await finish(db);
  });
}

/** All groups in one transaction or none. */
async function inOneTransaction<G extends Group>(
  writing: Writing<FileRows>,
  work: Work<G>,
  finish: Finish,
): Promise<void> {
  const all = writing.keys.rows.length;
  await inImportTransaction(writing.db, async (db) => {
    let done = all - rowsIn(work.open);
    for (const groups of work.inBatches(work.open)) {
      const failure = await work.write(db, groups);
      if (failure) throw new ImportFailed(rowMessage(failure));
      done += rowsIn(groups);
      // visible outside the transaction
      await writing.onDone(writing.db, { done, made: [] });
    }
    await skip(db, writing.record.id, work.left_out);
    await writing.onDone(db, { done: all, made: [] });
    await finish(db);
  });
}

/**
 * Writes the groups of an import in its mode. `finish` ends the import in the last transaction.
 * @throws ImportFailed at the first failure of an import that writes all rows or none
 */
export const writeInGroups = <G extends Group>(
  writing: Writing<FileRows>,
  work: Work<G>,
  finish: Finish,
): Promise<void> =>
  (writing.record.mode === 'atomic' ? inOneTransaction : inSeveralTransactions)(writing, work, finish);
