import type { ImportRow, Permission, Text } from '@tenure/contract';
import type { Kysely, RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../access/actor.ts';
import type { Db } from '../db/connect.ts';
import type { DB } from '../db/schema.ts';
import type { FileUse } from '../files/limits.ts';
import type { SheetLimits } from '../spreadsheets/sheet.ts';
import type { Vocabulary } from './columns.ts';
import type { ImportRecord, Kept, Settings } from './record.ts';

/** What is known about a whole file: at least its row numbers. */
export type FileRows = { rows: readonly number[] };

export type Checking = {
  db: Db;
  actor: Actor;
  record: ImportRecord;
  /** Called with the number of rows read after each piece of work. */
  onProgress?: (rows: number) => Promise<void>;
};

/** The progress of writing; `made` are departments created by the import. */
export type Progress = { done: number; made: readonly number[] };

export type Writing<Keys extends FileRows = FileRows> = {
  db: Kysely<DB>;
  record: ImportRecord;
  keys: Keys;
  /** Called in the transaction of each piece of work; throws when the lease is lost. */
  onDone: (db: Db, progress: Progress) => Promise<void>;
};

/** The result of an undo: the kept rows, or why nothing changed. */
export type Undone = { kept: Kept } | { refused: Text[] };

/** Ends an import; nothing more of it is written. */
export class ImportFailed extends Error {
  readonly reason: Text;
  constructor(reason: Text) {
    super(reason.key);
    this.reason = reason;
  }
}

/** What differs by kind of import; staging, leases, states, pages and files are shared. */
export interface ImportKind<Keys extends FileRows = FileRows> {
  type: ImportRow['type'];
  permission: Permission;
  /** Message when the importer lost the right to import. */
  rightWithdrawn: Text;
  vocabulary: Vocabulary;
  file: { use: FileUse; limits: Partial<SheetLimits> };
  /** The page of an import in the application. */
  page: (id: number) => `/${string}`;
  /** Fields searched in the rows beside the key. */
  searched: readonly string[];
  /** Fields of a file that are hidden from an actor, with all their cells, errors and settings. */
  hiddenFrom: (actor: Actor, record: Pick<ImportRecord, 'created_by'>) => ReadonlySet<string>;
  /** SQL for the rows `r` that are hidden from an actor; absent or undefined if none are. */
  hiddenRows?: (actor: Actor, record: Pick<ImportRecord, 'created_by' | 'columns'>) => RawBuilder<SqlBool> | undefined;
  /** True for a field whose wrong value may be replaced in several rows at once. */
  isShared: (field: string) => boolean;
  /** True for a field that cannot be corrected; absent if all can. */
  isFixed?: (field: string) => boolean;
  /** The fields whose texts can be matched with values; absent if there are none. */
  choices?: {
    /** True for a field whose texts can stand for values: fixed choices or names. */
    isMatched: (field: string) => boolean;
    /** The fixed choices of a field. */
    of: (field: string) => readonly string[] | undefined;
    /** A text as it is read without a match: a choice, or the text itself. */
    read: (field: string, text: string) => string;
    /** Words of other systems for a choice. */
    otherWords: (field: string, choice: string) => readonly string[];
  };
  /** The fields with dates, and which texts a format reads; absent for files without dates. */
  days?: {
    fields: ReadonlySet<string>;
    formats: readonly Settings['date_format'][];
    reads: (text: string, format: Settings['date_format']) => boolean;
  };
  /** Refuses settings that the actor cannot choose. */
  allowSettings: (actor: Actor, settings: Settings) => void;
  /**
   * Undoes a finished import as far as its rows allow; null if that is impossible. `onBatch` is called in the
   * transaction of `db` after each piece of work, and throws when the lease is lost.
   */
  undo: ((db: Db, record: ImportRecord, onBatch: () => Promise<void>) => Promise<Undone>) | null;
  /** Reads the keys that relate rows to each other. */
  readKeys(db: Db, record: ImportRecord): Promise<Keys>;
  /** The rows to check again after a correction of rows. */
  affected(rows: readonly number[], before: Keys, after: Keys): number[];
  /** Checks all rows, or some, and stores the outcomes. */
  check(checking: Checking, keys: Keys, rows?: readonly number[]): Promise<void>;
  /** The rows that would now have another effect than shown. */
  findStale(checking: Checking, keys: Keys): Promise<number[]>;
  /** Writes the planned rows; `finish` ends the import in the last transaction. Throws ImportFailed. */
  write(writing: Writing<Keys>, finish: (db: Db) => Promise<void>): Promise<void>;
}
