import { messages, text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { fromDatabase, HttpError, say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { inImportTransaction } from '../../imports/transaction.ts';
import { ImportFailed } from '../../imports/kind.ts';
import type { Writing as WritingOf } from '../../imports/kind.ts';
import { firstMessage, rowMessage, saveOutcomes } from '../../imports/outcomes.ts';
import { keyOf, reasonOf } from '../../imports/record.ts';
import type { Outcome } from '../../imports/record.ts';
import { importerOf } from '../../imports/run.ts';
import { rowsIn } from '../../imports/write-groups.ts';
import { changeTemplate, insertTemplate } from '../kpi-templates/write.ts';
import { checkGroups } from './check.ts';
import type { Checked, Plan } from './check-group.ts';
import { readLines } from './lines.ts';
import type { Group, Lines } from './lines.ts';

type Writing = WritingOf<Lines>;

/** Templates per transaction. */
const batch = 50;

export const rightWithdrawn = text('template_imports.right_withdrawn');
const importer = { permission: 'kpi-template.import', rightWithdrawn } as const;

const failed = (group: Group, errors: FieldErrors): Outcome[] =>
  group.lines.map(({ row, meanings }) => ({
    row,
    status: 'failed',
    action: 'none',
    key: keyOf(meanings.template_name),
    subject_id: null,
    errors,
    warnings: {},
    changes: null,
    digest: '',
  }));

const other: FieldErrors = { row: [text('imports.row_other_plan')] };

/** The checked template, or a failure if its outcome differs from the shown one. */
function asShown(group: Group, checked: Checked): Checked {
  const shown = new Map(group.lines.map(({ row, digest }) => [row, digest]));
  const isSame = checked.outcomes.every(({ row, status, digest }) => status === 'failed' || shown.get(row) === digest);
  return isSame ? checked : { outcomes: failed(group, other), plan: null };
}

/** Writes the template of a plan. Returns its id. */
async function writePlan(acting: Parameters<typeof insertTemplate>[0], plan: Plan): Promise<number> {
  const { existing, name, entity_id, fields, items } = plan;
  if (!existing) return insertTemplate(acting, { name, entity_id, ...fields }, items);
  await changeTemplate(acting, existing.template, { fields, stored: existing.items, items });
  return existing.template.id;
}

const doneStatus = { create: 'created', update: 'updated', skip: 'skipped', none: 'failed' } as const;

async function markRows(db: Db, importId: number, rows: readonly number[], status: string, subjectId: number | null) {
  await sql`
    update import_rows set status = ${status}, subject_id = coalesce(${subjectId}::bigint, subject_id)
    where import_id = ${importId} and "row" = any(${rows}::int[])`.execute(db);
}

/** Writes some templates by the current data, with the outcomes of their rows. Returns the first failed row. */
async function writeGroups(db: Db, { record }: Writing, groups: readonly Group[]): Promise<Outcome | undefined> {
  const actor = await importerOf(db, importer, record);
  const checked = await checkGroups({ db, actor, record }, groups, { lock: true });
  let failure: Outcome | undefined;
  for (const [index, group] of groups.entries()) {
    const { outcomes, plan } = asShown(group, checked[index] as Checked);
    const first = outcomes[0] as Outcome;
    if (first.status === 'failed') {
      await saveOutcomes(db, record.id, outcomes);
      failure ??= first;
      continue;
    }
    const subjectId = plan && (await writePlan({ db, actor, reason: reasonOf(record) }, plan));
    const rows = outcomes.map(({ row }) => row);
    await markRows(db, record.id, rows, doneStatus[first.action], subjectId);
  }
  return failure;
}

/** Planned templates that are not yet written. */
async function openGroups(db: Db, { record, keys }: Writing): Promise<{ groups: Group[]; done: number }> {
  const { rows } = await sql<{ row: number }>`
    select "row" from import_rows where import_id = ${record.id} and status = 'valid'`.execute(db);
  const open = new Set(rows.map(({ row }) => row));
  const groups = [...keys.groups.values()].filter(({ lines }) => lines.some(({ row }) => open.has(row)));
  return { groups, done: keys.rows.length - rowsIn(groups) };
}

const skipLeftOut = (db: Db, { record, keys }: Writing) =>
  markRows(
    db,
    record.id,
    keys.left_out.map(({ row }) => row),
    'skipped',
    null,
  );

/** The database's refusal of a template, by form field. */
function refusalOf(error: unknown): FieldErrors | undefined {
  const known = fromDatabase(error);
  if (!(known instanceof HttpError) || known.status !== 422) return undefined;
  const { errors = {} } = known.body;
  return { template_name: errors.name ? [say('template_name', messages.taken)] : Object.values(errors).flat() };
}

/** Counts written rows. */
type Count = { done: number };

/** Writes some templates in their own transaction. If the database refuses, finds the template that caused it. */
async function writeApart(writing: Writing, groups: readonly Group[], count: Count): Promise<void> {
  const done = count.done + rowsIn(groups);
  const step = (work: (db: Db) => Promise<unknown>) =>
    inImportTransaction(writing.db, async (db) => {
      await work(db);
      await writing.onDone(db, { done, made: [] });
    });
  try {
    await step((db) => writeGroups(db, writing, groups));
    count.done = done;
  } catch (error) {
    const errors = refusalOf(error);
    const [group, ...others] = groups;
    if (!errors || !group) throw error;
    if (others.length > 0) {
      for (const one of groups) await writeApart(writing, [one], count);
      return;
    }
    await step((db) => saveOutcomes(db, writing.record.id, failed(group, errors)));
    count.done = done;
  }
}

const batchesOf = (groups: readonly Group[]) =>
  Array.from({ length: Math.ceil(groups.length / batch) }, (_, index) =>
    groups.slice(index * batch, (index + 1) * batch),
  );

/** Writes the templates in batches; completed batches stay. */
async function writePartially(writing: Writing, finish: (db: Db) => Promise<void>): Promise<void> {
  const { groups, done } = await openGroups(writing.db, writing);
  const count = { done };
  for (const some of batchesOf(groups)) await writeApart(writing, some, count);
  await inImportTransaction(writing.db, async (db) => {
    await skipLeftOut(db, writing);
    await finish(db);
  });
}

/** Writes all templates in one transaction or none. */
async function writeAtOnce(writing: Writing, finish: (db: Db) => Promise<void>): Promise<void> {
  const { groups } = await openGroups(writing.db, writing);
  await inImportTransaction(writing.db, async (db) => {
    for (const some of batchesOf(groups)) {
      const failure = await writeGroups(db, writing, some);
      if (failure) throw new ImportFailed(rowMessage(failure));
    }
    await skipLeftOut(db, writing);
    await writing.onDone(db, { done: writing.keys.rows.length, made: [] });
    await finish(db);
  }).catch((error: unknown) => {
    const errors = refusalOf(error);
    throw errors ? new ImportFailed(firstMessage(errors)) : error;
  });
}

/** Writes the planned templates of an import. `finish` ends the import in the last transaction. Throws ImportFailed. */
export async function writeImport(asked: Writing, finish: (db: Db) => Promise<void>): Promise<void> {
  // the rows after the last check, including the shown outcome
  const writing = { ...asked, keys: await readLines(asked.db, asked.record) };
  await (asked.record.mode === 'atomic' ? writeAtOnce(writing, finish) : writePartially(writing, finish));
}
