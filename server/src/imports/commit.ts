import { stateOf } from '../states.ts';
import { messages, text } from '@tenure/contract';
import type { employeeImports } from '@tenure/contract';
import { record as recordAudit } from '../audit.ts';
import type { HandlerCtx } from '../http/context.ts';
import { conflict, HttpError, say } from '../http/errors.ts';
import { inJobTransaction } from '../jobs/task.ts';
import { addJob } from '../jobs/queue.ts';
import { checkRevision, transition } from '../workflow/transition.ts';
import type { ImportKind } from './kind.ts';
import { leaseEnd, newLease } from './lease.ts';
import { maxRowsInRequest } from './record.ts';
import type { ImportRecord } from './record.ts';
import { findImport } from './policy.ts';
import { answerFor } from './present.ts';
import { runImport } from './run.ts';

type Ctx = HandlerCtx<typeof employeeImports.commit>;

const otherPlan = text('imports.other_plan');

function refuse({ body }: Ctx, record: ImportRecord) {
  checkRevision(record, body, record.status);
  if (record.status !== 'preview') return;
  if (record.mode === 'atomic' && record.counts.failed > 0) throw conflict(text('imports.all_or_nothing'), record);
  if (body.plan_hash && body.plan_hash !== record.plan_hash)
    throw new HttpError(422, {
      message: otherPlan,
      errors: { status: [otherPlan], plan_hash: [say('plan_hash', messages.selected)] },
      status: record.status,
      revision: record.revision,
    });
}

const stale = (record: ImportRecord) =>
  new HttpError(422, {
    message: otherPlan,
    errors: {
      status: [otherPlan],
      rows: (record.stale_rows ?? []).slice(0, 100).map((row) => text('imports.row_changed', { row })),
    },
    status: record.status,
    revision: record.revision,
  });

/** Starts the import; of two simultaneous commits, only one succeeds. A large import continues as a job. */
async function start(
  kind: ImportKind,
  ctx: Ctx,
  record: ImportRecord,
): Promise<{ id: number; token: string } | undefined> {
  const { actor, body, request } = ctx;
  const token = record.counts.total <= maxRowsInRequest ? newLease() : null;
  await inJobTransaction(ctx.deps.db, async (db) => {
    const answerFirst = await ctx.claimKey(db);
    await transition(db, {
      table: 'imports',
      column: 'status',
      id: record.id,
      from: ['preview'],
      to: 'processing',
      revision: body.revision,
      set: {
        phase: 'writing',
        is_confirmed: false,
        stale_rows: null,
        finished_at: null,
        lease: token,
        leased_until: token ? leaseEnd : null,
      },
      refusal: (status) => text('imports.cannot_be_committed', { state: stateOf(status) }),
    });
    await recordAudit(
      { db, actor, request },
      { action: 'import.committed', subject_id: record.id, subject_label: record.file_name },
    );
    if (!token) await addJob(db, 'run_import', { id: record.id }, { key: `import:${record.id}`, maxAttempts: 3 });
    await answerFirst(await answerFor(kind, { ...ctx, db }));
  });
  return token ? { id: record.id, token } : undefined;
}

/**
 * Writes the rows of a checked import after checking them again. Throws 422 if a row would now have another effect than
 * shown; the rows then show the difference.
 */
export async function commitImport(kind: ImportKind, ctx: Ctx, found: ImportRecord): Promise<ImportRecord> {
  refuse(ctx, found);
  const lease = await start(kind, ctx, found);
  if (lease) await runImport(ctx.deps, kind, found.id, lease);
  const record = await findImport(kind, ctx);
  if (record.status === 'preview') throw stale(record);
  return record;
}
