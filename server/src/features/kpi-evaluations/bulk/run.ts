import { bulkEvaluationsAtOnce } from '@tenure/contract';
import type { Text } from '@tenure/contract';
import { sql } from 'kysely';
import { record } from '../../../audit.ts';
import type { Acting } from '../../../audit.ts';
import type { Db } from '../../../db/connect.ts';
import { notify } from '../../../notifications/notify.ts';
import { accounts } from '../../../notifications/recipients.ts';
import { notifyOf, takeSteps } from './effects.ts';
import type { Changed } from './effects.ts';
import { checkMany } from './check.ts';
import type { BulkTarget, BulkActing, Checked } from './row.ts';
import type { BulkRequest } from './request.ts';

/** A stored bulk change of evaluations: started, processed in batches, ended. */
export type BulkRun = {
  id: number;
  request: BulkRequest;
  total: number;
  in_background: boolean;
  created_by: number;
  created_by_name: string;
  cancel_requested_at: string | null;
};
export type BulkEnd = 'completed' | 'cancelled' | 'stopped';

const columns = sql`id, request, total, in_background, created_by, created_by_name, cancel_requested_at`;

/** The step names of the audit log, which differ from some kinds. */
const loggedAs: Readonly<Record<BulkRequest['kind'], string>> = {
  'hr-review': 'release',
  close: 'complete',
  remind: 'remind',
  extend: 'later_due_day',
  reviewer: 'assign_reviewer',
  'deem-accepted': 'mark_accepted',
  cancel: 'cancel',
};

/** Stores the planned work, with an entry in the audit log. */
export async function beginBulk(
  acting: BulkActing,
  request: BulkRequest,
  targets: readonly BulkTarget[],
  in_background: boolean,
): Promise<BulkRun> {
  const { user_id, name } = acting.actor;
  const { rows } = await sql<BulkRun>`
    insert into kpi_evaluation_bulks (kind, request, total, in_background, created_by, created_by_name)
    values (${request.kind}, ${JSON.stringify(request)}::jsonb, ${targets.length}, ${in_background}, ${user_id}, ${name})
    returning ${columns}`.execute(acting.db);
  const bulk = rows[0] as BulkRun;
  await sql`
    insert into kpi_evaluation_bulk_rows (bulk_id, evaluation_id, seen_revision)
    select ${bulk.id}, id, seen
    from jsonb_to_recordset(${JSON.stringify(targets)}::jsonb) as a (id bigint, seen integer)`.execute(acting.db);
  await record(acting, {
    action: 'kpi_evaluation_bulk.created',
    subject_id: bulk.id,
    changes: { step: { from: null, to: loggedAs[request.kind] }, evaluations: { from: null, to: targets.length } },
    reason: request.reason,
  });
  return bulk;
}

/** Finds a run that has not ended. */
export async function readRun(db: Db, id: number): Promise<BulkRun | undefined> {
  const { rows } = await sql<BulkRun>`
    select ${columns} from kpi_evaluation_bulks where id = ${id} and status = 'processing'`.execute(db);
  return rows[0];
}

/** Locks the next evaluations without an outcome, so that a second worker takes others. */
export async function nextPart(db: Db, { id }: BulkRun): Promise<BulkTarget[]> {
  const { rows } = await sql<BulkTarget>`
    select evaluation_id as id, seen_revision as seen from kpi_evaluation_bulk_rows
    where bulk_id = ${id} and outcome is null
    order by evaluation_id limit ${bulkEvaluationsAtOnce} for update skip locked`.execute(db);
  return rows;
}

async function keepOutcomes(db: Db, { id, request }: BulkRun, checked: readonly Checked[]): Promise<void> {
  const rows = checked.map((one) => ({
    id: one.id,
    outcome: one.refusal === undefined ? 'changed' : 'refused',
    reason: one.refusal ?? null,
    former: request.kind === 'reviewer' ? (one.row?.reviewer_id ?? null) : null,
  }));
  await sql`
    update kpi_evaluation_bulk_rows r
    set outcome = o.outcome, reason = nullif(o.reason, 'null'::jsonb), former_reviewer_id = o.former
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as o (id bigint, outcome text, reason jsonb, former bigint)
    where r.bulk_id = ${id} and r.evaluation_id = o.id`.execute(db);
}

/** Checks a batch with the current rights, and takes the step with the evaluations that are ready for it. */
export async function takePart(acting: BulkActing, bulk: BulkRun, targets: readonly BulkTarget[]): Promise<Checked[]> {
  const checked = await checkMany(acting, bulk.request, targets, true);
  await takeSteps(
    acting,
    bulk.request,
    checked.filter(({ refusal }) => refusal === undefined),
  );
  await keepOutcomes(acting.db, bulk, checked);
  return checked;
}

const pageOfMany = sql`case when variant in ('own', 'answer') then '/kpi/evaluations?tab=mine' else '/kpi/evaluations?tab=all' end`;

async function notifyConcerned(db: Db, bulk: BulkRun): Promise<void> {
  const { rows } = await sql<Changed>`
    select evaluation_id as id, former_reviewer_id as former_id from kpi_evaluation_bulk_rows
    where bulk_id = ${bulk.id} and outcome = 'changed' order by evaluation_id`.execute(db);
  if (rows.length === 0) return;
  const bundle = { key: `bulk-${bulk.id}`, url: pageOfMany };
  await notifyOf[bulk.request.kind]({ db, actor: { user_id: bulk.created_by }, bundle }, rows);
}

async function notifyCreator(db: Db, bulk: BulkRun, end: BulkEnd): Promise<void> {
  const { rows } = await sql<{ changed: number; refused: number }>`
    select count(*) filter (where outcome = 'changed')::int as changed,
           count(*) filter (where outcome = 'refused')::int as refused
    from kpi_evaluation_bulk_rows where bulk_id = ${bulk.id}`.execute(db);
  const { changed, refused } = rows[0] ?? { changed: 0, refused: 0 };
  await notify({ db, actor: null }, 'kpi_bulk_finished', {
    subject: { type: 'kpi_evaluation_bulk', id: bulk.id },
    round: 1,
    url: `/kpi/evaluations?tab=all&bulk=${bulk.id}`,
    params: { total: bulk.total, changed, refused },
    ...(end !== 'completed' && { variant: end }),
    to: accounts([bulk.created_by]),
  });
}

/** Ends a run once: notifies each person concerned once, and the user if a job did the work. */
export async function endBulk(
  acting: Acting,
  bulk: BulkRun,
  end: BulkEnd,
  stop_reason: Text | null = null,
): Promise<void> {
  const { db } = acting;
  const { rows } = await sql`
    update kpi_evaluation_bulks
    set status = ${end}, finished_at = now(), stop_reason = ${stop_reason && JSON.stringify(stop_reason)}::jsonb
    where id = ${bulk.id} and status = 'processing' returning id`.execute(db);
  if (rows.length === 0) return;
  await notifyConcerned(db, bulk);
  if (bulk.in_background) await notifyCreator(db, bulk, end);
  if (end === 'stopped')
    await record({ db, actor: null }, { action: 'kpi_evaluation_bulk.stopped', subject_id: bulk.id });
}
