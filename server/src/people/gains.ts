import { sql } from 'kysely';
import { reachesEntity } from '../access/actor.ts';
import type { Actor } from '../access/actor.ts';
import type { Db } from '../db/connect.ts';
import { forbidden } from '../http/errors.ts';
import { gained, managersAmong, managersInDoubt, present, reachesOf } from './manager-gains.ts';
import type { Managers } from './manager-gains.ts';
import { cardReach, covers } from './policy.ts';
import type { Place } from './policy.ts';
import type { Verdict } from './rules.ts';
import { releasedBeyond } from './superiors-rules.ts';
import type { Released } from './superiors-rules.ts';

/**
 * Whoever decides who manages whom decides what the managers may do: a change that widens whom an account manages needs
 * somebody who may do all of it already. For each permission that the account would gain over a person, the person must
 * lie in the actor's own reach for that permission, as it was before; that holds for the actor's own account too.
 */

/** Where somebody stands, by which managed reach is decided. */
export type Standing = Omit<Place, 'id'>;
/** Somebody who is to stand elsewhere. Before is null for a new person. */
export type Move = { id: number; before: Standing | null; after: Standing };

/** Departments with the people who manage what is in them: their managers, those above, and their team leads. */
export type Heads = ReadonlyMap<number, ReadonlySet<number>>;

declare const brand: unique symbol;
/** Says that what a change gives to others was judged: writes that define who manages whom ask for it. */
export type Judged = { readonly [brand]: true };
const judged = {} as Judged;

/** Reads who heads departments; with `hold` these and those above stay as they are until the end of the transaction. */
async function headsOf(db: Db, departmentIds: readonly number[], { hold }: { hold: boolean }): Promise<Heads> {
  const ids = present(departmentIds);
  if (ids.length === 0) return new Map();
  // held first, so that somebody who is made a head meanwhile is seen
  if (hold)
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

const headsIn = (heads: Heads, { department_id }: Standing) => heads.get(department_id) ?? new Set<number>();
const manages = (heads: Heads, id: number, standing: Standing) =>
  standing.reporting_manager_id === id || headsIn(heads, standing).has(id);

/** Who may gain something by a move. Of somebody new only the manager who is named: the heads take whoever comes. */
function gainersOf({ id, before, after }: Move, heads: Heads): number[] {
  const manager = after.reporting_manager_id;
  const own = headsIn(heads, after);
  const found = before === null ? (manager !== null && !own.has(manager) ? [manager] : []) : [manager, ...own];
  return present(found).filter((gainer) => gainer !== id);
}

/** Where the actor's reach looks for the person: where they stand now, or would without the manager who is named. */
const seenAt = ({ id, before, after }: Move): Place => ({
  id,
  ...(before ?? { ...after, reporting_manager_id: null }),
});

type Change = { heads: { before: Heads; after: Heads }; managers: Managers };

/** Those of the moves that give a manager what the actor may not do with that person. */
export function movesBeyond(actor: Actor, moves: readonly Move[], { heads, managers }: Change): Set<Move> {
  const reach = reachesOf(actor);
  // where the actor's own roles end at companies, another company is a gain as well
  const reachesMore = ({ id, before, after }: Move) =>
    before !== null &&
    before.entity_id !== after.entity_id &&
    [...[...actor.permissions].map(reach), cardReach(actor)].some(
      (one) => reachesEntity(one, after.entity_id) && !covers(actor, one, { id, ...before }),
    );
  const isBeyond = (move: Move) =>
    reachesMore(move) ||
    gainersOf(move, heads.after).some((gainer) => {
      const { before, after } = move;
      const is_managed = before !== null && manages(heads.before, gainer, before);
      const tie = { before: before && { entity_id: before.entity_id, is_managed }, after };
      return gained(managers.get(gainer) ?? [], tie).some(
        (permission) => !covers(actor, reach(permission), seenAt(move)),
      );
    });
  return new Set(moves.filter(isBeyond));
}

const placeFields = ['entity_id', 'department_id', 'reporting_manager_id'] as const;
const isMove = ({ before, after }: Move) =>
  before === null || placeFields.some((field) => before[field] !== after[field]);

const leftManager = ({ id, before, after }: Move): Released[] =>
  before?.reporting_manager_id && before.reporting_manager_id !== after.reporting_manager_id
    ? [{ below: id, id: before.reporting_manager_id }]
    : [];

/**
 * Judges moves of people to another company, department or manager. Six statements at most, however many people; the
 * departments they come to stay as they are until the end of the transaction, unless that would be too long.
 * @returns the moves that are refused, and what a write of the others asks for
 */
export async function judgeMoves(
  db: Db,
  actor: Actor,
  moves: readonly Move[],
  { hold = true } = {},
): Promise<{ refused: ReadonlySet<Move>; judged: Judged }> {
  const moving = moves.filter(isMove);
  if (moving.length === 0) return { refused: new Set(), judged };
  const standings = moving.flatMap(({ before, after }) => (before ? [before, after] : [after]));
  const heads = await headsOf(
    db,
    standings.map(({ department_id }) => department_id),
    { hold },
  );
  const gainers = moving.flatMap((move) => gainersOf(move, heads));
  const managers = managersInDoubt(actor, await managersAmong(db, gainers));
  const beyond = movesBeyond(actor, moving, { heads: { before: heads, after: heads }, managers });
  const released = await releasedBeyond(db, actor, moving.flatMap(leftManager));
  return { refused: new Set(moving.filter((move) => beyond.has(move) || released.has(move.id))), judged };
}

/** @throws 403 when something is beyond the actor */
export function judgedUnless(isBeyond: boolean): Judged {
  if (isBeyond) throw forbidden();
  return judged;
}

/**
 * The same for changes that are made together or not at all.
 * @throws 403
 */
export async function refuseGains(db: Db, actor: Actor, moves: readonly Move[]): Promise<Judged> {
  const { refused } = await judgeMoves(db, actor, moves);
  return judgedUnless(refused.size > 0);
}

export const standingOf = ({ entity_id, department_id, reporting_manager_id }: Standing): Standing => ({
  entity_id,
  department_id,
  reporting_manager_id,
});

type Wanted = Pick<Verdict, 'values' | 'errors'>;

/** The move that a judged change of fields comes to; none while it names a place the actor may not name. */
export function movesTo(id: number, before: Standing | null, { values, errors }: Wanted): Move[] {
  const { entity_id, department_id, reporting_manager_id } = values;
  if (entity_id === null || department_id === null || placeFields.some((field) => errors[field])) return [];
  return [{ id, before: before && standingOf(before), after: { entity_id, department_id, reporting_manager_id } }];
}
