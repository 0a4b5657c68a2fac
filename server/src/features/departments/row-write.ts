import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { Judged } from '../../people/gains.ts';
import { guardPeople } from '../../people/row-write.ts';
import type { Writer } from '../../people/row-write.ts';
import type { Values } from './rules.ts';

/**
 * Every statement that writes rows of `departments` stands here. Who heads them and what they stand below says who
 * manages whom, so that what a change gives to others is judged before (`refuseHeadGains`).
 */

/** Adds a department. @returns its id */
export async function addDepartment(db: Db, values: Values, _gains: Judged): Promise<number> {
  const { id } = await db.insertInto('departments').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Changes a department; everybody in it and below it follows by foreign key to another company. */
export async function changeDepartment(
  db: Db,
  by: Writer,
  { id, ...set }: Partial<Values> & { id: number },
  _gains: Judged,
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

/** Puts somebody at the head of these departments where somebody else stood. */
export async function changeHeads(
  db: Db,
  { from, to, ids }: { from: number; to: number; ids: readonly number[] },
  _gains: Judged,
): Promise<void> {
  if (ids.length === 0) return;
  for (const place of ['manager_id', 'team_lead_id'] as const)
    await db
      .updateTable('departments')
      .set({ [place]: to })
      .where(place, '=', from)
      .where('id', 'in', ids)
      .execute();
}

export type NewDepartment = { id: number; entity_id: number; name: string };

/** Adds departments that nobody heads, unless somebody did meanwhile. @returns those that were added */
export async function addPlainDepartments(db: Db, wanted: readonly NewDepartment[]): Promise<NewDepartment[]> {
  const { rows } = await sql<NewDepartment>`
    insert into departments (entity_id, name)
    select entity_id, name from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as t (entity_id bigint, name text)
    order by entity_id, fold(name)
    on conflict do nothing returning id, entity_id, name`.execute(db);
  return rows;
}
