import { events, eventTypeNames, text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { bind } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { read } from '../../http/replies.ts';
import { eventColumns, presentEvent, visibleEvents } from './visible.ts';
import type { StoredEvent } from './visible.ts';

/** Events read for one response: a reader who sees few of them makes progress too. */
const maxScanned = 50_000;

type Ends = { first: number | null; last: number };

/** The first stored event, and the last one created. */
async function readEnds(db: Db): Promise<Ends> {
  const { rows } = await sql<Ends>`
    select (select min(sequence) from events) as first, (select sequence from events_reached) as last`.execute(db);
  return rows[0] as Ends;
}

/** @throws 422 if events after `after` are no longer stored, or if `after` is beyond the last event */
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
      const upTo = Math.min(ends.last, Math.max(after, (ends.first ?? 1) - 1) + maxScanned);
      const { rows } = await sql<StoredEvent>`
        select ${eventColumns(actor)}
        from events v
        where v.sequence > ${after} and v.sequence <= ${upTo} and ${visibleEvents(actor, query.types ?? eventTypeNames)}
        order by v.sequence limit ${limit}`.execute(db);
      // events outside the reader's scope are skipped as well
      const next = rows.length === limit ? (rows.at(-1)?.sequence ?? after) : upTo;
      return read({ events: rows.map(presentEvent), next });
    },
  }),
];
