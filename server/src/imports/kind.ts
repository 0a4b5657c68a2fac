import type { ImportRow, Permission } from '@tenure/contract';
import type { Kysely } from 'kysely';
import type { Actor } from '../access/actor.ts';
import type { Db } from '../db/connect.ts';
import type { DB } from '../db/schema.ts';
import type { FileUse } from '../files/limits.ts';
import type { SheetLimits } from '../spreadsheets/sheet.ts';
import type { Vocabulary } from './columns.ts';
import type { ImportRecord, Kept, Settings } from './record.ts';

/** What is known of a file as a whole: at least which rows it has. */
export type FileRows = { rows: readonly number[] };

export type Checking = {
  db: Db;
  actor: Actor;
  record: ImportRecord;
  /** Told after each piece of work how many rows are read. */
  onProgress?: (rows: number) => Promise<void>;
};

/** How far the writing is; `made` are departments that were made for it. */
export type Progress = { done: number; made: readonly number[] };

export type Writing<Keys extends FileRows = FileRows> = {
  db: Kysely<DB>;
  record: ImportRecord;
  keys: Keys;
  /** Told in the transaction of each piece of work; throws when the work is lost. */
  onDone: (db: Db, progress: Progress) => Promise<void>;
};

/** What came of an undo: the rows that stayed, or why it changed nothing at all. */
export type Undone = { kept: Kept } | { refused: string[] };

/** Why an import ended; nothing more of it is written. */
export class ImportFailed extends Error {}

/** What one kind of import has of its own; staging, leases, states, pages and files are the same for all. */
export interface ImportKind<Keys extends FileRows = FileRows> {
  type: ImportRow['type'];
  permission: Permission;
  /** Said when the importer may not import any more. */
  withdrawn: string;
  vocabulary: Vocabulary;
  file: { use: FileUse; limits: Partial<SheetLimits> };
  /** The page of an import in the application. */
  page: (id: number) => `/${string}`;
  /** Fields that a search in the rows looks into beside the key. */
  searched: readonly string[];
  /** Fields of a file that somebody may not see. */
  hiddenFrom: (actor: Actor) => ReadonlySet<string>;
  /** Refuses settings the actor may not choose. */
  allowSettings: (actor: Actor, settings: Settings) => void;
  /**
   * Undoes a finished import as far as its rows allow it; null where that cannot be done.
   * @param onBatch told after each piece of work, while the transaction of `db` goes on; throws when the work is lost
   */
  undo: ((db: Db, record: ImportRecord, onBatch: () => Promise<void>) => Promise<Undone>) | null;
  /** Reads by what rows belong together. */
  readKeys(db: Db, record: ImportRecord): Promise<Keys>;
  /** The rows to check again after one was corrected. */
  affected(row: number, before: Keys, after: Keys): number[];
  /** Checks all rows, or only some, and keeps what was found out. */
  check(checking: Checking, keys: Keys, rows?: readonly number[]): Promise<void>;
  /** The rows that would now do something else than was shown. */
  findStale(checking: Checking, keys: Keys): Promise<number[]>;
  /**
   * Writes the rows that are planned and not written yet; `finish` ends the import in the last transaction.
   * @throws ImportFailed
   */
  write(writing: Writing<Keys>, finish: (db: Db) => Promise<void>): Promise<void>;
}
