import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { fromDatabase, HttpError, isRetryable } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { lockReportingLines } from '../../people/rule-context.ts';
import { ImportFailed } from '../../imports/kind.ts';
import type { Writing as WritingOf } from '../../imports/kind.ts';
import { firstMessage, rowMessage, saveOutcomes } from '../../imports/outcomes.ts';
import { checkStaged, lineOf, withoutManager } from './check.ts';
import { managerRow } from './file-keys.ts';
import type { FileKeys } from './file-keys.ts';
import type { GainsChecked as Gains } from '../../people/gains.ts';
import { asFailed } from './check-row.ts';
import type { Checked } from './check-row.ts';
import { inImportTransaction } from '../../imports/transaction.ts';
import { runInOrder } from './concurrency.ts';
import { checkLines, managersFirst } from './lines.ts';
import { loadChains } from './people.ts';
import { cellsOf } from '../../imports/record.ts';
import type { ImportRecord, Outcome, StagedCells } from '../../imports/record.ts';
import { importerOf } from '../../imports/run.ts';
import { loadImportContext } from './import-context.ts';
import type { ImportContext } from './import-context.ts';
import { lockUnits, OrganisationChanged, takeNumbers, writeRows } from './write-batch.ts';
import type { UsedUnits } from './write-batch.ts';

const batch = 1_000;
// the database writes one batch while the next is checked
const concurrency = 2;
const tries = 3;

export const rightWithdrawn = text('imports.right_withdrawn');

type Writing = WritingOf<FileKeys>;

type Batch = { context: ImportContext; checked: Checked[]; gains: Gains };

async function loadRows(db: Db, importId: number, wanted: readonly number[]): Promise<StagedCells[]> {
  const rows: StagedCells[] = [];
  for await (const some of cellsOf(db, importId, { size: batch, rows: wanted })) rows.push(...some);
  return rows;
}

/** The importer's current rights, read again for each batch. */
async function loadBatchContext(db: Db, { record, keys }: Writing, rows: readonly number[]): Promise<ImportContext> {
  const actor = await importerOf(db, { permission: 'employees.import', rightWithdrawn }, record);
  const refs = [...new Set(rows.flatMap((row) => keys.managers.get(row) ?? []))];
  if (record.on_conflict === 'update' && refs.length > 0) await lockReportingLines(db);
  return loadImportContext(db, { actor, record, keys, refs });
}

const other: FieldErrors = { row: [text('imports.row_other_plan')] };

/** Fails rows whose outcome differs from the shown one. */
const asShown = (checked: Checked, { digest }: StagedCells): Checked =>
  checked.status === 'failed' || checked.digest === digest ? checked : asFailed(checked, other);

/** Checks rows by the current data; their managers exist or are among these rows. */
async function checkBatch(db: Db, writing: Writing, wanted: readonly number[]): Promise<Batch> {
  const context = await loadBatchContext(db, writing, wanted);
  const rows = await loadRows(db, writing.record.id, wanted);
  const now = await checkStaged(db, context, rows, { lock: true });
  const checked = now.checked.map((one, index) => asShown(one, rows[index] as StagedCells));
  const lines = checked.map(lineOf);
  const known = lines.flatMap(({ manager }) => (typeof manager === 'number' && manager > 0 ? [manager] : []));
  const problems = checkLines(lines, await loadChains(db, [...new Set(known)]), { followFailures: true });
  const inBatch = new Set(wanted);
  for (const { row, manager } of lines)
    if (typeof manager === 'number' && manager < 0 && !inBatch.has(-manager))
      problems.push({ row, message: text('imports.manager_not_importable', { row: -manager }) });
  const messages = new Map(problems.map(({ row, message }) => [row, message]));
  const withProblems = checked.map((one) => {
    const message = messages.get(one.row);
    return message === undefined ? one : { ...withoutManager(one, message), plan: null };
  });
  return { context, checked: withProblems, gains: now.gains };
}

async function writeBatch(db: Db, writing: Writing, rows: readonly number[], used: UsedUnits): Promise<Checked[]> {
  const { context, checked, gains } = await checkBatch(db, writing, rows);
  const failed = checked.filter(({ status }) => status === 'failed');
  if (failed.length > 0 && writing.record.mode === 'atomic') throw new ImportFailed(rowMessage(failed[0] as Checked));
  const valid = checked.filter(({ status }) => status === 'valid');
  const numbers = await takeNumbers(writing.db, valid, writing.keys);
  await writeRows(db, context, valid, { numbers, used, gains });
  if (failed.length > 0)
    await saveOutcomes(
      db,
      writing.record.id,
      failed.map(({ plan: _, node: __, manager: ___, employed: ____, ...rest }) => rest),
    );
  return checked;
}

