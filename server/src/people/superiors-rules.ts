import { sql } from 'kysely';
import type { Actor } from '../access/actor.ts';
import type { Db } from '../db/connect.ts';
import { gained, managersAmong, managersInDoubt, reachesOf } from './manager-gains.ts';
import { covers } from './policy.ts';
import type { Place } from './policy.ts';

/**
 * What somebody manages never holds a superior. So who stops being a superior of somebody whose department they are in,
 * or to whom they report, comes to be managed by them, although nobody was moved.
 */

/** Somebody who is above no more: with everybody above them, for whom `below` (null: anybody) is or stands under. */
export type Released = { below: number | null; id: number };
type Found = Place & { below: number | null; gainer: number };

async function look(db: Db, released: readonly Released[]): Promise<Found[]> {
  const { rows } = await sql<Found>`
    with recursive line as (
      select t.below, t.id from jsonb_to_recordset(${JSON.stringify(released)}::jsonb) as t (below bigint, id bigint)
      union
      select l.below, e.reporting_manager_id from line l join employees e on e.id = l.id
      where e.reporting_manager_id is not null
    ), people as materialized (
      select l.below, e.id, e.entity_id, e.department_id, e.reporting_manager_id
      from line l join employees e on e.id = l.id
    ), above as (
      select d.id as department_id, d.parent_id, d.manager_id from departments d
      where d.id in (select department_id from people)
      union
      select a.department_id, d.parent_id, d.manager_id from above a join departments d on d.id = a.parent_id
    ), heads as (
      select department_id, manager_id as id from above where manager_id is not null
      union
      select d.id, d.team_lead_id from departments d
      where d.id in (select department_id from people) and d.team_lead_id is not null
    )
    select p.*, g.id as gainer
    from people p
    cross join lateral (
      select h.id from heads h where h.department_id = p.department_id and h.id <> p.id
      union
      select p.reporting_manager_id where p.reporting_manager_id is not null
    ) as g
    where p.id in (select superiors_of(g.id))
      and (p.below is null or p.below = g.id or p.below in (select superiors_of(g.id)))`.execute(db);
  return rows;
}

/**
 * Those of the people below whose change gives somebody a former superior whom the actor does not reach as far. Whoever
 * stays a superior in another way counts too: it is the rare case of a rare case.
 */
export async function releasedBeyond(db: Db, actor: Actor, released: readonly Released[]): Promise<Set<number | null>> {
  if (released.length === 0) return new Set();
  const found = await look(db, released);
  const managers = managersInDoubt(
    actor,
    await managersAmong(
      db,
      found.map(({ gainer }) => gainer),
    ),
  );
  const reach = reachesOf(actor);
  const isBeyond = ({ gainer, ...person }: Found) =>
    gained(managers.get(gainer) ?? [], { before: { ...person, is_managed: false }, after: person }).some(
      (permission) => !covers(actor, reach(permission), person),
    );
  return new Set(found.filter(isBeyond).map(({ below }) => below));
}
