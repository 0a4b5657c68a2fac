import type { employeeImports } from '@tenure/contract';
import { sql } from 'kysely';
import { holds } from '../../access/actor.ts';
import { record as recordAudit } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { HandlerCtx } from '../../http/context.ts';
import { conflict, HttpError } from '../../http/errors.ts';
import { addJob } from '../../jobs/queue.ts';
import { transition } from '../../workflow.ts';
import type { Transition } from '../../workflow.ts';
import { inRequest } from '../../imports/record.ts';
import { loadRequester } from '../../imports/requester.ts';
import type { ImportRecord } from '../../imports/record.ts';
import { reasonsAgainstUndo, tellReasons } from './undo-reasons.ts';
import { undoRows } from './undo-rows.ts';
import { withdrawn } from './write.ts';

type Ctx = HandlerCtx<typeof employeeImports.undo>;

const late = 'An import can be taken back for seven days.';
const refusal = (status: string) => `An import that is ${status.replaceAll('_', ' ')} cannot be taken back.`;

async function requireTime({ db }: Ctx, record: ImportRecord): Promise<void> {
  const { rows } = await sql<{ late: boolean }>`
    select undo_until is null or undo_until <= now() as late from imports where id = ${record.id}`.execute(db);
  if (record.status === 'completed' && rows[0]?.late) throw conflict(late, record);
}

/** Takes a completed import back as a whole, or says which rows stand in the way. A large one goes on as a job. */
export async function undoImport(ctx: Ctx, record: ImportRecord): Promise<void> {
  const { db, actor } = ctx;
  await requireTime(ctx, record);
  const by = { undone_by: actor.user_id, undone_by_name: actor.name };
  const step: Omit<Transition, 'to'> = {
    table: 'imports',
    column: 'status',
    id: record.id,
    from: ['completed'],
    refusal,
  };
  const large = record.counts.total > inRequest;
  if (large)
    await transition(db, {
      ...step,
      to: 'processing',
      set: { ...by, phase: 'undoing', failure: null, lease: null, leased_until: null },
    });
  else await transition(db, { ...step, to: 'undone', set: { ...by, undone_at: sql`now()` } });
  const reasons = tellReasons(await reasonsAgainstUndo(db, actor, record.id));
  if (reasons.length > 0)
    throw new HttpError(422, {
      message: 'The import cannot be taken back.',
      errors: { rows: reasons },
      status: record.status,
      revision: record.revision,
    });
  if (large) await addJob(db, 'run_import', { id: record.id }, { key: `import:${record.id}`, maxAttempts: 3 });
  else await undoRows(ctx, record);
  await recordAudit(ctx, { action: 'import.undone', subject_id: record.id, subject_label: record.file_name });
}

/** Takes an import back as far as nothing came in the way meanwhile. @returns what did */
export async function undoLater(db: Db, record: ImportRecord): Promise<string[]> {
  const actor = await loadRequester(db, new Map(), record.undone_by ?? 0);
  if (!actor || !holds(actor, 'employees.import')) return [withdrawn];
  const reasons = tellReasons(await reasonsAgainstUndo(db, actor, record.id));
  if (reasons.length === 0) await undoRows({ db, actor }, record);
  return reasons;
}
