import { text } from '@tenure/contract';
import { sql } from 'kysely';
import { holds, reachesEntity, reachOf } from '../../access/actor.ts';
import type { Entry } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { ReadCtx } from '../../http/context.ts';
import { forbidden, invalid } from '../../http/errors.ts';
import { tally } from '../../counts.ts';
import { ownReason } from '../../languages/answer.ts';
import { guardPeople } from '../../people/row-write.ts';
import { recordJobChange } from '../../people/job-write.ts';
import { followTransfers } from '../probation-reviews/transfers.ts';

type Member = { id: number; name: string };
type Department = { id: number; name: string; entity_id: number };

/** The people and departments below a department, at any depth: they move with it. */
export type Members = { people: readonly Member[]; children: readonly Member[] };

/** Reads the members and locks them until the end of the transaction. */
export async function lockMembers(db: Db, departmentId: number): Promise<Members> {
  const { rows: children } = await sql<Member>`
    select d.id, d.name from departments d
    where d.id in (
      with recursive below as (
        select id from departments where parent_id = ${departmentId}
        union
        select c.id from departments c join below on c.parent_id = below.id
      ) select id from below)
    order by d.id for update`.execute(db);
  const ids = [departmentId, ...children.map(({ id }) => id)];
  const { rows: people } = await sql<Member>`
    select e.id, e.name from employees e where e.department_id = any(${ids}::bigint[])
    order by e.id for update`.execute(db);
  return { people, children };
}

/** Names and codes are unique within a company, so descendants must not collide in the target company. */
async function refuseNamesakes(db: Db, { children }: Members, to: number): Promise<void> {
  const ids = children.map(({ id }) => id);
  const { rows } = await sql<{ name: string }>`
    select c.name from departments c join departments d on d.entity_id = ${to}
      and (fold(d.name) = fold(c.name) or fold(d.code) = fold(c.code))
    where c.id = any(${ids}::bigint[]) order by c.name limit 1`.execute(db);
  const [first] = rows;
  if (first) throw invalid('entity_id', text('departments.name_taken_there', { name: first.name }));
}

/** Refuses a move with members unless the user confirmed it and has the permission for all of them. */
export async function allowMove(
  { db, actor }: ReadCtx,
  department: Department,
  members: Members,
  { to, isMeant }: { to: number; isMeant: boolean },
): Promise<void> {
  const list = tally({ people: members.people.length, departments: members.children.length });
  if (!list) return;
  if (!holds(actor, 'employees.update')) throw forbidden();
  // their records follow through the foreign key
  await guardPeople(
    db,
    actor,
    members.people.map(({ id }) => id),
  );
  const reaches = (['departments.update', 'employees.update'] as const).map((permission) => reachOf(actor, permission));
  const covered = reaches.every((reach) => [department.entity_id, to].every((id) => reachesEntity(reach, id)));
  if (!covered) throw invalid('entity_id', text('departments.outside_scope_for_people'));
  if (!isMeant) throw invalid('move_employees', text('departments.people_would_move', { name: department.name, list }));
  await refuseNamesakes(db, members, to);
}

/**
 * Writes the job history of people whom the foreign key moved to another company with their department. Returns further
 * entries for the audit log.
 */
export async function followMove(
  { db, actor }: ReadCtx,
  department: Department,
  { people, children }: Members,
  to: number,
): Promise<Entry[]> {
  const reason = ownReason('reasons.moved_with_department', { department: department.name });
  const employee_ids = people.map(({ id }) => id);
  if (employee_ids.length > 0)
    await recordJobChange(db, { employee_ids, changed_fields: ['entity_id'], by: actor, reason }, followTransfers);
  const entry = (subject: 'employee' | 'department', { id, name }: Member): Entry => ({
    action: `${subject}.updated`,
    subject_id: id,
    subject_label: name,
    entity_id: to,
    changes: { entity_id: { from: department.entity_id, to } },
    reason,
  });
  return [...children.map((child) => entry('department', child)), ...people.map((person) => entry('employee', person))];
}
