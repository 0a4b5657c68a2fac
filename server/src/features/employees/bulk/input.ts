import { maxBulkPeople, messages, text } from '@tenure/contract';
import type { BodyOut, employeeBulk, Permission, Text } from '@tenure/contract';
import { sql } from 'kysely';
import { holds } from '../../../access/actor.ts';
import type { Actor } from '../../../access/actor.ts';
import { byName, peopleFor } from '../../../access/scope.ts';
import type { Db } from '../../../db/connect.ts';
import { forbidden, invalid, invalidFields, say } from '../../../http/errors.ts';
import type { FieldErrors } from '../../../http/errors.ts';
import { peopleMatching } from '../directory/filters.ts';

export type BulkBody = BodyOut<typeof employeeBulk.change>;

/** The permission of the single change of each kind. */
export const bulkPermissions = {
  move: 'employees.update',
  manager: 'employees.update',
  deactivate: 'employees.deactivate',
  reactivate: 'employees.deactivate',
} as const satisfies Record<BulkBody['kind'], Permission>;

/** Refuses a body without the fields of its kind or without people. */
export function checkBody(actor: Actor, body: BulkBody): void {
  if (!holds(actor, bulkPermissions[body.kind])) throw forbidden();
  const errors: FieldErrors = {};
  const refuse = (field: keyof BulkBody, message: Text) => (errors[field] = [say(field, message)]);
  if (!body.ids && !body.filter) refuse('ids', messages.required);
  // the real run names the people of the dry run, because a filter may find other people later
  if (body.filter && (body.ids || !body.dry_run)) refuse('filter', messages.prohibited);
  if (body.except_ids && !body.filter) refuse('except_ids', messages.prohibited);
  if (body.kind === 'move' && !body.department_id) refuse('department_id', messages.required);
  if (body.kind === 'manager' && body.reporting_manager_id === undefined)
    refuse('reporting_manager_id', messages.required);
  const isLifecycle = body.kind === 'deactivate' || body.kind === 'reactivate';
  if (isLifecycle && !body.reason) refuse('reason', messages.required);
  if (isLifecycle && body.effective_from) refuse('effective_from', messages.prohibited);
  if (body.reassign_to && (body.kind !== 'deactivate' || body.ids?.includes(body.reassign_to)))
    refuse('reassign_to', messages.unavailable);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

/** The people of a request: the named ones in their order, or those of a list in the scope of the change. */
export async function selectedIds(db: Db, actor: Actor, body: BulkBody): Promise<number[]> {
  if (!body.filter) return [...new Set(body.ids)];
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e
    where ${peopleMatching(actor, body.filter)} and ${peopleFor(actor, bulkPermissions[body.kind])}
      and e.id <> all(${body.except_ids ?? []}::bigint[])
    order by ${byName('e')} limit ${maxBulkPeople + 1}`.execute(db);
  if (rows.length > maxBulkPeople) throw invalid('filter', text('employees.filter_too_wide', { most: maxBulkPeople }));
  return rows.map(({ id }) => id);
}
