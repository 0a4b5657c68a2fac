import { text } from '@tenure/contract';
import type { evaluationBulk, QueryOut, ReplyIn, Text } from '@tenure/contract';
import { sql } from 'kysely';
import { evaluationsIn } from '../../../access/evaluation-scope.ts';
import { record } from '../../../audit.ts';
import type { Db } from '../../../db/connect.ts';
import { every, holdsWords, oneOfTexts, selectPage } from '../../../db/lists.ts';
import type { ReadCtx, RecordCtx, WriteCtx } from '../../../http/context.ts';
import { conflict, notFound } from '../../../http/errors.ts';

/** What users see of their own bulk changes of evaluations. */

type Bulk = ReplyIn<typeof evaluationBulk.get>['data'];
type Reason = { reason: Text; count: number };
type Stored = Pick<Bulk, 'id' | 'kind' | 'status' | 'created_at' | 'finished_at'> & {
  stop_reason: Text | null;
  cancel_requested_at: string | null;
  total: number;
  changed: number;
  refused: number;
  reasons: Reason[];
};

const columns = sql<Stored>`
  b.id, b.kind, b.status, b.created_at, b.finished_at, b.stop_reason, b.cancel_requested_at, b.total,
  f.changed, f.refused, f.reasons`;

const figures = sql`
  lateral (
    select coalesce(sum(g.rows) filter (where g.outcome = 'changed'), 0)::int as changed,
           coalesce(sum(g.rows) filter (where g.outcome = 'refused'), 0)::int as refused,
           coalesce(jsonb_agg(jsonb_build_object('reason', g.reason, 'count', g.rows) order by g.rows desc, g.reason)
                      filter (where g.outcome = 'refused'), '[]') as reasons
    from (select r.outcome, r.reason, count(*) as rows from kpi_evaluation_bulk_rows r
          where r.bulk_id = b.id and r.outcome is not null group by r.outcome, r.reason) as g) as f`;

const present = ({ total, changed, refused, cancel_requested_at, ...bulk }: Stored): Bulk => ({
  ...bulk,
  reasons: bulk.reasons.slice(0, 100),
  counts: { total, changed, refused, open: total - changed - refused },
  allowed_actions: bulk.status === 'processing' && cancel_requested_at === null ? ['cancel'] : [],
});

/** Reads one of the user's own runs. */
export async function readBulk({ db, actor }: ReadCtx, id: number): Promise<Bulk> {
  const { rows } = await sql<Stored>`
    select ${columns} from kpi_evaluation_bulks b cross join ${figures}
    where b.id = ${id} and b.created_by = ${actor.user_id}`.execute(db);
  if (!rows[0]) throw notFound();
  return present(rows[0]);
}

/** Finds one of the user's own runs for its endpoints. */
export const findBulk = (ctx: RecordCtx): Promise<Bulk> => readBulk(ctx, ctx.params.id);

/** Lists the user's own runs, the latest first. */
export async function listBulks({ db, actor }: ReadCtx, query: QueryOut<typeof evaluationBulk.list>) {
  const where = every([
    sql`b.created_by = ${actor.user_id}`,
    ...oneOfTexts(sql`b.status`, query.status),
    ...holdsWords([sql`b.kind`], query.search),
  ]);
  const direction = query.sort_direction === 'asc' ? sql`asc` : sql`desc`;
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Stored>`
      select ${columns} from kpi_evaluation_bulks b cross join ${figures} where ${where} order by b.id ${direction}`,
    total: sql`select count(*) from kpi_evaluation_bulks b where ${where}`,
  });
  return { rows: rows.map(present), total };
}

/** Lists the outcome of each evaluation; those that the reader can no longer see have no name. */
export function listBulkRows({ db, actor }: ReadCtx, id: number, query: QueryOut<typeof evaluationBulk.rows>) {
  type Row = ReplyIn<typeof evaluationBulk.rows>['data'][number];
  const from = sql`
    kpi_evaluation_bulk_rows r
    left join kpi_evaluations v on v.id = r.evaluation_id and ${evaluationsIn(actor, 'kpi-evaluation.view')}
    left join employees p on p.id = v.employee_id
    left join kpi_cycles c on c.id = v.cycle_id`;
  const where = every([
    sql`r.bulk_id = ${id}`,
    ...oneOfTexts(sql`r.outcome`, query.outcome),
    ...holdsWords([sql`p.name`, sql`p.employee_number`], query.search),
  ]);
  const direction = query.sort_direction === 'desc' ? sql`desc` : sql`asc`;
  return selectPage<Row>(db, query, {
    rows: sql<Row>`
      select r.evaluation_id as id, p.name as label, p.employee_number, c.name as cycle, v.status,
             v.revision, r.outcome, r.reason
      from ${from} where ${where} order by r.evaluation_id ${direction}`,
    total: sql`select count(*) from ${from} where ${where}`,
  });
}

const markCancelled = (db: Db, id: number) =>
  sql`
  update kpi_evaluation_bulks set cancel_requested_at = now()
  where id = ${id} and status = 'processing' and cancel_requested_at is null returning id`.execute(db);

/** Asks the job to stop before its next batch. */
export async function cancelBulk(ctx: WriteCtx, { id, status }: Bulk): Promise<void> {
  const { rows } = await markCancelled(ctx.db, id);
  if (rows.length === 0) throw conflict(text('evaluations.bulk_over'), { status, revision: 1 });
  await record(ctx, { action: 'kpi_evaluation_bulk.cancelled', subject_id: id });
}
