import { events, eventTypeNames, eventTypes, text } from '@tenure/contract';
import type { Event, EventType, Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { either, entitiesIn } from '../../access/scope.ts';
import { privateFields } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { bind } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { read } from '../../http/replies.ts';

type Stored = Omit<Event, 'data'> & {
  subject_id: number | null;
  entity_id: number | null;
  employee_id: number | null;
  changed: string[];
  by_user: boolean;
  sees_private: boolean;
};

/** The wanted types that need a permission. */
const byPermission = (wanted: readonly EventType[]) =>
  Map.groupBy(wanted, (type): Permission => eventTypes[type].permission);

/**
 * Events of companies for which the reader holds the permission of the type. A role that is limited to people or to
 * departments does not reach a whole company. Of their own review, people read in the review.
 */
function visibleEvents(actor: Actor, wanted: readonly EventType[]): RawBuilder<SqlBool> {
  const groups = [...byPermission(wanted)].map(
    ([permission, types]) =>
      sql<SqlBool>`(v.type = any(${types}::text[]) and ${entitiesIn(reachOf(actor, permission), 'v.entity_id')})`,
  );
  const feed = entitiesIn(reachOf(actor, 'events.view'), 'v.entity_id');
  return sql<SqlBool>`${either(groups)} and ${feed} and v.about_employee_id is distinct from ${actor.employee_id}::bigint`;
}

const present = ({ sequence, type, timestamp, ...stored }: Stored): Event => ({
  sequence,
  type,
  timestamp,
  data: {
    id: stored.subject_id,
    entity_id: stored.entity_id,
    employee_id: stored.employee_id,
    changed: stored.sees_private
      ? stored.changed
      : [...new Set(stored.changed.map((name) => (privateFields.has(name) ? 'private' : name)))],
    actor: { type: stored.by_user ? 'user' : 'system' },
  },
});

/** Events of one answer that are looked at: a reader who sees few of them gets on as well. */
const mostLooked = 50_000;

type Ends = { first: number | null; last: number };

/** The first event that is kept, and the last one that was made. */
async function readEnds(db: Db): Promise<Ends> {
  const { rows } = await sql<Ends>`
    select (select min(sequence) from events) as first, (select sequence from events_reached) as last`.execute(db);
  return rows[0] as Ends;
}

/** @throws 422 where events after `after` are not kept any more, or `after` is not reached yet */
function refuseOutside(after: number, { first, last }: Ends): void {
  if (after > last) throw invalid('after', text('event_feed.after_last', { last }));
  if (after > 0 && after + 1 < (first ?? last + 1)) throw invalid('after', text('event_feed.too_old'));
}

export const eventRoutes = [
  bind(events.list, {
    handle: async ({ db, actor, query }) => {
      const ends = await readEnds(db);
      const after = query.after ?? 0;
      refuseOutside(after, ends);
      const limit = query.limit ?? 100;
      const upTo = Math.min(ends.last, Math.max(after, (ends.first ?? 1) - 1) + mostLooked);
      const { rows } = await sql<Stored>`
        select v.sequence, v.type, v.at as timestamp, v.subject_id, v.entity_id, v.employee_id, v.changed, v.by_user,
               ${entitiesIn(reachOf(actor, 'employees.view_sensitive'), 'v.entity_id')} as sees_private
        from events v
        where v.sequence > ${after} and v.sequence <= ${upTo} and ${visibleEvents(actor, query.types ?? eventTypeNames)}
        order by v.sequence limit ${limit}`.execute(db);
      // what is beyond the reader's rights is passed over as well
      const next = rows.length === limit ? (rows.at(-1)?.sequence ?? after) : upTo;
      return read({ events: rows.map(present), next });
    },
  }),
];
