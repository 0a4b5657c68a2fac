import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { readMeanings } from './cells.ts';
import { emailKey, numberKey, readFileKeys } from './file-keys.ts';
import type { FileKeys } from './file-keys.ts';
import { judgeRow } from './judge-row.ts';
import type { Judged } from './judge-row.ts';
import { judgeLines } from './lines.ts';
import type { Line } from './lines.ts';
import { loadAccounts, loadChains, loadPeople } from './people.ts';
import { cellsOf, countRows, withoutManager } from './record.ts';
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

/** Fails the rows whose managers do not come out right. */
async function applyLines(db: Db, record: ImportRecord, lines: readonly Line[], outcomes: Outcome[]): Promise<void> {
  const known = lines.flatMap(({ manager }) => (typeof manager === 'number' && manager > 0 ? [manager] : []));
  const chains = await loadChains(db, [...new Set(known)]);
  const byRow = new Map(outcomes.map((outcome, index) => [outcome.row, index]));
  for (const { row, message } of judgeLines(lines, chains, { followFailures: record.mode === 'partial' })) {
    const index = byRow.get(row) as number;
    outcomes[index] = withoutManager(outcomes[index] as Outcome, message);
  }
}

/** Checks all rows of an import, or only some, against each other and against what is there. Changes nothing. */
export async function checkRows(
  { db, actor, record, onProgress }: Checking,
  keys: FileKeys,
  rows?: readonly number[],
): Promise<Outcome[]> {
  const refs = [...new Set(keys.managers.values())];
  const world = await loadWorld(db, { actor, record, keys, refs });
  const [outcomes, lines]: [Outcome[], Line[]] = [[], []];
  for await (const staged of cellsOf(db, record.id, { size: batch, rows })) {
    for (const judged of await judgeRows(db, world, staged)) {
      outcomes.push(toOutcome(judged));
      lines.push(lineOf(judged));
    }
    await onProgress?.(outcomes.length);
  }
  await applyLines(db, record, lines, outcomes);
  return outcomes;
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

/** Counts the rows and condenses what a commit would do into one short text. */
export async function summarise(db: Db, { id, mode }: ImportRecord) {
  const counts = await countRows(db, id, true);
  const { rows } = await sql<{ plan_hash: string }>`
    select left(encode(sha256(convert_to(${mode}::text || coalesce(string_agg("row" || ':' || digest, ',' order by "row"), ''), 'UTF8')), 'hex'), 16)
             as plan_hash
    from import_rows where import_id = ${id} and digest <> ''`.execute(db);
  return { counts, plan_hash: (rows[0] as { plan_hash: string }).plan_hash };
}

/** Checks all rows and keeps what was found out. */
export async function checkImport(checking: Checking): Promise<{ counts: ImportRecord['counts']; plan_hash: string }> {
  const { db, record } = checking;
  const keys = await readFileKeys(db, record);
  await saveOutcomes(db, record.id, await checkRows(checking, keys));
  return summarise(db, record);
}
