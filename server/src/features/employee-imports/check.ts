import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { readMeanings } from './cells.ts';
import { emailKey, numberKey } from './file-keys.ts';
import type { FileKeys } from './file-keys.ts';
import { judgeRow } from './judge-row.ts';
import type { Judged } from './judge-row.ts';
import { judgeLines } from './lines.ts';
import type { Line, LineProblem } from './lines.ts';
import { loadAccounts, loadChains, loadPeople } from './people.ts';
import { cellsOf, countRows } from './record.ts';
import type { ImportRecord, Outcome, StagedCells } from './record.ts';
import { loadWorld } from './world.ts';
import type { World } from './world.ts';

const batch = 500;
const saved = 2_000;

export type Checking = {
  db: Db;
  actor: Actor;
  record: ImportRecord;
  /** Told after each piece of work how many rows are read. */
  onProgress?: (rows: number) => Promise<void>;
};

/** Judges some rows by what the database says now; with `lock` the people they are about stay as they are. */
export async function judgeRows(
  db: Db,
  world: World,
  rows: readonly StagedCells[],
  { lock = false } = {},
): Promise<Judged[]> {
  const meanings = rows.map(({ cells }) => readMeanings(cells, world.layout));
  const numbers = meanings.flatMap(({ employee_number: text }) => (text ? [numberKey(text)] : []));
  const emails = meanings.flatMap(({ email: text }) => (text ? [emailKey(text)] : []));
  const known = {
    people: await loadPeople(db, world.actor, numbers, { lock }),
    accounts: await loadAccounts(db, world.actor, emails),
  };
  return rows.map((row) => judgeRow(world, known, row));
}

export const lineOf = ({ row, node, manager, status, active, plan }: Judged): Line => ({
  row,
  node,
  manager: plan ? manager : undefined,
  ok: status === 'valid',
  active,
});

function toOutcome({ plan, node, manager, active, ...outcome }: Judged): Outcome {
  return outcome;
}

/** Told of some rows as they are judged; not all of a large file are kept in memory. */
type Each = (outcomes: readonly Outcome[], staged: readonly StagedCells[]) => void | Promise<void>;
type Scope = { each: Each; rows?: readonly number[] };

/**
 * Checks all rows of an import, or only some, against each other and against what is there. Changes nothing.
 * @returns the rows whose managers do not come out right when all are read
 */
async function checkRows({ db, actor, record, onProgress }: Checking, keys: FileKeys, { each, rows }: Scope) {
  const refs = [...new Set(keys.managers.values())];
  const world = await loadWorld(db, { actor, record, keys, refs });
  const lines: Line[] = [];
  for await (const staged of cellsOf(db, record.id, { size: batch, rows })) {
    const judged = await judgeRows(db, world, staged);
    for (const one of judged) lines.push(lineOf(one));
    await each(judged.map(toOutcome), staged);
    await onProgress?.(lines.length);
  }
  const known = lines.flatMap(({ manager }) => (typeof manager === 'number' && manager > 0 ? [manager] : []));
  const chains = await loadChains(db, [...new Set(known)]);
  return judgeLines(lines, chains, { followFailures: record.mode === 'partial' });
}

/** Writes what the check found out to the rows. */
export async function saveOutcomes(db: Db, importId: number, outcomes: readonly Outcome[]): Promise<void> {
  for (let start = 0; start < outcomes.length; start += saved)
    await sql`
      update import_rows r
      set status = t.status, action = t.action, key = t.key, subject_id = t.subject_id, errors = t.errors,
          warnings = t.warnings, changes = t.changes, digest = t.digest
      from jsonb_to_recordset(${JSON.stringify(outcomes.slice(start, start + saved))}::jsonb) as t (
        "row" int, status text, action text, key text, subject_id bigint, errors jsonb, warnings jsonb,
        changes jsonb, digest text)
      where r.import_id = ${importId} and r."row" = t."row"`.execute(db);
}

/** Fails the rows whose managers do not come out right. */
async function saveProblems(db: Db, importId: number, problems: readonly LineProblem[]): Promise<void> {
  if (problems.length === 0) return;
  await sql`
    update import_rows r
    set status = 'failed', action = 'none', subject_id = null, changes = null, digest = '',
        errors = r.errors || jsonb_build_object('reporting_manager_id', jsonb_build_array(t.message))
    from jsonb_to_recordset(${JSON.stringify(problems)}::jsonb) as t ("row" int, message text)
    where r.import_id = ${importId} and r."row" = t."row"`.execute(db);
}

/** Checks all rows, or only some, and keeps what was found out. */
export async function checkAndSave(checking: Checking, keys: FileKeys, rows?: readonly number[]): Promise<void> {
  const { db, record } = checking;
  const each: Each = (outcomes) => saveOutcomes(db, record.id, outcomes);
  await saveProblems(db, record.id, await checkRows(checking, keys, { each, ...(rows && { rows }) }));
}

/** The rows that would now do something else than was shown. */
export async function findStale(checking: Checking, keys: FileKeys): Promise<number[]> {
  const differing = new Map<number, string>();
  const each: Each = (outcomes, staged) => {
    for (const [index, { row, digest }] of outcomes.entries()) {
      const shown = staged[index]?.digest ?? '';
      if (shown !== digest) differing.set(row, shown);
    }
  };
  for (const { row } of await checkRows(checking, keys, { each }))
    // shown as failing, and failing still
    if (differing.get(row) === '') differing.delete(row);
    else differing.set(row, '');
  return [...differing.keys()].toSorted((a, b) => a - b);
}

/** Counts the rows and condenses what a commit would do into one short text. */
export async function summarise(db: Db, { id, mode }: ImportRecord) {
  const counts = await countRows(db, id, true);
  const { rows } = await sql<{ plan_hash: string }>`
    select left(encode(sha256(convert_to(${mode}::text || coalesce(string_agg("row" || ':' || digest, ',' order by "row"), ''), 'UTF8')), 'hex'), 16)
             as plan_hash
    from import_rows where import_id = ${id} and digest <> ''`.execute(db);
  return { counts, plan_hash: (rows[0] as { plan_hash: string }).plan_hash };
}
