import { text } from '@tenure/contract';
import type { employeeImports, KeptReason, MessageKey } from '@tenure/contract';
import { sql } from 'kysely';
import { holds } from '../access/actor.ts';
import type { Actor } from '../access/actor.ts';
import { record as recordAudit } from '../audit.ts';
import type { Acting } from '../audit.ts';
import type { Db } from '../db/connect.ts';
import type { HandlerCtx } from '../http/context.ts';
import { conflict, HttpError } from '../http/errors.ts';
import { addJob } from '../jobs/queue.ts';
import { stateOf } from '../states.ts';
import { transition } from '../workflow/transition.ts';
import type { Transition } from '../workflow/transition.ts';
import type { ImportKind, Undone } from './kind.ts';
import { undoableStates } from './policy.ts';
import { maxRowsInRequest, undoneState } from './record.ts';
import type { ImportRecord, Kept } from './record.ts';
import { loadRequester } from './requester.ts';

type Ctx = Pick<HandlerCtx<typeof employeeImports.undo>, 'db' | 'actor' | 'request'>;

/** An actor in a transaction, and the callback after each piece of work. */
export type Undoing = Acting & { actor: Actor; onBatch: () => Promise<void> };

/** What differs by kind of import. */
export type Undo<Proof> = Pick<ImportKind, 'permission' | 'rightWithdrawn'> & {
  /** Marks the rows that stay with the reason. Returns what `undoRows` needs from the check. */
  check: (undoing: Undoing, record: ImportRecord) => Promise<Proof>;
  /** Undoes the rows not marked to stay. */
  undoRows: (undoing: Undoing, record: ImportRecord, proof: Proof) => Promise<void>;
  /** Messages about rows, if those about people do not fit. */
  sentences?: Partial<Record<KeptReason, MessageKey & `imports.${string}`>>;
};

const late = text('imports.undo_too_late');
const refusal = (status: string) => text('imports.cannot_be_undone_now', { state: stateOf(status) });
const maxReasonsStored = 100;
/** The most messages to show: a hundred similar ones would hide what they say. */
const maxReasonsShown = 10;

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
             order by "row" limit ${maxReasonsStored}) as t), '[]') as rows
    from import_rows where import_id = ${id} and status in ('created', 'updated')`.execute(db);
  const { undone, ...kept } = rows[0] as (typeof rows)[number];
  return { undone, kept: { ...kept, for: actor.user_id } };
}

async function recordUndo(doing: Undoing, { id, file_name }: ImportRecord, { undone, kept }: Outcome): Promise<void> {
  const changes = {
    undone: { from: null, to: undone },
    ...(kept.count > 0 && { kept: { from: null, to: kept.count } }),
  };
  await recordAudit(doing, { action: 'import.undone', subject_id: id, subject_label: file_name, changes });
}

const aboutPeople = {
  not_permitted: 'imports.person_not_permitted',
  changed_since: 'imports.person_changed',
  signed_in: 'imports.person_signed_in',
  heads_department: 'imports.person_heads_department',
  manages_others: 'imports.person_is_manager',
  has_evaluations: 'imports.person_has_evaluations',
  has_reviews: 'imports.person_has_reviews',
  owns_cycle: 'imports.person_owns_cycle',
  has_files: 'imports.person_has_files',
  not_valid: 'imports.person_values_impossible',
} as const satisfies Record<KeptReason, MessageKey>;

type Sentence = (typeof aboutPeople)[KeptReason];

/** The reasons to return after an undo without effect. */
function reasonsAnswered({ sentences }: Pick<Undo<unknown>, 'sentences'>, { count, rows }: Kept) {
  const keys = { ...aboutPeople, ...sentences } as Record<KeptReason, Sentence>;
  const reasons = rows.slice(0, maxReasonsShown).map(({ row, reason }) => text(keys[reason], { row }));
  const more = count - reasons.length;
  return more > 0 ? [...reasons, text('imports.more_rows', { count: more })] : reasons;
}

/** Checks the rows and undoes those that pass, in the transaction of `db`; does nothing if none passes. */
async function undoPassing<Proof>(
  undo: Undo<Proof>,
  doing: Undoing,
  record: ImportRecord,
  store: (kept: Kept) => Promise<unknown>,
): Promise<Undone> {
  const { db, actor } = doing;
  const proof = await undo.check(doing, record);
  const outcome = await outcomeOf(db, actor, record);
  const { undone, kept } = outcome;
  if (undone === 0 && kept.count > 0) return { refused: reasonsAnswered(undo, kept) };
  await store(kept);
  await undo.undoRows(doing, record, proof);
  await recordUndo(doing, record, outcome);
  return { kept };
}

/**
 * Allows earlier imports to be undone next: if only the undone import had changed a record since, they find it as they
 * left it. Each kind of import has the name of the table that it changes.
 */
export async function passOnRevisions(db: Db, type: 'employees' | 'former_results', importId: number): Promise<void> {
  await sql`
    update import_rows r
    set before = coalesce(r.before, '{}') || jsonb_build_object('revision', changed.revision, 'settled_at', now())
    from import_rows u join ${sql.table(type)} changed on changed.id = u.subject_id, imports i
    where u.import_id = ${importId} and u.kept_reason is null and u.before ? 'found'
      and i.id = r.import_id and i.type = ${type} and i.undo_until > now() and i.id <> ${importId}
      and r.status in ('created', 'updated') and r.subject_id = u.subject_id
      and coalesce((r.before ->> 'revision')::int, 1) = (u.before ->> 'found')::int`.execute(db);
}

const inOneGo = () => Promise.resolve();

/**
 * Undoes an import: the rows that its sender may undo and that have no conflict; the others stay and are listed. A
 * large import continues as a job. Throws 422 if no row can be undone.
 */
export async function undoImport<Proof>(undo: Undo<Proof>, ctx: Ctx, record: ImportRecord): Promise<void> {
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
  const outcome = await undoPassing(undo, { ...ctx, onBatch: inOneGo }, record, store);
  if ('refused' in outcome)
    throw new HttpError(422, {
      message: text('imports.cannot_be_undone'),
      errors: { rows: outcome.refused },
      status: record.status,
      revision: record.revision,
    });
}

/** Undoes a large import, with the current rights of its sender. */
export const undoLater =
  <Proof>(undo: Undo<Proof>) =>
  async (db: Db, record: ImportRecord, onBatch: () => Promise<void>): Promise<Undone> => {
    const actor = await loadRequester(db, new Map(), record.undone_by ?? 0);
    if (!actor || !holds(actor, undo.permission)) return { refused: [undo.rightWithdrawn] };
    return undoPassing(undo, { db, actor, onBatch }, record, inOneGo);
  };
