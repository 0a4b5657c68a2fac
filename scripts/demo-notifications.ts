import type { EvaluationStatus } from '@tenure/contract';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { DB } from '../server/src/db/schema.ts';
import { notifyAssigned } from '../server/src/features/kpi-cycles/evaluations.ts';
import { notifyPublished } from '../server/src/features/kpi-cycles/notify.ts';
import {
  notifyAccepted,
  notifyDisputed,
  notifyManagerReviewSubmitted,
  notifyResult,
  notifySelfAssessmentSubmitted,
} from '../server/src/features/kpi-evaluations/notify.ts';
import type { NotifyContext } from '../server/src/notifications/notify.ts';

type Notify = (context: NotifyContext, ids: readonly number[]) => Promise<unknown>;

/** The notification for the step that led to each status. */
const notified: readonly (readonly [EvaluationStatus, Notify])[] = [
  ['self_assessment', notifyAssigned],
  ['manager_review', notifySelfAssessmentSubmitted],
  ['hr_review', notifyManagerReviewSubmitted],
  ['pending_acceptance', notifyResult],
  ['accepted', notifyAccepted],
  ['disputed', notifyDisputed],
];

/** Notifies the people in the demo about a cycle and their steps in it, as if each had just been taken. */
export async function insertDemoNotifications(db: Transaction<DB>, cycle: { id: number; name: string }): Promise<void> {
  const context = { db, actor: null };
  const departments = await db
    .selectFrom('kpi_cycle_departments as c')
    .innerJoin('departments as d', 'd.id', 'c.department_id')
    .select(['d.id', 'd.entity_id'])
    .where('c.cycle_id', '=', cycle.id)
    .execute();
  const { rows } = await sql<{ status: EvaluationStatus; ids: number[] }>`
    select status, array_agg(id) as ids from kpi_evaluations where cycle_id = ${cycle.id} group by status`.execute(db);
  await notifyPublished(context, cycle, departments);
  for (const [status, notify] of notified) await notify(context, rows.find((row) => row.status === status)?.ids ?? []);
}
