import { text } from '@tenure/contract';
import type { evaluationStatuses, performanceFlags } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { peopleFor } from '../../access/scope.ts';
import type { Ctx } from '../../http/context.ts';
import type { ExportColumn } from '../../http/downloads.ts';
import { countedParts, personResult } from './parts.ts';
import type { CountedPart } from './parts.ts';
import { resultSeen, scoresSeen, selfSeen } from './visibility.ts';

/** Evaluations as rows of a file; for an unfinished one, no more than the reader sees on the screen. */

export type ExportedEvaluation = {
  employee_number: string;
  employee_name: string;
  entity: string;
  department: string;
  job_title: string | null;
  grade: string | null;
  cycle: string;
  template: string;
  reviewer: string | null;
  status: (typeof evaluationStatuses)[number];
  self_score: number | null;
  overall_score: number | null;
  overall_percentage: number | null;
  performance_flag: (typeof performanceFlags)[number] | null;
  completed_at: string | null;
  /** `2026-07-14 16:20`, in the time zone of the company. */
  completed_local: string | null;
  disputed: 'yes' | 'no';
  /** The number of the part, out of two; null for the whole cycle, like the days. */
  part: number | null;
  part_from: string | null;
  part_until: string | null;
  part_days: number | null;
  /** The person's result in the cycle: for parts the mean by days, once all are completed. */
  person_percentage: number | null;
};
type Read = Omit<ExportedEvaluation, 'person_percentage'> & { parts: CountedPart[] | null };

/** Adds the person's result and removes the parts that it comes from. */
const withPerson = ({ parts, ...row }: Read): ExportedEvaluation => ({
  ...row,
  person_percentage: parts ? personResult(parts) : row.overall_percentage,
});

/** Words for people instead of codes and instants. */
const read: Partial<Record<keyof ExportedEvaluation, ExportColumn<ExportedEvaluation>['read']>> = {
  status: ({ status }) => text(`evaluation_pdf.statuses.${status}`),
  performance_flag: ({ performance_flag: flag }) => flag && text(`evaluation_pdf.flags.${flag}`),
  completed_at: ({ completed_local }) => completed_local,
  disputed: ({ disputed }) => text(`exports.${disputed}`),
};

export const evaluationColumns: ExportColumn<ExportedEvaluation>[] = (
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
    'part',
    'part_from',
    'part_until',
    'part_days',
    'person_percentage',
  ] as const
).map((header) => ({
  header,
  value: (row) => row[header],
  heading: text(`exports.headings.${header}`),
  read: read[header] ?? ((row) => row[header]),
}));

const batch = 1_000;

const seen = (condition: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
  sql`case when ${condition} then ${value} end`;

const cellsFor = (actor: Actor) => sql`
  e.employee_number, e.name as employee_name, n.name as entity, d.name as department, v.job_title,
  ${seen(peopleFor(actor, 'employees.view'), sql`e.grade`)} as grade, c.name as cycle, v.template_name as template,
  r.name as reviewer, v.status, ${seen(selfSeen(actor), sql`v.self_overall_score`)} as self_score,
  ${seen(scoresSeen(actor), sql`v.overall_score`)} as overall_score,
  ${seen(scoresSeen(actor), sql`v.overall_percentage`)} as overall_percentage,
  ${seen(resultSeen(actor), sql`v.performance_flag`)} as performance_flag, v.completed_at,
  to_char(v.completed_at at time zone n.timezone, 'YYYY-MM-DD HH24:MI') as completed_local,
  case when v.dispute_reason is null then 'no' else 'yes' end as disputed,
  v.part, ${seen(sql`v.part is not null`, sql`coalesce(v.covers_from, c.start_date)`)} as part_from,
  ${seen(sql`v.part is not null`, sql`coalesce(v.covers_until, c.end_date)`)} as part_until,
  ${seen(sql`v.part is not null`, sql`v.employed_days`)} as part_days, ${countedParts(actor)} as parts`;

/**
 * Reads the evaluations of these ids in batches, in order. Holds no connection while the client reads. Each batch uses
 * the current rights; the export ends when the permission is lost.
 * @param still the condition that an evaluation `v` of a person `e` must still meet for an actor
 */
export async function* exportedEvaluations(
  { db, checkAgain }: Pick<Ctx, 'db' | 'checkAgain'>,
  ids: readonly number[],
  still: (actor: Actor) => RawBuilder<SqlBool> | Promise<RawBuilder<SqlBool>>,
): AsyncGenerator<ExportedEvaluation> {
  for (let start = 0; start < ids.length; start += batch) {
    const wanted = ids.slice(start, start + batch);
    const actor = await checkAgain();
    const condition = await still(actor);
    const { rows } = await sql<Read>`
      select ${cellsFor(actor)}
      from unnest(${wanted}::bigint[]) with ordinality as wanted (wanted_id, place)
      join kpi_evaluations v on v.id = wanted.wanted_id
      join employees e on e.id = v.employee_id
      join entities n on n.id = v.entity_id
      join departments d on d.id = v.department_id
      join kpi_cycles c on c.id = v.cycle_id
      left join employees r on r.id = v.reviewer_id
      where ${condition}
      order by wanted.place`.execute(db);
    yield* rows.map(withPerson);
  }
}
