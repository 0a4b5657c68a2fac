import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { holds, reachOf } from '../../access/actor.ts';
import type { Actor, Reach } from '../../access/actor.ts';
import { entitiesIn, peopleIn } from '../../access/scope.ts';
import { every, oneOfIds } from '../../db/lists.ts';
import { cardReach, workReach } from '../../people/policy.ts';

type Condition = RawBuilder<SqlBool>;

/** True for a reach that covers more than the own record. */
const isWide = ({ everything, entity_ids, managed }: Reach) => everything || entity_ids.length > 0 || managed;

/** Whose figures somebody sees: the scope of `dashboard.view_all`, else that of the lists. */
export type Sight = {
  /** Figures that are for holders of `dashboard.view_all` only. */
  all: boolean;
  /** Head counts; undefined for whom only the own record is. */
  people: Reach | undefined;
  /** What is counted by employment, which may be hidden where the person is not. */
  employment: Reach | undefined;
  /** The permission whose scope decides about evaluations and about probation reviews. */
  evaluations: 'dashboard.view_all' | 'kpi-evaluation.view' | undefined;
  reviews: 'dashboard.view_all' | 'probation-review.view' | undefined;
};

export function sightOf(actor: Actor): Sight {
  if (holds(actor, 'dashboard.view_all')) {
    const reach = reachOf(actor, 'dashboard.view_all');
    const permission = 'dashboard.view_all';
    return { all: true, people: reach, employment: reach, evaluations: permission, reviews: permission };
  }
  const [card, work] = [cardReach(actor), workReach(actor)];
  const people = isWide(card) ? card : undefined;
  const sees = <P extends Permission>(permission: P) => (people && holds(actor, permission) ? permission : undefined);
  return {
    all: false,
    people,
    employment: people && isWide(work) && JSON.stringify(card) === JSON.stringify(work) ? work : undefined,
    evaluations: sees('kpi-evaluation.view'),
    reviews: sees('probation-review.view'),
  };
}

/** Which companies were asked for; undefined for all. */
export type Asked = number[] | undefined;

/** Rows of `employees e` that are counted. */
export const peopleCounted = (actor: Actor, reach: Reach, entityIds: Asked): Condition =>
  every([sql<SqlBool>`e.deleted_at is null`, peopleIn(actor, reach), ...oneOfIds(sql`e.entity_id`, entityIds)]);

/** True when whole companies are counted, so that the counts kept of them tell. */
export const isByCompany = (reach: Reach): boolean =>
  reach.everything || (reach.entity_ids.length > 0 && !reach.managed);

/** Rows with a company that are counted. */
export const companiesCounted = (reach: Reach, entityIds: Asked, reference: string): Condition =>
  every([entitiesIn(reach, reference), ...oneOfIds(sql.ref(reference), entityIds)]);
