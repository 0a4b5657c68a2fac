import type { ImportRow, Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { either, entitiesIn } from '../../access/scope.ts';
import { every } from '../../db/lists.ts';
import { reasonSeen } from './own.ts';

/**
 * Readers of the log see a copied value only if they can read the original. Each rule names entries `l`, the parts of
 * them that are copies, and who can read those; other readers see a redacted part and cannot search it.
 */

type Condition = RawBuilder<SqlBool>;
type Part = 'label' | 'changes' | 'reason';
type Rule = { of: Condition; parts: readonly Part[]; seen: Condition | true };

const about = (...subjects: string[]) => sql<SqlBool>`l.subject_type = any(${subjects}::text[])`;

/** The reasons of a departure, absence or return: they are stored in the private part of the record. */
const leaving = [
  'employee.separated',
  'employee.separation_withdrawn',
  'employee.deactivated',
  'employee.reactivated',
  'employee.deleted',
  'employee.restored',
];

/** True in companies where the reader's permission covers all people. */
function covered(actor: Actor, permission: Permission): Condition | true {
  const reach = reachOf(actor, permission);
  return reach.everything || entitiesIn(reach, 'l.entity_id');
}

const or = (one: Condition | true, other: Condition) => one === true || either([one, other]);

/** Files as the person they belong to sees them; the visibility of a deleted file is unknown. */
function ofOwnFiles({ employee_id: me }: Actor): Rule[] {
  if (me === null) return [];
  const shown = sql<SqlBool>`exists (
    select from attachments a where a.id = l.subject_id and a.visibility in ('employee', 'manager_employee'))`;
  const mine = sql<SqlBool>`(l.about_employee_id = ${me} or exists (
    select from attachments a where a.id = l.subject_id and a.employee_id = ${me}))`;
  return [{ of: every([about('attachment'), mine]), parts: ['label', 'changes'], seen: shown }];
}

/** Imports as the list shows them: one's own, and with scope `all` every import of a kind. */
function importSeen(actor: Actor): Condition | true {
  const permissions: Record<ImportRow['type'], Permission> = {
    employees: 'employees.import',
    job_history: 'employees.import',
    kpi_templates: 'kpi-template.import',
    former_results: 'kpi-evaluation.hr-review',
    attachments: 'employees.update',
  };
  const kinds = Object.entries(permissions);
  const seen = kinds.flatMap(([type, permission]) => (reachOf(actor, permission).everything ? [type] : []));
  if (seen.length === kinds.length) return true;
  return sql<SqlBool>`(l.actor_id = ${actor.user_id} or exists (
    select from imports i where i.id = l.subject_id and i.type = any(${seen}::text[])))`;
}

const rulesFor = (actor: Actor): readonly Rule[] => {
  const isMine = sql<SqlBool>`l.about_employee_id = ${actor.employee_id}::bigint`;
  const isMe = sql<SqlBool>`(l.subject_type = 'employee' and l.subject_id = ${actor.employee_id}::bigint)`;
  const isPaper = sql<SqlBool>`exists (
    select from attachments a where a.id = l.subject_id and a.category <> 'id_document')`;
  const isShared = sql<SqlBool>`(l.actor_id = ${actor.user_id} or exists (
    select from saved_views v where v.id = l.subject_id and v.is_shared))`;
  return [
    {
      of: about('employee', 'job_history'),
      parts: ['changes', 'reason'],
      seen: or(covered(actor, 'employees.view'), isMe),
    },
    {
      of: sql<SqlBool>`l.action = any(${leaving}::text[])`,
      parts: ['reason'],
      seen: or(covered(actor, 'employees.view_sensitive'), isMe),
    },
    {
      of: about('kpi_evaluation', 'kpi_evidence', 'former_result'),
      parts: ['changes', 'reason'],
      seen: or(covered(actor, 'kpi-evaluation.hr-review'), isMine),
    },
    {
      of: about('probation_review', 'probation_signature'),
      parts: ['changes', 'reason'],
      seen: or(covered(actor, 'probation-review.approve'), isMine),
    },
    { of: about('attachment'), parts: ['label', 'changes'], seen: covered(actor, 'employees.update') },
    {
      of: about('attachment'),
      parts: ['label', 'changes'],
      seen: or(covered(actor, 'employees.view_sensitive'), isPaper),
    },
    ...ofOwnFiles(actor),
    { of: about('import'), parts: ['label', 'changes'], seen: importSeen(actor) },
    { of: about('saved_view'), parts: ['label', 'changes'], seen: isShared },
  ];
};

/** Entries with a part that is hidden from the reader; empty if no rule applies. */
const hidden = (actor: Actor, part: Part): Condition =>
  either(
    rulesFor(actor).flatMap(({ of, parts, seen }) =>
      seen !== true && parts.includes(part) ? [sql<SqlBool>`(${of} and not coalesce(${seen}, false))`] : [],
    ),
  );

const redactedText = '[hidden]';
const redact = (value: RawBuilder<unknown>) =>
  sql`case when coalesce(${value}, 'null'::jsonb) <> 'null'::jsonb then ${redactedText}::text end`;

// the entry of a file starts with its person
const label = (actor: Actor) => sql`case when ${hidden(actor, 'label')}
  then case when l.subject_type = 'attachment' then split_part(l.subject_label, ': ', 1) end else l.subject_label end`;

const changes = (actor: Actor) => sql`case when ${hidden(actor, 'changes')} then coalesce((
  select jsonb_object_agg(c.field, jsonb_build_object('from', ${redact(sql`c.change -> 'from'`)}, 'to', ${redact(sql`c.change -> 'to'`)}))
  from jsonb_each(l.changes) as c (field, change)), '{}') else l.changes end`;

const reason = (actor: Actor) => sql`case when ${hidden(actor, 'reason')} and l.reason is not null
  then ${redactedText} else ${reasonSeen(actor)} end`;

/** The parts of an entry `l` that are copies, as the reader sees them. */
export const copiedColumns = (actor: Actor): RawBuilder<unknown> =>
  sql`${label(actor)} as subject_label, ${changes(actor)} as changes, ${reason(actor)} as reason`;

/** Entries `l` with the words in a part that the reader sees. */
export const wordsSeen = (actor: Actor, search: string): Condition => sql<SqlBool>`(
  audit_words(l.subject_label, l.action) @@ audit_query(${search})
  and (not ${hidden(actor, 'label')} or audit_words(${label(actor)}, l.action) @@ audit_query(${search})))`;
