import { sql } from 'kysely';
import { reachesEntity } from '../access/actor.ts';
import type { Actor } from '../access/actor.ts';
import type { Db } from '../db/connect.ts';
import { forbidden } from '../http/errors.ts';
import { movesToPartners } from './department-gains.ts';
import { gained, managersAmong, managersInDoubt, present, reachesOf } from './manager-gains.ts';
import type { Managers } from './manager-gains.ts';
import { cardReach, covers } from './policy.ts';
import type { ScopedPerson } from './policy.ts';
import type { Verdict } from './rules.ts';
import { releasesExceedingRights } from './superiors-rules.ts';
import type { Released } from './superiors-rules.ts';
import { linesAbove, readsTrees, treesExceedingRights } from './tree-gains.ts';
import type { LineChange, Lines, Tree } from './tree-gains.ts';

/**
 * Changing managers gives rights to the managers, so it requires an actor with all of those rights. For each permission
 * that an account would gain over a person, that person must already be in the actor's own reach for the permission;
 * this also applies to the actor's own account.
 */

/** The columns of a person that decide who manages them. */
export type Position = Omit<ScopedPerson, 'id'>;
/** A person with a new position; `before` is null for a new person. */
export type Move = { id: number; before: Position | null; after: Position };

/** Departments with the people who manage their members: their managers, those above them, and their team leads. */
export type Heads = ReadonlyMap<number, ReadonlySet<number>>;

declare const brand: unique symbol;
/** Proof that the gains of a change were checked; writes of managed columns require it. */
export type GainsChecked = { readonly [brand]: true };
const checked = {} as GainsChecked;

/** Reads the heads of departments; `lock` locks these and their ancestors until the end of the transaction. */
async function headsOf(db: Db, departmentIds: readonly number[], { lock }: { lock: boolean }): Promise<Heads> {
  const ids = present(departmentIds);
  if (ids.length === 0) return new Map();
  // locked first, so that a concurrently assigned head is seen
  if (lock)
    await sql`
    select from departments where id in (
      with recursive above as (
        select id, parent_id from departments where id = any(${ids}::bigint[])
        union
        select p.id, p.parent_id from departments p join above on p.id = above.parent_id
      ) select id from above)
    order by id for share`.execute(db);
  const { rows } = await sql<{ id: number; heads: number[] }>`
    with recursive above as (
      select d.id as department_id, d.parent_id, d.manager_id from departments d where d.id = any(${ids}::bigint[])
      union
      select a.department_id, p.parent_id, p.manager_id from above a join departments p on p.id = a.parent_id
    )
    select d.id, array_remove(array_agg(distinct a.manager_id) || array[d.team_lead_id], null) as heads
    from departments d join above a on a.department_id = d.id group by d.id`.execute(db);
  return new Map(rows.map(({ id, heads }) => [id, new Set(heads)]));
}

const headsIn = (heads: Heads, { department_id }: Position) => heads.get(department_id) ?? new Set<number>();
const manages = (heads: Heads, id: number, position: Position) =>
  position.reporting_manager_id === id || headsIn(heads, position).has(id);

/** The named manager and those above; empty if no role covers the whole tree. */
const lineAbove = (lines: Lines, { reporting_manager_id: manager }: Position): ReadonlySet<number> =>
  lines.get(manager ?? 0) ?? nobody;
const nobody: ReadonlySet<number> = new Set();

/**
 * Accounts that may gain something through a move. For a new person, only the named manager and those above, because
 * heads may take any member.
 */
function gainersOf({ id, before, after }: Move, heads: Heads, lines: Lines): number[] {
  const manager = after.reporting_manager_id;
  const own = headsIn(heads, after);
  const line = [manager, ...lineAbove(lines, after)];
  const found = before === null ? line.filter((one) => one !== null && !own.has(one)) : [...line, ...own];
  return present(found).filter((gainer) => gainer !== id);
}

/** The position for checking the actor's reach: the current one, or the new one without the named manager. */
const positionInReach = ({ id, before, after }: Move): ScopedPerson => ({
  id,
  ...(before ?? { ...after, reporting_manager_id: null }),
});

type Change = {
  heads: { before: Heads; after: Heads };
  lines: { before: Lines; after: Lines };
  managers: Managers;
};

/** The moves that give a manager rights over a person that the actor lacks. */
export function movesExceedingRights(
  actor: Actor,
  moves: readonly Move[],
  { heads, lines, managers }: Change,
): Set<Move> {
  const reach = reachesOf(actor);
  // for actors with roles limited to companies, another company is a gain as well
  const reachesMore = ({ id, before, after }: Move) =>
    before !== null &&
    before.entity_id !== after.entity_id &&
    [...[...actor.permissions].map(reach), cardReach(actor)].some(
      (one) => reachesEntity(one, after.entity_id) && !covers(actor, one, { id, ...before }),
    );
  const exceedsRights = (move: Move) =>
    reachesMore(move) ||
    gainersOf(move, heads.after, lines.after).some((gainer) => {
      const { before, after } = move;
      const is_managed = before !== null && manages(heads.before, gainer, before);
      const in_tree = before !== null && lineAbove(lines.before, before).has(gainer);
      const tie = {
        before: before && { entity_id: before.entity_id, is_managed, in_tree },
        after: { ...after, only_in_tree: !manages(heads.after, gainer, after) },
      };
      return gained(managers.get(gainer) ?? [], tie).some(
        (permission) => !covers(actor, reach(permission), positionInReach(move)),
      );
    });
  return new Set(moves.filter(exceedsRights));
}

