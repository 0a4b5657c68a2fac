import type { NotificationEvent } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { deputyOf } from '../access/absences.ts';
import { bundled } from '../notifications/bundle.ts';
import { notifyEach } from '../notifications/notify.ts';
import type { NotifyContext } from '../notifications/notify.ts';

/**
 * Notifications about records of a workflow, sent for many records in one statement. Called once the rows have their
 * new state. A person is notified of an event once per round; for events that may repeat within a round, the revision
 * is added.
 */

export type Ids = readonly number[];
export type ReviewerChange = { id: number; former_id: number | null };
/** SQL with the columns subject_id, user_id and variant. */
export type Audience = RawBuilder<unknown>;

type Subjects = {
  type: 'kpi_evaluation' | 'probation_review';
  table: 'kpi_evaluations' | 'probation_reviews';
  /** The address of a record's page, without its id. */
  page: string;
  /** The parameters of its texts, as jsonb: v is the record, p its person. */
  params: RawBuilder<unknown>;
};

type Notice = {
  /** It may happen several times in a round. */
  often?: boolean;
  /** What limits it to once, instead of a round. */
  once_for?: RawBuilder<unknown>;
  /** Parameters that differ or are added, as jsonb. */
  params?: RawBuilder<unknown>;
};

/** The union of several audiences. */
export const unionOf = (...audiences: Audience[]): Audience =>
  sql.join(
    audiences.map((audience) => sql`select subject_id, user_id, variant from (${audience}) as one`),
    sql` union all `,
  );

/** An audience that gets another text of the event. */
export const withVariant = (variant: string, audience: Audience): Audience =>
  sql`select subject_id, user_id, ${variant}::text as variant from (${audience}) as one`;

/** HR, from SQL with the columns subject_id and user_id. */
export const plainAudience = (people: RawBuilder<unknown>): Audience =>
  sql`select subject_id, user_id, 'plain' as variant from (${people}) as h`;

/** The states in which a record waits for its reviewer, for whom a deputy may act. */
const waits = {
  kpi_evaluations: sql`v.status = 'manager_review'`,
  probation_reviews: sql`v.status in ('pending', 'sent_back')`,
} as const;
const tasks = { kpi_evaluations: 'kpi_reviews', probation_reviews: 'probation_reviews' } as const;

/** The reviewer, or, while the record waits for an absent reviewer, the deputy. */
const reviewersOf = (table: Subjects['table'], ids: Ids): Audience => sql`
  select v.id as subject_id, r.user_id, 'plain' as variant
  from ${sql.table(table)} v
  join employees r on r.id = coalesce(case when ${waits[table]} then ${deputyOf('v', tasks[table])} end, v.reviewer_id)
  where v.id = any(${ids}::bigint[])`;

const formerReviewers = (changes: readonly ReviewerChange[]): Audience => sql`
  select t.id as subject_id, r.user_id, 'former' as variant
  from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as t (id bigint, former_id bigint)
  join employees r on r.id = t.former_id`;

const subjectsOf = (table: Subjects['table'], ids: Ids): Audience => sql`
  select v.id as subject_id, p.user_id, 'own' as variant
  from ${sql.table(table)} v join employees p on p.id = v.employee_id where v.id = any(${ids}::bigint[])`;

/** The audiences of a workflow, and how they are notified. */
export function notifiersOf({ type, table, page, params }: Subjects) {
  const reviewer = (ids: Ids) => reviewersOf(table, ids);
  const subject = (ids: Ids) => subjectsOf(table, ids);

  async function notify(
    acting: NotifyContext,
    event: NotificationEvent,
    audience: Audience,
    { often = false, once_for, params: others }: Notice = {},
  ): Promise<void> {
    const round = once_for ?? (often ? sql`v.round || '-' || v.revision` : sql`v.round::text`);
    await notifyEach(
      acting,
      event,
      { type },
      bundled(
        sql`
        select a.user_id, v.id as subject_id, ${round} as round, ${page}::text || v.id as url,
               ${others ? sql`${params} || ${others}` : params} as params, a.variant, null::text as copy_to
        from (${audience}) as a
        join ${sql.table(table)} v on v.id = a.subject_id
        join employees p on p.id = v.employee_id`,
        acting.bundle,
      ),
    );
  }

  /** Notifies previous and new reviewers of a change. */
  async function notifyReviewers(
    acting: NotifyContext,
    event: NotificationEvent,
    changes: readonly ReviewerChange[],
  ): Promise<void> {
    const present = reviewer(changes.map(({ id }) => id));
    await notify(acting, event, unionOf(present, formerReviewers(changes)), { often: true });
  }

  /** Notifies HR of those records that need another reviewer, because theirs can no longer act. */
  async function notifyMissing(
    acting: NotifyContext,
    event: NotificationEvent,
    organisers: (ids: Ids) => Audience,
    ids: Ids,
  ): Promise<void> {
    const { rows } = await sql<{ id: number }>`
      select v.id from ${sql.table(table)} v
      where v.id = any(${ids}::bigint[]) and v.reviewer_id is not null and v.reviewer_missing_since is not null`.execute(
      acting.db,
    );
    if (rows.length === 0) return;
    const missing = withVariant('missing', organisers(rows.map(({ id }) => id)));
    await notify(acting, event, missing, {
      once_for: sql`'missing-' || extract(epoch from v.reviewer_missing_since)`,
    });
  }

  return { notify, notifyReviewers, notifyMissing, reviewer, subject };
}
