import { stateOf } from '../../states.ts';
import { text } from '@tenure/contract';
import type { employeeImports, KeptReason } from '@tenure/contract';
import { sql } from 'kysely';
import { holds } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { record as recordAudit } from '../../audit.ts';
import type { Acting } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { HandlerCtx } from '../../http/context.ts';
import { conflict, HttpError } from '../../http/errors.ts';
import type { Undone } from '../../imports/kind.ts';
import { undoableStates } from '../../imports/policy.ts';
import { maxRowsInRequest, undoneState } from '../../imports/record.ts';
import type { ImportRecord, Kept } from '../../imports/record.ts';
import { loadRequester } from '../../imports/requester.ts';
import { addJob } from '../../jobs/queue.ts';
import { transition } from '../../workflow/transition.ts';
import type { Transition } from '../../workflow/transition.ts';
import { judgeUndo } from './undo-judge.ts';
import { reasonsAnswered } from './undo-reasons.ts';
import { undoRows } from './undo-rows.ts';
import { withdrawn } from './write.ts';

type Ctx = HandlerCtx<typeof employeeImports.undo>;

const late = text('imports.undo_too_late');
const refusal = (status: string) => text('imports.cannot_be_undone_now', { state: stateOf(status) });
const mostReasons = 100;

async function requireTime({ db }: Ctx, record: ImportRecord): Promise<void> {
  if (!undoableStates.includes(record.status)) throw conflict(refusal(record.status), record);
  const { rows } = await sql<{ late: boolean }>`
    select undo_until is null or undo_until <= now() as late from imports where id = ${record.id}`.execute(db);
  if (rows[0]?.late) throw conflict(late, record);
}

type Outcome = { undone: number; kept: Kept };

/** The numbers of undone and kept rows, and the first kept ones. */
async function outcomeOf(db: Db, actor: Actor, { id }: ImportRecord): Promise<Outcome> {
  const { rows } = await sql<{ undone: number; count: number; rows: { row: number; reason: KeptReason }[] }>`
    select count(*) filter (where kept_reason is null)::int as undone,
           count(*) filter (where kept_reason is not null)::int as count,
           coalesce((select json_agg(t order by t."row") from (
             select "row", kept_reason as reason from import_rows
             where import_id = ${id} and status in ('created', 'updated') and kept_reason is not null
             order by "row" limit ${mostReasons}) as t), '[]') as rows
    from import_rows where import_id = ${id} and status in ('created', 'updated')`.execute(db);
  const { undone, ...kept } = rows[0] as (typeof rows)[number];
  return { undone, kept: { ...kept, for: actor.user_id } };
}

type Doing = Acting & { actor: Actor };
type Steps = {
  /** Stores the state of the import itself. */
  store: (kept: Kept) => Promise<unknown>;
  onBatch: () => Promise<void>;
};
const inOneGo = () => Promise.resolve();

async function noteUndo(doing: Doing, { id, file_name }: ImportRecord, { undone, kept }: Outcome): Promise<void> {
  const changes = {
    undone: { from: null, to: undone },
    ...(kept.count > 0 && { kept: { from: null, to: kept.count } }),
  };
  await recordAudit(doing, { action: 'import.undone', subject_id: id, subject_label: file_name, changes });
}

/** Judges the rows and undoes those that pass, in the transaction of `db`; nothing when none passes. */
async function undoPassing(doing: Doing, record: ImportRecord, { store, onBatch }: Steps): Promise<Undone> {
  const { db, actor } = doing;
  const gains = await judgeUndo(db, actor, { importId: record.id, onBatch });
  const outcome = await outcomeOf(db, actor, record);
  const { undone, kept } = outcome;
  if (undone === 0 && kept.count > 0) return { refused: reasonsAnswered(kept) };
  await store(kept);
  await undoRows({ db, actor, gains, onBatch }, record);
  await noteUndo(doing, record, outcome);
  return { kept };
}

/**
 * Undoes an import: the rows its sender can undo and that have no conflict; the others stay and are listed. A large
 * import continues as a job. Throws 422 when no row can be undone.
 */
export async function undoImport(ctx: Ctx, record: ImportRecord): Promise<void> {
  const { db, actor } = ctx;
  await requireTime(ctx, record);
  const by = { undone_by: actor.user_id, undone_by_name: actor.name };
  const step: Omit<Transition, 'to'> = {
    table: 'imports',
    column: 'status',
    id: record.id,
    from: undoableStates,
    refusal,
  };
  if (record.counts.total > maxRowsInRequest) {
    const set = { ...by, phase: 'undoing', failure: null, lease: null, leased_until: null };
    await transition(db, { ...step, to: 'processing', set });
    await addJob(db, 'run_import', { id: record.id }, { key: `import:${record.id}`, maxAttempts: 3 });
    return;
  }
  const store = (kept: Kept) => {
    const { status, ...state } = undoneState(kept);
    return transition(db, { ...step, to: status, set: { ...by, ...state } });
  };
  const outcome = await undoPassing(ctx, record, { store, onBatch: inOneGo });
  if ('refused' in outcome)
    throw new HttpError(422, {
      message: text('imports.cannot_be_undone'),
      errors: { rows: outcome.refused },
      status: record.status,
      revision: record.revision,
    });
}

/** Undoes a large import, with the current rights of its sender. */
export async function undoLater(db: Db, record: ImportRecord, onBatch: () => Promise<void>): Promise<Undone> {
  const actor = await loadRequester(db, new Map(), record.undone_by ?? 0);
  if (!actor || !holds(actor, 'employees.import')) return { refused: [withdrawn] };
  return undoPassing({ db, actor }, record, { store: inOneGo, onBatch });
}
