import type { ProbationStatus } from '@tenure/contract';
import { sql } from 'kysely';
import { record } from '../../audit.ts';
import type { Acting, Changes } from '../../audit.ts';

/** One review that went through a transition. */
export type Moved = {
  id: number;
  employee_id: number;
  entity_id: number;
  person_name: string;
  probation_end_date: string;
  from: ProbationStatus;
  to: ProbationStatus;
  /** The round that holds now. */
  round: number;
  /** What is given up, as it stood. */
  snapshot?: Readonly<Record<string, unknown>> | undefined;
  /** What changed beside the state. */
  changes?: Changes | undefined;
};

/** How the audit log names a review. */
export const labelOf = ({ person_name, probation_end_date }: Pick<Moved, 'person_name' | 'probation_end_date'>) =>
  `${person_name}, probation until ${probation_end_date}`;

async function writeActivity({ db, actor }: Acting, action: string, moved: readonly Moved[], reason: string | null) {
  const rows = moved.map(({ id, from, to, round, snapshot }) => ({ id, from, to, round, snapshot: snapshot ?? null }));
  await sql`
    insert into probation_review_activity (review_id, actor_id, actor_name, action, from_status, to_status, reason,
                                           round, snapshot)
    select id, ${actor?.user_id ?? null}::bigint, ${actor?.name ?? 'System'}, ${action}, "from", "to", ${reason}::text,
           round, nullif(snapshot, 'null'::jsonb)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (id bigint, "from" text, "to" text, round integer, snapshot jsonb)`.execute(db);
}

/** Writes the history and the audit log of what happened to reviews, in the transaction in which it happened. */
export async function recordMoves(
  acting: Acting,
  action: string,
  moved: readonly Moved[],
  reason: string | null = null,
): Promise<void> {
  if (moved.length === 0) return;
  await writeActivity(acting, action, moved, reason);
  await record(
    acting,
    ...moved.map((one) => ({
      action: `probation_review.${action}` as const,
      subject_id: one.id,
      subject_label: labelOf(one),
      entity_id: one.entity_id,
      about_employee_id: one.employee_id,
      changes: { ...(one.from !== one.to && { status: { from: one.from, to: one.to } }), ...one.changes },
      reason,
    })),
  );
}
