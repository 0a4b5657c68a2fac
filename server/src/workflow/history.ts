import type { AuditAction } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { record } from '../audit.ts';
import type { Acting, Changes } from '../audit.ts';
import type { Db } from '../db/connect.ts';
import { every, holdsWords, orderedBy, selectPage } from '../db/lists.ts';

/** One record that went through a transition. */
export type Moved<Status extends string = string> = {
  id: number;
  employee_id: number;
  entity_id: number;
  person_name: string;
  from: Status;
  to: Status;
  /** The current round. */
  round: number;
  /** What is discarded, as it was. */
  snapshot?: object | undefined;
  /** The absent reviewer for whom a deputy acted. */
  acting_for?: string | null | undefined;
  /** What changed besides the state. */
  changes?: Changes | undefined;
};

type Kept<One extends Moved> = {
  /** The history table, and its column that refers to the record. */
  table: 'kpi_evaluation_activity' | 'probation_review_activity';
  record: 'evaluation_id' | 'review_id';
  /** The name of the record in the audit log. */
  noun: 'kpi_evaluation' | 'probation_review';
  labelOf: (moved: One) => string;
};

type Stored<Status, Snapshot> = {
  id: number;
  at: string;
  actor_id: number | null;
  actor_name: string;
  acting_for: string | null;
  action: string;
  from_status: Status | null;
  to_status: Status;
  reason: string | null;
  round: number;
  snapshot: Snapshot | null;
};

/** What the reader sees of a row `a` of the history. */
export type ActivitySeen = { reason: RawBuilder<unknown>; snapshot: RawBuilder<unknown> };

type ActivityQuery = Parameters<typeof selectPage>[1] & {
  action?: string | null | undefined;
  search?: string | null | undefined;
  sort_direction?: 'asc' | 'desc' | null | undefined;
};

type Asked = { table: string; of: RawBuilder<SqlBool>; query: ActivityQuery; seen: ActivitySeen };

async function readActivity<Status, Snapshot>(db: Db, { table, of, query, seen }: Asked) {
  const direction = query.sort_direction ?? 'desc';
  const where = every([
    of,
    ...(query.action ? [sql<SqlBool>`a.action = ${query.action}`] : []),
    ...holdsWords([seen.reason], query.search),
  ]);
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Stored<Status, Snapshot>>`
      select a.id, a.at, a.actor_id, a.actor_name, a.acting_for, a.action, a.from_status, a.to_status, ${seen.reason} as reason,
             a.round, ${seen.snapshot} as snapshot
      from ${sql.table(table)} a where ${where}
      ${orderedBy(sql`a.at`, direction, sql`a.id ${sql.raw(direction)}`)}`,
    total: sql`select count(*) from ${sql.table(table)} a where ${where}`,
  });
  return { rows: rows.map(presentActivity), total };
}

/** Writes and reads the history of a workflow's records. */
export function historyOf<One extends Moved>({ table, record: reference, noun, labelOf }: Kept<One>) {
  async function writeActivity({ db, actor }: Acting, action: string, moved: readonly One[], reason: string | null) {
    const rows = moved.map(({ id, from, to, round, snapshot = null, acting_for = null }) => ({
      id,
      from,
      to,
      round,
      snapshot,
      acting_for,
    }));
    await sql`
      insert into ${sql.table(table)} (${sql.ref(reference)}, actor_id, actor_name, action, from_status, to_status,
                                       reason, round, snapshot, acting_for)
      select id, ${actor?.user_id ?? null}::bigint, ${actor?.name ?? 'System'}, ${action}, "from", "to",
             ${reason}::text, round, nullif(snapshot, 'null'::jsonb), acting_for
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (id bigint, "from" text, "to" text, round integer, snapshot jsonb, acting_for text)`.execute(db);
  }

  /** Writes the history and the audit log, in the transaction of the change. */
  async function recordMoves(acting: Acting, action: string, moved: readonly One[], reason: string | null = null) {
    if (moved.length === 0) return;
    await writeActivity(acting, action, moved, reason);
    await record(
      acting,
      ...moved.map((one) => ({
        // each workflow records its own transitions
        action: `${noun}.${action}` as AuditAction,
        subject_id: one.id,
        subject_label: labelOf(one),
        entity_id: one.entity_id,
        about_employee_id: one.employee_id,
        changes: {
          ...(one.from !== one.to && { status: { from: one.from, to: one.to } }),
          ...(one.acting_for && { acting_for: { from: null, to: one.acting_for } }),
          ...one.changes,
        },
        reason,
      })),
    );
  }

  /** The history of a record, latest first. */
  const listActivity = <Snapshot>(db: Db, id: number, query: ActivityQuery, seen: ActivitySeen) =>
    readActivity<One['to'], Snapshot>(db, { table, of: sql`${sql.ref(`a.${reference}`)} = ${id}`, query, seen });

  return { recordMoves, listActivity };
}

const presentActivity = <Status, Snapshot>({
  actor_id,
  actor_name,
  from_status,
  to_status,
  ...row
}: Stored<Status, Snapshot>) => ({
  ...row,
  actor: { user_id: actor_id, name: actor_name },
  from: from_status,
  to: to_status,
});
