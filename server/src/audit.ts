import type { AuditAction } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from './access/actor.ts';
import { cut } from '@tenure/contract/cut';
import type { Db } from './db/connect.ts';
import type { RequestInfo } from './http/context.ts';

export type Change = { from: unknown; to: unknown };
export type Changes = Record<string, Change>;

/** Who acted and where from; a job acts as the system. */
export type Acting = {
  db: Db;
  actor: Pick<Actor, 'user_id' | 'name' | 'token_id'> | null;
  request?: Pick<RequestInfo, 'id' | 'ip'>;
};

export type Entry = {
  action: AuditAction;
  subject_id?: number | null;
  subject_label?: string | null;
  entity_id?: number | null;
  /** The subject of the review that changed. In the log, this person sees no more of it than in the review. */
  about_employee_id?: number;
  changes?: Changes;
  reason?: string | null;
};

/** Fields of people that only holders of `employees.view_sensitive` see. */
export const privateFields: ReadonlySet<string> = new Set([
  'bank',
  'date_of_birth',
  'address',
  'emergency_contact',
  'personal_email',
  'mobile',
  'nationality',
  'marital_status',
  'gender',
  'separation_reason',
  'absence_reason',
]);
/** Fields whose values never appear in the log, only the fact that they changed. */
const hidden: ReadonlySet<string> = new Set([...privateFields, 'client_secret', 'webhook_url', 'block_reason']);
const never = new Set(['password', 'password_hash', 'one_time_password']);

const redact = (value: unknown) => (value === null || value === undefined ? null : '[hidden]');

function presentable(changes: Changes): Changes {
  return Object.fromEntries(
    Object.entries(changes)
      .filter(([field]) => !never.has(field))
      .map(([field, { from, to }]) => [
        field,
        hidden.has(field) ? { from: redact(from), to: redact(to) } : { from: from ?? null, to: to ?? null },
      ]),
  );
}

const sameValue = (a: unknown, b: unknown): boolean => {
  const [left, right] = [a ?? null, b ?? null];
  return (
    left === right ||
    (typeof left === 'object' && typeof right === 'object' && JSON.stringify(left) === JSON.stringify(right))
  );
};

/** The fields of `after` that differ from `before`. */
export function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Changes {
  const changes: Changes = {};
  for (const [field, to] of Object.entries(after))
    if (to !== undefined && !sameValue(before[field], to)) changes[field] = { from: before[field] ?? null, to };
  return changes;
}

const columns = sql.join(
  [
    'actor_id',
    'actor_name',
    'action',
    'subject_type',
    'subject_id',
    'subject_label',
    'entity_id',
    'about_employee_id',
    'changes',
    'reason',
    'request_id',
    'ip',
    'token_id',
  ].map((name) => sql.ref(name)),
);

function row({ actor, request }: Acting, entry: Entry) {
  return {
    actor_id: actor?.user_id ?? null,
    actor_name: actor?.name ?? 'System',
    action: entry.action,
    subject_type: entry.action.slice(0, entry.action.indexOf('.')),
    subject_id: entry.subject_id ?? null,
    subject_label: entry.subject_label ? cut(entry.subject_label, 300) : null,
    entity_id: entry.entity_id ?? null,
    about_employee_id: entry.about_employee_id ?? null,
    changes: presentable(entry.changes ?? {}),
    reason: entry.reason ?? null,
    request_id: request?.id ?? null,
    ip: request?.ip ?? null,
    token_id: actor?.token_id ?? null,
  };
}

/** Writes audit rows in the transaction of the change they record. */
export async function record(acting: Acting, ...entries: Entry[]): Promise<void> {
  for (let start = 0; start < entries.length; start += 1_000) {
    const rows = entries.slice(start, start + 1_000).map((entry) => row(acting, entry));
    // one parameter for all rows: thousands of them would cost more than the rows
    await sql`
      insert into audit_log (${columns})
      select ${columns} from jsonb_populate_recordset(null::audit_log, ${JSON.stringify(rows)}::jsonb)`.execute(
      acting.db,
    );
  }
}

/** Makes sure that the partitions of the coming months exist. */
export const prepareAuditPartitions = (db: Db) => sql`select ensure_audit_partitions(12)`.execute(db);