const noUnits = (): UsedUnits => ({ entities: new Set(), departments: new Set(), made: [] });

/** Retries work after a deadlock or a closed department. */
async function withTries<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= tries || !(error instanceof OrganisationChanged || isRetryable(error))) throw error;
    }
  }
}

/** The database's refusal as field errors of a row. */
function refusalOf(error: unknown): FieldErrors | undefined {
  const known = fromDatabase(error);
  return known instanceof HttpError && known.status === 422 ? known.body.errors : undefined;
}

/** Counts the written rows of all batches. */
type Count = { done: number };

async function failRow(writing: Writing, row: number, errors: FieldErrors, count: Count): Promise<void> {
  const failure: Outcome = {
    row,
    status: 'failed',
    action: 'none',
    key: null,
    subject_id: null,
    errors,
    warnings: {},
    changes: null,
    digest: '',
  };
  await inImportTransaction(writing.db, async (db) => {
    await saveOutcomes(db, writing.record.id, [failure]);
    await writing.onDone(db, { done: count.done + 1, made: [] });
  });
  count.done += 1;
}

/** Writes some rows in their own transaction. If the database refuses, finds the row that caused it. */
async function writeApart(writing: Writing, rows: readonly number[], count: Count): Promise<void> {
  try {
    await withTries(() =>
      inImportTransaction(writing.db, async (db) => {
        const used = noUnits();
        await writeBatch(db, writing, rows, used);
        await lockUnits(db, used);
        await writing.onDone(db, { done: count.done + rows.length, made: used.made });
      }),
    );
    count.done += rows.length;
  } catch (error) {
    const errors = refusalOf(error);
    if (!errors) throw error;
    if (rows.length === 1) return failRow(writing, rows[0] as number, errors, count);
    const half = Math.ceil(rows.length / 2);
    await writeApart(writing, rows.slice(0, half), count);
    await writeApart(writing, rows.slice(half), count);
  }
}

async function openRows(db: Db, { id }: ImportRecord): Promise<number[]> {
  const { rows } = await sql<{ row: number }>`
    select "row" from import_rows where import_id = ${id} and status = 'valid' order by "row"`.execute(db);
  return rows.map(({ row }) => row);
}

type Batches = { done: number; batches: number[][]; needs: number[][] };

/** The remaining rows in batches, each with the earlier batches that contain its managers. */
async function batchesOf({ db, record, keys }: Writing): Promise<Batches> {
  const open = await openRows(db, record);
  const managerRowOf = (row: number) => {
    const key = keys.managers.get(row);
    return key === undefined ? undefined : managerRow(keys, key);
  };
  const ordered = managersFirst(open, managerRowOf);
  const place = new Map(ordered.map((row, index) => [row, Math.floor(index / batch)]));
  const count = Math.ceil(ordered.length / batch);
  const batches = Array.from({ length: count }, (_, index) => ordered.slice(index * batch, (index + 1) * batch));
  const needs = batches.map((rows, index) => {
    const needed = new Set(rows.flatMap((row) => place.get(managerRowOf(row) ?? 0) ?? []));
    return [...needed].filter((other) => other < index);
  });
  return { done: keys.rows.length - open.length, batches, needs };
}

/** Writes the valid rows batch by batch, each in its own transaction; completed batches stay. */
async function writePartially(writing: Writing, finish: (db: Db) => Promise<void>): Promise<void> {
  const { done, batches, needs } = await batchesOf(writing);
  const count = { done };
  await runInOrder(batches.length, {
    concurrency,
    needs: (index) => needs[index] ?? [],
    run: (index) => writeApart(writing, batches[index] ?? [], count),
  });
  await inImportTransaction(writing.db, finish);
}

/** Writes all rows in one transaction or none. */
async function writeAtOnce(writing: Writing, finish: (db: Db) => Promise<void>): Promise<void> {
  const { batches } = await batchesOf(writing);
  await withTries(() =>
    inImportTransaction(writing.db, async (db) => {
      const used = noUnits();
      let done = 0;
      for (const rows of batches) {
        await writeBatch(db, writing, rows, used);
        done += rows.length;
        // visible outside the transaction
        await writing.onDone(writing.db, { done, made: [] });
      }
      await lockUnits(db, used);
      await writing.onDone(db, { done, made: used.made });
      await finish(db);
    }),
  ).catch((error: unknown) => {
    const errors = refusalOf(error);
    throw errors ? new ImportFailed(firstMessage(errors)) : error;
  });
}

/** Writes the planned rows of an import. `finish` ends the import in the last transaction. Throws ImportFailed. */
export const writeImport = (writing: Writing, finish: (db: Db) => Promise<void>): Promise<void> =>
  writing.record.mode === 'atomic' ? writeAtOnce(writing, finish) : writePartially(writing, finish);
