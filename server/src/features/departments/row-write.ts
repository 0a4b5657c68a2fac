import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { GainsChecked } from '../../people/gains.ts';
import { guardPeople } from '../../people/row-write.ts';
import type { Writer } from '../../people/row-write.ts';
import type { Values } from './rules.ts';

/**
 * Every statement that writes rows of `departments` is in this file. Heads and parents decide who manages people, so
 * rights gained through a change are checked before it (`refuseHeadGains`).
 */

/** Adds a department. Returns its id. */
export async function addDepartment(db: Db, values: Values, _gains: GainsChecked): Promise<number> {
  const { id } = await db.insertInto('departments').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Changes a department; its members and descendants move with it to another company through foreign keys. */
export async function changeDepartment(
  db: Db,
  by: Writer,
  { id, ...set }: Partial<Values> & { id: number },
  _gains: GainsChecked,
): Promise<void> {
  if (set.entity_id !== undefined)
    await guardPeople(
      db,
      by,
      sql`array(
        with recursive below as (
          select id from departments where id = ${id} and entity_id <> ${set.entity_id}
          union
          select d.id from departments d join below on d.parent_id = below.id
        ) select e.id from employees e where e.department_id in (select id from below))`,
    );
  await db.updateTable('departments').set(set).where('id', '=', id).execute();
}

/** Replaces heads of these departments. */
export async function changeHeads(
  db: Db,
  { from, to, ids }: { from: number; to: number; ids: readonly number[] },
  _gains: GainsChecked,
): Promise<void> {
  if (ids.length === 0) return;
  for (const field of ['manager_id', 'team_lead_id'] as const)
    await db
      .updateTable('departments')
      .set({ [field]: to })
      .where(field, '=', from)
      .where('id', 'in', ids)
      .execute();
}

export type NewDepartment = { id: number; entity_id: number; name: string };

/** Adds departments without heads, except existing ones. Returns the added departments. */
export async function addPlainDepartments(db: Db, wanted: readonly NewDepartment[]): Promise<NewDepartment[]> {
  const { rows } = await sql<NewDepartment>`
    insert into departments (entity_id, name)
    select entity_id, name from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as t (entity_id bigint, name text)
    order by entity_id, fold(name)
    on conflict do nothing returning id, entity_id, name`.execute(db);
  return rows;
}
