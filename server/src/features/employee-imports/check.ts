import type { Text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { checkMoves, movesTo } from '../../people/gains.ts';
import type { GainsChecked as Gains } from '../../people/gains.ts';
import type { Checking } from '../../imports/kind.ts';
import { saveOutcomes } from '../../imports/outcomes.ts';
import { cellsOf } from '../../imports/record.ts';
import type { Outcome, StagedCells } from '../../imports/record.ts';
import { readMeanings, readValues } from './cells.ts';
import type { Meanings } from './cells.ts';
import { emailKey, numberKey } from './file-keys.ts';
import type { FileKeys } from './file-keys.ts';
import { asFailed, checkRow } from './check-row.ts';
import type { Checked } from './check-row.ts';
import { checkLines } from './lines.ts';
import type { Line, LineProblem } from './lines.ts';
import { notPermitted } from './row-refusals.ts';
import { loadAccounts, loadChains, loadPeople } from './people.ts';
import type { AccessFields } from './people.ts';
import { refuseTakenNames } from './shown-names.ts';
import { loadImportContext } from './import-context.ts';
import type { ImportContext } from './import-context.ts';

const batch = 500;

function wayInOf({ record }: ImportContext, { email, joining_date }: Meanings): AccessFields {
  const { sent } = joining_date === undefined ? { sent: {} } : readValues({ joining_date }, record.date_format);
  return { ...sent, ...(email && { email: emailKey(email) }) };
}

/** Checks rows by the current database; `lock` locks their people. */
export async function checkStaged(
  db: Db,
  context: ImportContext,
  staged: readonly StagedCells[],
  { lock = false } = {},
): Promise<{ checked: Checked[]; gains: Gains }> {
  const rows = staged.map(context.readRow);
  const meanings = rows.map(({ cells }) => readMeanings(cells, context.layout));
  const waysIn = new Map(
    meanings.flatMap((one): [string, AccessFields][] =>
      one.employee_number ? [[numberKey(one.employee_number), wayInOf(context, one)]] : [],
    ),
  );
  const emails = meanings.flatMap(({ email: text }) => (text ? [emailKey(text)] : []));
  const known = {
    people: await loadPeople(db, context.actor, waysIn, { lock }),
    accounts: await loadAccounts(db, context.actor, emails),
  };
  const checked = rows.map((row) => checkRow(context, known, row));
  return checkGains(db, context.actor, await refuseTakenNames(db, checked, { shared: context.sharedNames, lock }));
}

/** Fails rows that give a manager rights over a person that the importer lacks. */
async function checkGains(
  db: Db,
  actor: Actor,
  rows: readonly Checked[],
): Promise<{ checked: Checked[]; gains: Gains }> {
  // a reference by row means the person of that row, who may already exist
  const nodeOfRow = new Map(rows.map(({ row, node }) => [-row, node]));
  const moves = rows.map(({ node, plan }) => {
    if (!plan) return [];
    const { reporting_manager_id: named } = plan.values;
    const reporting_manager_id = named === null ? null : (nodeOfRow.get(named) ?? named);
    return movesTo(node, plan.person, { values: { ...plan.values, reporting_manager_id }, errors: {} });
  });
  const { refused, checked: gains } = await checkMoves(db, actor, moves.flat(), { lock: false });
  const checked = rows.map((row, index) =>
    moves[index]?.some((move) => refused.has(move)) ? asFailed(row, { employee_number: [notPermitted] }) : row,
  );
  return { checked, gains };
}

export const lineOf = ({ row, node, manager, status, employed, plan }: Checked): Line => ({
  row,
  node,
  manager: plan ? manager : undefined,
  ok: status === 'valid',
  employed,
});

/** Adds an error to the outcome: its manager is not possible. */
export const withoutManager = <T extends Outcome>(outcome: T, message: Text): T => ({
  ...outcome,
  status: 'failed',
  action: 'none',
  subject_id: null,
  errors: { ...outcome.errors, reporting_manager_id: [message] },
  changes: null,
  digest: '',
});

function toOutcome({ plan, node, manager, employed, ...outcome }: Checked): Outcome {
  return outcome;
}

/** Receives checked rows in batches, so that a large file is not kept in memory. */
type Each = (outcomes: readonly Outcome[], staged: readonly StagedCells[]) => void | Promise<void>;
type Scope = { each: Each; rows?: readonly number[] };

/**
 * Checks all rows of an import, or some, against each other and the database. Changes nothing. After reading all rows,
 * returns those with a manager problem.
 */
async function checkRows({ db, actor, record, onProgress }: Checking, keys: FileKeys, { each, rows }: Scope) {
  const refs = [...new Set(keys.managers.values())];
  const context = await loadImportContext(db, { actor, record, keys, refs });
  const lines: Line[] = [];
  for await (const staged of cellsOf(db, record.id, { size: batch, rows })) {
    const { checked } = await checkStaged(db, context, staged);
    for (const one of checked) lines.push(lineOf(one));
    await each(checked.map(toOutcome), staged);
    await onProgress?.(lines.length);
  }
  const known = lines.flatMap(({ manager }) => (typeof manager === 'number' && manager > 0 ? [manager] : []));
  const chains = await loadChains(db, [...new Set(known)]);
  return checkLines(lines, chains, { followFailures: record.mode === 'partial' });
}

/** Fails the rows with a manager problem. */
async function saveProblems(db: Db, importId: number, problems: readonly LineProblem[]): Promise<void> {
  if (problems.length === 0) return;
  await sql`
    update import_rows r
    set status = 'failed', action = 'none', subject_id = null, changes = null, digest = '',
        errors = r.errors || jsonb_build_object('reporting_manager_id', jsonb_build_array(t.message))
    from jsonb_to_recordset(${JSON.stringify(problems)}::jsonb) as t ("row" int, message jsonb)
    where r.import_id = ${importId} and r."row" = t."row"`.execute(db);
}

/** Checks all rows, or some, and stores the outcomes. */
export async function checkAndSave(checking: Checking, keys: FileKeys, rows?: readonly number[]): Promise<void> {
  const { db, record } = checking;
  const each: Each = (outcomes) => saveOutcomes(db, record.id, outcomes);
  await saveProblems(db, record.id, await checkRows(checking, keys, { each, ...(rows && { rows }) }));
}

/** The rows whose outcome now differs from the shown one. */
export async function findStale(checking: Checking, keys: FileKeys): Promise<number[]> {
  const differing = new Map<number, string>();
  const each: Each = (outcomes, staged) => {
    for (const [index, { row, digest }] of outcomes.entries()) {
      const shown = staged[index]?.digest ?? '';
      if (shown !== digest) differing.set(row, shown);
    }
  };
  for (const { row } of await checkRows(checking, keys, { each }))
    // shown as failed and still failing
    if (differing.get(row) === '') differing.delete(row);
    else differing.set(row, '');
  return [...differing.keys()].toSorted((a, b) => a - b);
}
