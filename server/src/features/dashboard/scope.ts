import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { holds, reachOf } from '../../access/actor.ts';
import type { Actor, Reach } from '../../access/actor.ts';
import { entitiesIn, peopleIn } from '../../access/scope.ts';
import { every, oneOfIds } from '../../db/lists.ts';
import { cardReach, workReach } from '../../people/policy.ts';

type Condition = RawBuilder<SqlBool>;

/** True for a scope that covers more than the reader's own record. */
const isWide = ({ everything, entity_ids, department_ids, managed }: Reach) =>
  everything || entity_ids.length > 0 || department_ids.length > 0 || managed;

/** The scope of the figures: that of `dashboard.view_all`, otherwise that of the lists. */
export type Sight = {
  /** True for figures reserved for `dashboard.view_all`. */
  all: boolean;
  /** Headcounts; undefined for readers who see only their own record. */
  people: Reach | undefined;
  /** Figures about employment, which may be hidden for some people. */
  employment: Reach | undefined;
  /** The permission whose scope applies to evaluations and to probation reviews. */
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

/** The requested companies; undefined for all. */
export type Asked = number[] | undefined;

/** The counted rows of `employees e`. */
export const peopleCounted = (actor: Actor, reach: Reach, entityIds: Asked): Condition =>
  every([sql<SqlBool>`e.deleted_at is null`, peopleIn(actor, reach), ...oneOfIds(sql`e.entity_id`, entityIds)]);

/** The counted rows with a company. */
export const companiesCounted = (reach: Reach, entityIds: Asked, reference: string): Condition =>
  every([entitiesIn(reach, reference), ...oneOfIds(sql.ref(reference), entityIds)]);
