import { sql } from 'kysely';
import type { Actor } from '../access/actor.ts';
import type { Db } from '../db/connect.ts';
import { gained, managersAmong, managersInDoubt, reachesOf } from './manager-gains.ts';
import { treesExceedingRights } from './tree-gains.ts';
import { covers } from './policy.ts';
import type { ScopedPerson } from './policy.ts';

/**
 * Managed people never include a superior. So a person who stops being a superior may become managed, without a move,
 * by people whose department they belong to or to whom they report.
 */

/** A former superior with everyone above; `below` is whom they were above (null for anyone). */
export type Released = { below: number | null; id: number };
type Found = ScopedPerson & {
  below: number | null;
  gainer: number;
  /** Only in the gainer's whole tree, not a direct report. */
  only_in_tree: boolean;
};

async function findGainers(db: Db, released: readonly Released[]): Promise<Found[]> {
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
    select p.*, g.id as gainer, g.only_in_tree
    from people p
    cross join lateral (
      select h.id, false as only_in_tree from heads h where h.department_id = p.department_id and h.id <> p.id
      union
      select p.reporting_manager_id, false where p.reporting_manager_id is not null
      union
      select l, true from line_of(p.id) as l where has_trees()
    ) as g
    where p.id in (select superiors_of(g.id))
      and (p.below is null or p.below = g.id or p.below in (select superiors_of(g.id)))`.execute(db);
  return rows;
}

/**
 * The people (`below`) whose change is refused: a manager would gain a permission over a former superior that the actor
 * does not have there. Also includes a person who remains a superior in another way, which is rare.
 */
export async function releasesExceedingRights(
  db: Db,
  actor: Actor,
  released: readonly Released[],
): Promise<Set<number | null>> {
  if (released.length === 0) return new Set();
  const found = await findGainers(db, released);
  const managers = managersInDoubt(
    actor,
    await managersAmong(
      db,
      found.map(({ gainer }) => gainer),
    ),
  );
  const reach = reachesOf(actor);
  const exceedsRights = ({ gainer, only_in_tree, ...person }: Found) =>
    gained(managers.get(gainer) ?? [], {
      before: { ...person, is_managed: false },
      after: { ...person, only_in_tree },
    }).some((permission) => !covers(actor, reach(permission), person));
  const beyond = found.filter(exceedsRights);
  // the tree ends at a superior: with the person, it gains everyone below the person
  const trees = found
    .filter(({ only_in_tree }) => only_in_tree)
    .map(({ id, gainer }) => ({ root: id, gainers: [gainer] }));
  const roots = await treesExceedingRights(db, actor, { trees, managers, moves: [] });
  return new Set([...beyond, ...found.filter(({ id }) => roots.has(id))].map(({ below }) => below));
}
