import type { Text } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { sql } from 'kysely';
import { reachesEntity, reachOf } from '../../access/actor.ts';
import { holdsPermission, peopleFor } from '../../access/scope.ts';
import type { ReadCtx } from '../../http/context.ts';
import { headPermissions } from './policy.ts';
import type { HeadField } from './policy.ts';

type Person = { id: number; name: string; entity_id: number; may_review: boolean; may_submit: boolean };
type Heads = { entity_id: number } & Record<HeadField, number | null>;

const other = { manager_id: 'team_lead_id', team_lead_id: 'manager_id' } as const;

/** Finds a person whom the actor can choose as head; locked against a concurrent departure. */
async function findPerson({ db, actor }: ReadCtx, field: HeadField, id: number): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    select e.id, e.name, e.entity_id, ${holdsPermission('e', 'kpi-evaluation.review')} as may_review,
           ${holdsPermission('e', 'probation-review.submit')} as may_submit
    from employees e
    where e.id = ${id} and e.activity_status <> 'inactive' and e.deleted_at is null
      and ${peopleFor(actor, headPermissions[field])}
    for share of e`.execute(db);
  return rows[0];
}

function adviceOn({ name, may_review, may_submit }: Person): Text[] {
  const missing = [
    ...(may_review ? [] : [text('rights.review_evaluations')]),
    ...(may_submit ? [] : [text('rights.submit_probation_reviews')]),
  ];
  return missing.length > 0 ? [text('departments.head_lacks_rights', { name, rights: { list: missing } })] : [];
}

/**
 * Checks a head chosen by the actor: active, in the actor's scope, head in one place only, and in the same company
 * unless the actor's scope covers both. Returns the refusal as a message, or warnings.
 */
export async function checkHead(
  ctx: ReadCtx,
  department: Heads,
  field: HeadField,
): Promise<{ refusal?: Text; warnings: Text[] }> {
  const id = department[field];
  if (id === null) return { warnings: [] };
  const person = await findPerson(ctx, field, id);
  const reach = reachOf(ctx.actor, headPermissions[field]);
  const isNear = (entityId: number) =>
    entityId === department.entity_id || [entityId, department.entity_id].every((one) => reachesEntity(reach, one));
  if (!person || !isNear(person.entity_id)) return { refusal: messages.unavailable, warnings: [] };
  if (department[other[field]] === id)
    return {
      refusal: text('departments.heads_must_differ'),
      warnings: [],
    };
  return { warnings: adviceOn(person) };
}
