import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { refuseGainIf, movesExceedingRights } from '../../people/gains.ts';
import type { Heads, GainsChecked, Move } from '../../people/gains.ts';
import { departmentToPartners } from '../../people/department-gains.ts';
import { gained, managersAmong, managersInDoubt, reachesOf } from '../../people/manager-gains.ts';
import type { Managers } from '../../people/manager-gains.ts';
import { linesAbove, readsTrees } from '../../people/tree-gains.ts';
import type { Lines } from '../../people/tree-gains.ts';
import { releasesExceedingRights } from '../../people/superiors-rules.ts';
import type { Released } from '../../people/superiors-rules.ts';
import { covers } from './policy.ts';

/** Rights gained through changes of departments: of their heads, parent or company. */

/** The columns of a department that decide who manages its members. */
export type Heading = {
  entity_id: number;
  parent_id: number | null;
  manager_id: number | null;
  team_lead_id: number | null;
};
/** A changed department; a new one has no id. */
export type HeadingChange = { id: number | null; after: Heading };

type Node = Heading & { id: number; is_below: boolean };
type Tree = ReadonlyMap<number, Node>;

/**
 * Loads the departments with all descendants and ancestors, before and after, and locks them until the end of the
 * transaction.
 */
async function loadTree(db: Db, changes: readonly HeadingChange[]): Promise<Tree> {
  const changed = changes.flatMap(({ id }) => id ?? []);
  const parents = changes.flatMap(({ after }) => after.parent_id ?? []);
  const { rows } = await sql<Node>`
    with recursive below as (
      select id from departments where id = any(${changed}::bigint[])
      union
      select d.id from departments d join below on d.parent_id = below.id
    ), above as (
      select id, parent_id from departments where id = any(${[...changed, ...parents]}::bigint[])
      union
      select d.id, d.parent_id from departments d join above on d.id = above.parent_id
    ), wanted as materialized (select id from below union select id from above)
    select d.id, d.entity_id, d.parent_id, d.manager_id, d.team_lead_id, d.id in (select id from below) as is_below
    from departments d where d.id in (select id from wanted) order by d.id for share of d`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The tree after the changes; descendants move with it to another company. */
function changedTree(tree: Tree, changes: readonly HeadingChange[]): Tree {
  const after = new Map(tree);
  for (const { id, after: heading } of changes) after.set(id ?? 0, { ...heading, id: id ?? 0, is_below: true });
  const entityOf = (node: Node, depth = 0): number => {
    const parent = node.parent_id === null ? undefined : after.get(node.parent_id);
    // circles are refused elsewhere
    return parent && depth < after.size ? entityOf(parent, depth + 1) : node.entity_id;
  };
  for (const node of after.values()) after.set(node.id, { ...node, entity_id: entityOf(node) });
  return after;
}

/** The heads of a department and of its ancestors. */
function headsOf(tree: Tree, id: number): Set<number> {
  const heads = new Set<number>();
  const seen = new Set<number>();
  for (let node = tree.get(id); node && !seen.has(node.id); node = tree.get(node.parent_id ?? -1)) {
    seen.add(node.id);
    if (node.manager_id !== null) heads.add(node.manager_id);
    if (node.id === id && node.team_lead_id !== null) heads.add(node.team_lead_id);
  }
  return heads;
}

const headsIn = (tree: Tree): Heads => new Map([...tree.keys()].map((id) => [id, headsOf(tree, id)]));

type People = { id: number; entity_id: number; department_id: number; reporting_manager_id: number | null };

/** All people in these departments, including deleted ones, because they may be restored. */
async function loadPeople(db: Db, departmentIds: readonly number[]): Promise<People[]> {
  const { rows } = await sql<People>`
    select id, entity_id, department_id, reporting_manager_id from employees
    where department_id = any(${departmentIds}::bigint[])`.execute(db);
  return rows;
}

/** The lines above the managers of people who move to another company with a department, if a role covers trees. */
async function linesOf(db: Db, people: readonly People[]): Promise<Gain['lines']> {
  const managers = [...new Set(people.flatMap(({ reporting_manager_id: id }) => id ?? []))];
  const reads = managers.length > 0 && (await readsTrees(db, { lock: true }));
  return linesAbove(db, reads ? managers : [], []);
}

type Both = { before: Tree; after: Tree };
type Gain = { heads: { before: Heads; after: Heads }; lines: { before: Lines; after: Lines }; managers: Managers };

/** True when an account gains a permission over a department that the actor lacks there. */
function exceedsRights(actor: Actor, { before, after }: Both, { heads, managers }: Gain, id: number): boolean {
  const reach = reachesOf(actor);
  const [was, is] = [before.get(id), after.get(id) as Node];
  const department = { id: was ? id : null, entity_id: (was ?? is).entity_id };
  // heads above a new department manage its future members
  const gainers = was
    ? [...(heads.after.get(id) ?? [])]
    : [is.manager_id, is.team_lead_id].filter((one) => one !== null);
  return gainers.some((gainer) => {
    const is_managed = heads.before.get(id)?.has(gainer) ?? false;
    const tie = { before: was ? { entity_id: was.entity_id, is_managed } : null, after: is };
    const permissions = gained(managers.get(gainer) ?? [], tie);
    return permissions.some((permission) => !covers(actor, reach(permission), department));
  });
}

const sameHeads = (a: ReadonlySet<number> = new Set(), b: ReadonlySet<number> = new Set()) =>
  [...b].every((head) => a.has(head));

/** Heads who leave a department are no longer superiors of its members and its other heads. */
function releasedIn(id: number, heads: { before: Heads; after: Heads }): Released[] {
  const before = [...(heads.before.get(id) ?? [])];
  const left = before.filter((head) => !heads.after.get(id)?.has(head));
  return left.flatMap((head) => [
    { below: null, id: head },
    ...before.filter((other) => other !== head).map((other) => ({ below: head, id: other })),
  ]);
}

/** The department and all departments below it in a tree. */
function belowIn(tree: Tree, id: number): Node[] {
  const isBelow = (node: Node | undefined, depth = 0): boolean =>
    node !== undefined && (node.id === id || (depth < tree.size && isBelow(tree.get(node.parent_id ?? -1), depth + 1)));
  return [...tree.values()].filter((node) => isBelow(node));
}

/** True when a new parent brings a department under accounts whose roles give a right that the actor lacks there. */
async function reachesPartners(db: Db, actor: Actor, tree: Tree, changes: readonly HeadingChange[]): Promise<boolean> {
  const reach = reachesOf(actor);
  for (const { id, after } of changes) {
    const to = after.parent_id;
    if (id === null || to === null || tree.get(id)?.parent_id === to) continue;
    const beyond = await departmentToPartners(db, actor, {
      departments: belowIn(tree, id),
      to,
      coversDepartment: (permission, place) => covers(actor, reach(permission), place),
    });
    if (beyond) return true;
  }
  return false;
}

/**
 * Checks changes of departments together, with at most twelve statements. Returns the proof that their write requires.
 * Throws 403 when an account would manage people outside the actor's scope.
 */
export async function refuseHeadGains(db: Db, actor: Actor, changes: readonly HeadingChange[]): Promise<GainsChecked> {
  if (changes.length === 0) return refuseGainIf(false);
  const before = await loadTree(db, changes);
  const after = changedTree(before, changes);
  const heads = { before: headsIn(before), after: headsIn(after) };
  const touched = [...after.values()].filter(
    ({ id, is_below, entity_id }) =>
      is_below && (before.get(id)?.entity_id !== entity_id || !sameHeads(heads.before.get(id), heads.after.get(id))),
  );
  const released = [...before.values()].filter(({ is_below }) => is_below).flatMap(({ id }) => releasedIn(id, heads));
  if ((await releasesExceedingRights(db, actor, released)).size > 0) return refuseGainIf(true);
  if (await reachesPartners(db, actor, before, changes)) return refuseGainIf(true);
  const ids = touched.map(({ id }) => id);
  const moved = touched.some(({ id, entity_id }) => before.has(id) && before.get(id)?.entity_id !== entity_id);
  const followers = moved ? await loadPeople(db, ids) : [];
  const lines = await linesOf(db, followers);
  const gainers = [
    ...[...lines.after.values()].flatMap((line) => [...line]),
    ...ids.flatMap((id) => [...(heads.after.get(id) ?? [])]),
    ...followers.map(({ reporting_manager_id }) => reporting_manager_id),
  ];
  const managers = managersInDoubt(actor, await managersAmong(db, gainers));
  if (managers.size === 0 && !moved) return refuseGainIf(false);
  const people = moved ? followers : await loadPeople(db, ids);
  const gain: Gain = { heads, lines, managers };
  const moves = people.map(({ id, ...position }): Move => {
    const entity_id = after.get(position.department_id)?.entity_id ?? position.entity_id;
    return { id, before: position, after: { ...position, entity_id } };
  });
  return refuseGainIf(
    ids.some((id) => exceedsRights(actor, { before, after }, gain, id)) ||
      movesExceedingRights(actor, moves, gain).size > 0,
  );
}
