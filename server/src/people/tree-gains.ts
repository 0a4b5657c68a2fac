import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import { reachOf } from '../access/actor.ts';
import type { Actor, Grant } from '../access/actor.ts';
import { peopleIn } from '../access/scope.ts';
import type { Db } from '../db/connect.ts';
import type { Managers } from './manager-gains.ts';
import { lockReportingLines } from './rule-context.ts';

/**
 * What roles for the whole tree gain when reporting lines change: a person who is placed below a manager brings
 * everyone below them.
 */

/** A new manager of a person; new people have ids below one. */
export type LineChange = { id: number; manager: number | null };

/** The people above each manager, with the manager. */
export type Lines = ReadonlyMap<number, ReadonlySet<number>>;

/** A person with everyone below, and the managers above who gain them. */
export type Tree = { root: number; gainers: readonly number[] };

const noLines: Lines = new Map();
const json = (changes: readonly LineChange[]) => JSON.stringify(changes);

/**
 * Whether any role covers the whole tree. With `lock`, also locks the lines, so that two changes that build one line
 * together are checked one after the other.
 */
export async function readsTrees(db: Db, { lock }: { lock: boolean }): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select has_trees() as has`.execute(db);
  const has = rows[0]?.has ?? false;
  if (has && lock) await lockReportingLines(db);
  return has;
}

/**
 * Reads the people above managers, and the managers themselves: those whose whole tree includes the manager now, and
 * all in the lines after the changes. A manager who also changes counts below both managers.
 */
export async function linesAbove(
  db: Db,
  managers: readonly number[],
  changes: readonly LineChange[],
): Promise<{ before: Lines; after: Lines }> {
  if (managers.length === 0) return { before: noLines, after: noLines };
  const { rows } = await sql<{ start: number; before: number[]; after: number[] }>`
    with recursive change as materialized (
      select * from jsonb_to_recordset(${json(changes)}::jsonb) as c (id bigint, manager bigint)
    ), line as (
      select s as start, s as id from unnest(${managers}::bigint[]) as s
      union
      select l.start, up.id from line l cross join lateral (
        select e.reporting_manager_id as id from employees e where e.id = l.id
        union
        select c.manager from change c where c.id = l.id
      ) as up where up.id is not null
    )
    select l.start, l.start || array(select tree_managers_of(l.start)) as before, array_agg(l.id) as after
    from line l group by l.start`.execute(db);
  return {
    before: new Map(rows.map(({ start, before }) => [start, new Set(before)])),
    after: new Map(rows.map(({ start, after }) => [start, new Set(after)])),
  };
}

type Gaining = { trees: readonly Tree[]; managers: Managers; moves: readonly LineChange[] };
type Missing = { root: number; entity_id: number; missing: boolean[] };

/** By root and company: for which of the reaches the actor lacks a person below the root. */
async function missingBelow(
  db: Db,
  actor: Actor,
  {
    roots,
    permissions,
    moves,
  }: { roots: readonly number[]; permissions: readonly Permission[]; moves: readonly LineChange[] },
): Promise<readonly Missing[]> {
  const lacks = permissions.map((name) => sql`bool_or((${peopleIn(actor, reachOf(actor, name), 'e')}) is not true)`);
  const { rows } = await sql<Missing>`
    with recursive change as materialized (
      select * from jsonb_to_recordset(${json(moves)}::jsonb) as c (id bigint, manager bigint)
    ), below as (
      select r as root, r as id from unnest(${roots}::bigint[]) as r
      union
      select b.root, down.id from below b cross join lateral (
        select e.id from employees e where e.reporting_manager_id = b.id
        union
        select c.id from change c where c.manager = b.id
      ) as down
    )
    select b.root, e.entity_id, array[${sql.join(lacks)}] as missing
    from below b join employees e on e.id = b.id where b.id <> b.root
    group by b.root, e.entity_id`.execute(db);
  return rows;
}

/**
 * The roots with a person below them whom a gaining manager would manage with a permission that the actor lacks there.
 * The managers are those in doubt. Runs at most one statement.
 */
export async function treesExceedingRights(db: Db, actor: Actor, gaining: Gaining): Promise<ReadonlySet<number>> {
  const grantsOf = (gainer: number) =>
    (gaining.managers.get(gainer) ?? []).filter(({ managed_depth }) => managed_depth === 'tree');
  const trees = gaining.trees.filter(({ gainers }) => gainers.some((gainer) => grantsOf(gainer).length > 0));
  if (trees.length === 0) return new Set();
  const gainers = trees.flatMap((tree) => tree.gainers);
  const permissions = [...new Set(gainers.flatMap(grantsOf).flatMap((grant) => [...grant.permissions]))].filter(
    (name) => name !== 'employees.view_all',
  );
  if (permissions.length === 0) return new Set();
  const roots = [...new Set(trees.map(({ root }) => root))];
  const rows = Map.groupBy(
    await missingBelow(db, actor, { roots, permissions, moves: gaining.moves }),
    ({ root }) => root,
  );
  const isWithin = ({ entity_ids }: Grant, entityId: number) => entity_ids === null || entity_ids.includes(entityId);
  const coversAll = (gainer: number, permission: Permission, entityId: number) =>
    (gaining.managers.get(gainer) ?? []).some(
      (grant) => grant.scope === 'all' && grant.permissions.has(permission) && isWithin(grant, entityId),
    );
  const exceedsRights = (gainer: number, { entity_id, missing }: Missing) =>
    permissions.some(
      (permission, index) =>
        missing[index] === true &&
        grantsOf(gainer).some((grant) => grant.permissions.has(permission) && isWithin(grant, entity_id)) &&
        !coversAll(gainer, permission, entity_id),
    );
  const beyond = trees.filter((tree) =>
    tree.gainers.some((gainer) => (rows.get(tree.root) ?? []).some((row) => exceedsRights(gainer, row))),
  );
  return new Set(beyond.map(({ root }) => root));
}
