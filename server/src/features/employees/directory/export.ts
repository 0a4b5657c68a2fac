import { messages } from '@tenure/contract';
import type { employees } from '@tenure/contract';
import { sql } from 'kysely';
import { holds, reachOf } from '../../../access/actor.ts';
import type { Actor } from '../../../access/actor.ts';
import { idsOfMoment, partsOf } from '../../../db/ids-of-moment.ts';
import type { IdsOfMoment } from '../../../db/ids-of-moment.ts';
import type { FileReply, HandlerCtx } from '../../../http/context.ts';
import { exportFile } from '../../../http/downloads.ts';
import { forbidden, invalid } from '../../../http/errors.ts';
import { allowPrivateExport, recordPrivateExport } from '../record/private-looks.ts';
import { exportColumns, exportedColumns, exportedColumnsOnDay } from './export-columns.ts';
import type { ExportedEmployee, Reveal } from './export-columns.ts';
import { headCount, peopleMatching } from './filters.ts';
import type { ListQuery } from './filters.ts';
import { orderedIds } from './list.ts';
import { isOnDay, orderedIdsOn, peopleMatchingOn } from './on-day.ts';
import type { DayQuery } from './on-day.ts';
import { peopleOn } from '../../../people/on-day.ts';
import { cardReach, fieldsFor } from '../../../people/policy.ts';
import { employeeTables, tablesOf } from '../../../people/queries.ts';
import type { ListedEmployee } from '../../../people/record.ts';

type Ctx = HandlerCtx<typeof employees.export>;

/** The private details that an export requests. */
const revealOf = ({ query }: Ctx) => (query.reveal ?? null) as Reveal | null;

const batch = 1_000;

/** The number of people from the headcounts, if the actor can export everyone they see. */
const keptCount = (actor: Actor, query: ListQuery) =>
  JSON.stringify(cardReach(actor)) === JSON.stringify(reachOf(actor, 'employees.export'))
    ? headCount(actor, query)
    : undefined;

const allIds = ({ deps, actor, query }: Ctx): Promise<IdsOfMoment> =>
  idsOfMoment(deps.db, {
    ordered: isOnDay(query)
      ? orderedIdsOn(actor, query, { permission: 'employees.export' })
      : orderedIds(actor, query, { forExport: true }),
    count: isOnDay(query) ? undefined : keptCount(actor, query),
  });

/**
 * Reads the people of these ids in batches, in order. Holds no connection while the client reads. Each batch uses the
 * current rights: people who left the scope meanwhile are skipped, and the export ends when the permission is lost.
 */
async function* peopleOf(ctx: Ctx, ids: IdsOfMoment): AsyncGenerator<ExportedEmployee> {
  const { db, query } = ctx;
  const reveal = revealOf(ctx);
  const onDay = isOnDay(query);
  const tables = onDay ? tablesOf(peopleOn(query.as_of)) : employeeTables;
  const asked = onDay ? peopleMatchingOn : peopleMatching;
  for await (const wanted of partsOf(ids, batch)) {
    const actor = await ctx.checkAgain();
    if (reveal) allowPrivateExport(actor);
    const groups = onDay ? () => ({ work: true, private: false }) : fieldsFor(actor);
    const { rows } = await sql<Omit<ExportedEmployee, 'sees' | 'role'> & { role: ListedEmployee['roles'] }>`
      select ${onDay ? exportedColumnsOnDay : exportedColumns} from ${tables}
      join unnest(${wanted}::bigint[]) with ordinality as wanted (wanted_id, place) on wanted.wanted_id = e.id
      where ${asked(actor, query as DayQuery, 'employees.export')}
      order by wanted.place`.execute(db);
    if (reveal) await recordPrivateExport({ ...ctx, actor }, rows, reveal);
    for (const { role, ...row } of rows)
      yield { ...row, role: role.map(({ name }) => name).join('|'), sees: groups(row) };
  }
}

/** The people of a list as a file, with the fields the actor sees; as of a day without private ones. */
export async function exportEmployees(ctx: Ctx): Promise<FileReply> {
  const { actor, query } = ctx;
  if (query.deleted && !holds(actor, 'employees.deactivate')) throw forbidden();
  const reveal = revealOf(ctx);
  if (reveal) allowPrivateExport(actor);
  // private details of earlier days are unknown
  if (reveal && isOnDay(query)) throw invalid('reveal', messages.unavailable);
  const ids = await allIds(ctx);
  return exportFile(ctx, {
    name: isOnDay(query) ? `employees-as-of-${query.as_of}` : 'employees',
    columns: exportColumns(reveal),
    rows: peopleOf(ctx, ids),
    count: ids.count,
  });
}
