import type { kpiCycleFigures } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { peopleFor, visiblePeople } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, oneOfIds, oneOfTexts } from '../../db/lists.ts';
import type { FileReply, HandlerCtx } from '../../http/context.ts';
import { exportFile } from '../../http/downloads.ts';
import type { ExportColumn } from '../../http/downloads.ts';
import { resultSeen, scoresSeen, selfSeen } from '../kpi-evaluations/visibility.ts';
import { companiesFor } from './policy.ts';
import type { CycleRecord } from './queries.ts';

type Query = {
  department_id?: readonly number[] | undefined;
  status?: readonly string[] | undefined;
  search?: string | null | undefined;
  sort_direction?: 'asc' | 'desc' | null | undefined;
};
type Row = {
  employee_number: string;
  employee_name: string;
  entity: string;
  department: string;
  job_title: string | null;
  grade: string | null;
  cycle: string;
  template: string;
  reviewer: string | null;
  status: string;
  self_score: number | null;
  overall_score: number | null;
  overall_percentage: number | null;
  performance_flag: string | null;
  completed_at: string | null;
  disputed: 'yes' | 'no';
};

const columns: ExportColumn<Row>[] = (
  [
    'employee_number',
    'employee_name',
    'entity',
    'department',
    'job_title',
    'grade',
    'cycle',
    'template',
    'reviewer',
    'status',
    'self_score',
    'overall_score',
    'overall_percentage',
    'performance_flag',
    'completed_at',
    'disputed',
  ] as const
).map((header) => ({ header, value: (row) => row[header] }));

const batch = 1_000;

const seen = (condition: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
  sql`case when ${condition} then ${value} end`;

const asked = (actor: Actor, cycleId: number, query: Query) =>
  every([
    sql<boolean>`v.cycle_id = ${cycleId}`,
    companiesFor(actor, 'kpi-cycle.export', 'v.entity_id'),
    ...oneOfIds(sql`v.department_id`, query.department_id),
    ...oneOfTexts(sql`v.status`, query.status),
    ...holdsWords([sql`e.name`, sql`e.employee_number`, seen(visiblePeople(actor), sql`e.email`)], query.search),
  ]);

async function allIds(db: Db, actor: Actor, cycleId: number, query: Query): Promise<number[]> {
  const order = query.sort_direction === 'desc' ? sql`v.person_sort desc, v.id` : sql`v.person_sort, v.id`;
  const { rows } = await sql<{ ids: number[] }>`
    select coalesce(array_agg(v.id order by ${order}), '{}') as ids
    from kpi_evaluations v ${query.search ? sql`join employees e on e.id = v.employee_id` : sql``}
    where ${asked(actor, cycleId, query)}`.execute(db);
  return rows[0]?.ids ?? [];
}

/** The columns of an evaluation `v` in the export: an unfinished one has no more than the reader sees on the screen. */
const cellsFor = (actor: Actor) => sql`
  e.employee_number, e.name as employee_name, n.name as entity, d.name as department, v.job_title,
  ${seen(peopleFor(actor, 'employees.view'), sql`e.grade`)} as grade, c.name as cycle, v.template_name as template,
  r.name as reviewer, v.status, ${seen(selfSeen(actor), sql`v.self_overall_score`)} as self_score,
  ${seen(scoresSeen(actor), sql`v.overall_score`)} as overall_score,
  ${seen(scoresSeen(actor), sql`v.overall_percentage`)} as overall_percentage,
  ${seen(resultSeen(actor), sql`v.performance_flag`)} as performance_flag, v.completed_at,
  case when v.dispute_reason is null then 'no' else 'yes' end as disputed`;

/** Reads the evaluations of these ids in batches, in order; holds no connection while the client reads. */
async function* resultsOf(
  { db, actor }: { db: Db; actor: Actor },
  cycleId: number,
  query: Query,
  ids: readonly number[],
): AsyncGenerator<Row> {
  for (let start = 0; start < ids.length; start += batch) {
    const wanted = ids.slice(start, start + batch);
    const { rows } = await sql<Row>`
      select ${cellsFor(actor)}
      from unnest(${wanted}::bigint[]) with ordinality as wanted (wanted_id, place)
      join kpi_evaluations v on v.id = wanted.wanted_id
      join employees e on e.id = v.employee_id
      join entities n on n.id = v.entity_id
      join departments d on d.id = v.department_id
      join kpi_cycles c on c.id = v.cycle_id
      left join employees r on r.id = v.reviewer_id
      where ${asked(actor, cycleId, query)}
      order by wanted.place`.execute(db);
    yield* rows;
  }
}

/** Exports the results of a cycle for finance. */
export async function exportResults(
  ctx: HandlerCtx<typeof kpiCycleFigures.export>,
  cycle: CycleRecord,
): Promise<FileReply> {
  const ids = await allIds(ctx.db, ctx.actor, cycle.id, ctx.query);
  return exportFile(ctx, {
    name: 'kpi-results',
    columns,
    rows: resultsOf(ctx, cycle.id, ctx.query, ids),
    count: ids.length,
  });
}
