import type { ProbationStatus } from '@tenure/contract';
import { sql } from 'kysely';
import type { Acting } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { ownReason } from '../../languages/answer.ts';
import { hrOfEach } from '../../notifications/hr-pool.ts';
import { isBelow } from '../../access/scope.ts';
import { markReviewersMissing } from '../../workflow/missing-reviewers.ts';
import { defaultReviewerAmong, mayReviewProbationsIn, holdsReviewIn } from './reviewers.ts';
import { voidAllOf } from './signatures.ts';
import { notifyReviewerChanged, notifySubmitted, notifyOpened } from './notify.ts';
import { recordMoves } from './history.ts';
import { noDraft } from './steps/hr.ts';
import { openReviewStates } from '../../workflow/open.ts';

/**
 * Open reviews of people who moved to another company. A trigger moves the company and department of a review; this
 * moves its reviewer and its notifications.
 */

type Open = {
  id: number;
  employee_id: number;
  entity_id: number;
  person_name: string;
  probation_end_date: string;
  status: ProbationStatus;
  round: number;
  reviewer_id: number | null;
  /** The new reviewer. */
  next_id: number | null;
};

const inNewCompany = (alias: string) => mayReviewProbationsIn(alias, sql`e.entity_id`);

/** The reviewer stays if their permission covers the new company; otherwise one is found as for a new review. */
async function openOf(db: Db, employeeIds: readonly number[]): Promise<Open[]> {
  const { rows } = await sql<Open>`
    select v.id, v.employee_id, v.entity_id, v.status, v.round, v.probation_end_date, v.reviewer_id,
           e.name as person_name,
           case when r.id is not null and ${holdsReviewIn('r', sql`e.entity_id`)}
                  and not ${isBelow(sql`r.id`, sql`e.id`)} then v.reviewer_id
                else ${defaultReviewerAmong(inNewCompany)} end as next_id
    from probation_reviews v
    join employees e on e.id = v.employee_id
    join departments d on d.id = e.department_id
    left join employees r on r.id = v.reviewer_id
    where v.employee_id = any(${employeeIds}::bigint[]) and v.status in ${openReviewStates}
    order by v.id for update of v`.execute(db);
  return rows;
}

/** Deletes notifications of people who no longer see the review, with unsent mails. */
async function hideFromFormer(db: Db, ids: readonly number[]): Promise<void> {
  const readers = hrOfEach(
    'probation-review.view',
    sql`select id as subject_id, employee_id, entity_id, department_id from probation_reviews
        where id = any(${ids}::bigint[])`,
  );
  await sql`
    with readers as materialized (${readers}), hidden as (
      update notifications n set shown = false, read_at = coalesce(n.read_at, now())
      from probation_reviews v join employees p on p.id = v.employee_id
      where n.subject_type = 'probation_review' and n.shown and n.subject_id = any(${ids}::bigint[])
        and v.id = n.subject_id and n.user_id is distinct from p.user_id
        and n.user_id not in (select s.user_id from readers s where s.subject_id = v.id)
        and not exists (select from employees r where r.id = v.reviewer_id and r.user_id = n.user_id)
        and not exists (select from users u where u.id = n.user_id and u.is_admin)
      returning n.id)
    delete from notification_deliveries d using hidden h
    where d.notification_id = h.id and d.status = 'pending' and d.leased_until is null`.execute(db);
}

/** As when HR names another reviewer: deletes unsubmitted content; submitted content stays as it was signed. */
async function changeReviewers(acting: Acting, changed: readonly Open[]): Promise<void> {
  if (changed.length === 0) return;
  const { db } = acting;
  const ids = changed.map(({ id }) => id);
  await sql`
    update probation_reviews v
    set reviewer_id = t.next_id, reviewer_missing_since = case when t.next_id is null then now() end
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as t (id bigint, next_id bigint)
    where v.id = t.id`.execute(db);
  await markReviewersMissing(db, 'probation_reviews', ids);
  const unsent = changed.filter(({ status }) => status !== 'submitted').map(({ id }) => id);
  if (unsent.length > 0) {
    await db.updateTable('probation_reviews').set(noDraft).where('id', 'in', unsent).execute();
    await voidAllOf(acting, unsent);
  }
  const moved = changed.map(({ reviewer_id, next_id, status, ...row }) => ({
    ...row,
    from: status,
    to: status,
    changes: { reviewer_id: { from: reviewer_id, to: next_id } },
  }));
  await recordMoves(acting, 'reviewer', moved, ownReason('reasons.other_company'));
  await notifyReviewerChanged(
    acting,
    changed.map(({ id, reviewer_id }) => ({ id, former_id: reviewer_id })),
  );
}

/** All code that moves people calls this, with the people locked, after their records have the new company. */
export async function followTransfers(acting: Acting, employeeIds: readonly number[]): Promise<void> {
  const open = await openOf(acting.db, employeeIds);
  if (open.length === 0) return;
  await hideFromFormer(
    acting.db,
    open.map(({ id }) => id),
  );
  await notifySubmitted(
    acting,
    open.filter(({ status }) => status === 'submitted').map(({ id }) => id),
  );
  await changeReviewers(
    acting,
    open.filter(({ reviewer_id, next_id }) => reviewer_id !== next_id),
  );
  await notifyOpened(
    acting,
    open.filter(({ next_id, status }) => next_id === null && status !== 'submitted').map(({ id }) => id),
  );
}
