import { text } from '@tenure/contract';
import type { probationOutcomes, probationReviews, probationStatuses } from '@tenure/contract';
import { sql } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { peopleIn } from '../../access/scope.ts';
import type { Ctx, FileReply, HandlerCtx } from '../../http/context.ts';
import { exportFile } from '../../http/downloads.ts';
import type { ExportColumn } from '../../http/downloads.ts';
import { reviewsMatching } from './filters.ts';
import type { ListQuery } from './filters.ts';
import { orderedIds } from './list.ts';
import { assessmentSeen } from './visibility.ts';
import { openReviewStates } from '../../workflow/open.ts';

const headers = [
  'employee_number',
  'employee_name',
  'department',
  'reviewer',
  'probation_end_date',
  'days_left',
  'status',
  'recommendation',
  'outcome',
  'extension_count',
  'acknowledged_on',
  'acknowledgement_recorded_by',
] as const;
type Header = (typeof headers)[number];
type Outcome = (typeof probationOutcomes)[number];
type Row = Record<Header, string | number | null> & {
  status: (typeof probationStatuses)[number];
  recommendation: Outcome | null;
  outcome: Outcome | null;
};

const outcomeText = (outcome: Outcome | null) => outcome && text(`documents.outcomes.${outcome}`);

/** Words for people instead of codes. */
const read: Partial<Record<Header, ExportColumn<Row>['read']>> = {
  status: ({ status }) => text(`exports.probation_statuses.${status}`),
  recommendation: ({ recommendation }) => outcomeText(recommendation),
  outcome: ({ outcome }) => outcomeText(outcome),
};

const columns: ExportColumn<Row>[] = headers.map((header) => ({
  header,
  value: (row) => row[header],
  heading: text(`exports.headings.${header}`),
  read: read[header] ?? ((row) => row[header]),
}));

const batch = 1_000;

/** The columns of a review `v` in the file: for an undecided one, no more than the reader sees on the screen. */
const cellsFor = (actor: Actor) => sql`
  p.employee_number, p.name as employee_name, d.name as department, r.name as reviewer, v.probation_end_date,
  case when v.status in ${openReviewStates}
       then v.probation_end_date - (now() at time zone n.timezone)::date end as days_left,
  v.status, case when ${assessmentSeen(actor)} then v.recommendation end as recommendation, v.outcome,
  case when ${peopleIn(actor, reachOf(actor, 'employees.view'), 'p')} then p.extension_count end as extension_count,
  -- only after the decision, when all readers in scope see it
  coalesce(v.talked_on, (v.employee_acknowledged_at at time zone n.timezone)::date) as acknowledged_on,
  v.acknowledgement_recorded_by_name as acknowledgement_recorded_by`;

/**
 * Reads the reviews of these ids in batches, in order. Holds no connection while the client reads. Each batch uses the
 * current rights; the export ends when the permission is lost.
 */
async function* reviewsOf(
  { db, checkAgain }: Pick<Ctx, 'db' | 'checkAgain'>,
  query: ListQuery,
  ids: readonly number[],
): AsyncGenerator<Row> {
  for (let start = 0; start < ids.length; start += batch) {
    const wanted = ids.slice(start, start + batch);
    const actor = await checkAgain();
    const { rows } = await sql<Row>`
      select ${cellsFor(actor)}
      from unnest(${wanted}::bigint[]) with ordinality as wanted (wanted_id, place)
      join probation_reviews v on v.id = wanted.wanted_id
      join employees p on p.id = v.employee_id
      join entities n on n.id = v.entity_id
      join departments d on d.id = v.department_id
      left join employees r on r.id = v.reviewer_id
      where ${reviewsMatching(actor, query, 'probation-review.export')}
      order by wanted.place`.execute(db);
    yield* rows;
  }
}

/** The reviews of a list as a file. */
export async function exportReviews(ctx: HandlerCtx<typeof probationReviews.export>): Promise<FileReply> {
  const { db, actor, query } = ctx;
  const asked = reviewsMatching(actor, query, 'probation-review.export');
  const { rows } = await sql<{ ids: number[] }>`select array(${orderedIds(asked, query)}) as ids`.execute(db);
  const ids = rows[0]?.ids ?? [];
  return exportFile(ctx, {
    name: 'probation-reviews',
    columns,
    rows: reviewsOf(ctx, query, ids),
    count: ids.length,
  });
}