const placeFields = ['entity_id', 'department_id', 'reporting_manager_id'] as const;
const isMove = ({ before, after }: Move) =>
  before === null || placeFields.some((field) => before[field] !== after[field]);

const leftManager = ({ id, before, after }: Move): Released[] =>
  before?.reporting_manager_id && before.reporting_manager_id !== after.reporting_manager_id
    ? [{ below: id, id: before.reporting_manager_id }]
    : [];

/** The people whom a move places below other managers, with everyone below them. */
const treesOf = (moves: readonly Move[], lines: { before: Lines; after: Lines }): Tree[] =>
  moves.map(({ id, before, after }) => ({
    root: id,
    gainers: [...lineAbove(lines.after, after)].filter(
      (gainer) => gainer !== id && !(before !== null && lineAbove(lines.before, before).has(gainer)),
    ),
  }));

/** A move of an existing person. */
const existingMove = ({ id, before, after }: Move) => (before ? [{ before: { id, ...before }, after }] : []);

const lineChangeOf = ({ id, after }: Move): LineChange => ({ id, manager: after.reporting_manager_id });
const noLines = { before: new Map(), after: new Map() };

/** Reads the lines above the managers of the moves, if a role covers the whole tree. */
async function linesOf(db: Db, moves: readonly Move[], how: { lock: boolean }) {
  const managers = moves.flatMap(({ before, after }) => [before?.reporting_manager_id, after.reporting_manager_id]);
  const named = [...new Set(managers.filter((id) => id !== null && id !== undefined))];
  const lock = how.lock && moves.some(({ before }) => before !== null);
  if (named.length === 0 || !(await readsTrees(db, { lock }))) return noLines;
  return linesAbove(db, named, moves.map(lineChangeOf));
}

/**
 * Checks moves of people to another company, department or manager. Runs at most eleven statements, and locks the
 * target departments until the end of the transaction, unless that would take too long; also the reporting lines, if a
 * role covers the whole tree. Returns the refused moves, and the proof that writes of the others require.
 */
export async function checkMoves(
  db: Db,
  actor: Actor,
  moves: readonly Move[],
  { lock = true } = {},
): Promise<{ refused: ReadonlySet<Move>; checked: GainsChecked }> {
  const moving = moves.filter(isMove);
  if (moving.length === 0) return { refused: new Set(), checked };
  const positions = moving.flatMap(({ before, after }) => (before ? [before, after] : [after]));
  const heads = await headsOf(
    db,
    positions.map(({ department_id }) => department_id),
    { lock },
  );
  const lines = await linesOf(db, moving, { lock });
  const gainers = moving.flatMap((move) => gainersOf(move, heads, lines.after));
  const managers = managersInDoubt(actor, await managersAmong(db, gainers));
  const beyond = movesExceedingRights(actor, moving, { heads: { before: heads, after: heads }, lines, managers });
  const trees = await treesExceedingRights(db, actor, {
    trees: treesOf(moving, lines),
    managers,
    moves: moving.map(lineChangeOf),
  });
  const released = await releasesExceedingRights(db, actor, moving.flatMap(leftManager));
  const partnered = await movesToPartners(db, actor, moving.flatMap(existingMove));
  const inDepartments = new Set([...partnered].map(({ before }) => before.id));
  const isRefused = (move: Move) =>
    beyond.has(move) || trees.has(move.id) || released.has(move.id) || inDepartments.has(move.id);
  return { refused: new Set(moving.filter(isRefused)), checked };
}

/** Throws 403 if a gain exceeds the actor's rights. */
export function refuseGainIf(exceedsRights: boolean): GainsChecked {
  if (exceedsRights) throw forbidden();
  return checked;
}

/** The same for changes made all or none. Throws 403. */
export async function refuseGains(db: Db, actor: Actor, moves: readonly Move[]): Promise<GainsChecked> {
  const { refused } = await checkMoves(db, actor, moves);
  return refuseGainIf(refused.size > 0);
}

export const positionOf = ({ entity_id, department_id, reporting_manager_id }: Position): Position => ({
  entity_id,
  department_id,
  reporting_manager_id,
});

type Wanted = Pick<Verdict, 'values' | 'errors'>;

/** The move of a checked change of fields; none while it names a place that the actor cannot name. */
export function movesTo(id: number, before: Position | null, { values, errors }: Wanted): Move[] {
  const { entity_id, department_id, reporting_manager_id } = values;
  if (entity_id === null || department_id === null || placeFields.some((field) => errors[field])) return [];
  return [{ id, before: before && positionOf(before), after: { entity_id, department_id, reporting_manager_id } }];
}
