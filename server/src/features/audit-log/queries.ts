import type { AuditEntry, auditLog, QueryOut } from '@tenure/contract';
import { isDay } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { holds, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { entitiesIn, visiblePeople } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { every, oneOfIds, oneOfTexts, selectPage } from '../../db/lists.ts';
import type { Ctx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { copiedColumns, wordsSeen } from './copies.ts';
import { labelled } from './labels.ts';
import type { Entry } from './labels.ts';
import { countHidden, notHidden } from './own.ts';

type ListQuery = Omit<QueryOut<typeof auditLog.list>, 'page' | 'per_page'>;
type Condition = RawBuilder<SqlBool>;
type Stored = Omit<Entry, 'actor'> & { actor_id: number | null; actor_name: string };

/** True when a reader can know the name of a token `k`. */
const seesToken = (actor: Actor) =>
  holds(actor, 'tokens.view_all') ? sql<SqlBool>`true` : sql<SqlBool>`k.user_id = ${actor.user_id}`;

const columnsFor = (actor: Actor) => sql`l.id, l.at, l.actor_id, l.actor_name, l.action, l.subject_type, l.subject_id,
  l.entity_id, ${copiedColumns(actor)}, l.request_id, l.ip,
  case when l.token_id is not null then json_build_object('id', l.token_id, 'name', (
    select k.name from api_tokens k where k.id = l.token_id and ${seesToken(actor)})) end as token`;

const present = ({ actor_id, actor_name, ...entry }: Stored): Entry => ({
  ...entry,
  actor: { user_id: actor_id, name: actor_name },
});

/**
 * Entries of the actor's companies; entries without a company only with scope `all`. For their own reviews, entries
 * show what the reviews show.
 */
const visibleEntries = (actor: Actor): Condition =>
  every([entitiesIn(reachOf(actor, 'audit.view'), 'l.entity_id'), ...notHidden(actor)]);

const parts = (text: string | null | undefined) => text?.split(',').map((part) => part.trim());

const from = (moment: string | null | undefined): Condition[] =>
  moment ? [sql<SqlBool>`l.at >= ${moment}::timestamptz`] : [];

const to = (moment: string | null | undefined): Condition[] => {
  if (!moment) return [];
  // a day includes all its hours
  return [
    isDay(moment)
      ? sql<SqlBool>`l.at < ${moment}::timestamptz + interval '1 day'`
      : sql<SqlBool>`l.at <= ${moment}::timestamptz`,
  ];
};

const byPeople = (actor: Actor, ids: readonly number[] | undefined): Condition[] => {
  const [people] = oneOfIds(sql`e.id`, ids);
  return people
    ? [sql<SqlBool>`l.actor_id in (select e.user_id from employees e where ${people} and ${visiblePeople(actor)})`]
    : [];
};

const ofConnections = (actor: Actor, ids: readonly number[] | undefined): Condition[] => {
  const [connections] = oneOfIds(sql`s.connection_id`, ids);
  if (!connections) return [];
  // others must not learn which account a user of a connection has
  if (!holds(actor, 'identity.manage')) return [sql<SqlBool>`false`];
  return [
    sql<SqlBool>`l.subject_type = 'scim_user' and l.subject_id in (select s.user_id from scim_users s where ${connections})`,
  ];
};

const asked = (actor: Actor, query: ListQuery): Condition =>
  every([
    visibleEntries(actor),
    ...oneOfIds(sql`l.actor_id`, query.actor_id, { orNone: true }),
    ...byPeople(actor, query.actor_employee_id),
    ...oneOfTexts(sql`l.action`, parts(query.action)),
    ...oneOfTexts(sql`l.subject_type`, parts(query.subject_type)),
    ...oneOfIds(sql`l.subject_id`, query.subject_id),
    ...oneOfIds(sql`l.entity_id`, query.entity_id),
    ...ofConnections(actor, query.scim_connection_id),
    ...oneOfTexts(sql`l.request_id`, parts(query.request_id)),
    ...from(query.at_from),
    ...to(query.at_to),
    ...(query.search ? [wordsSeen(actor, query.search)] : []),
  ]);

/**
 * The entries of a query, as the table `l`. An index collects the search results before they are sorted: in index
 * order, the search for a rare word would read every entry.
 */
const entriesFor = (actor: Actor, query: ListQuery): RawBuilder<unknown> =>
  sql`(select * from audit_log l where ${asked(actor, query)} ${query.search ? sql`offset 0` : sql``}) as l`;

const latestFirst = sql`l.at desc, l.id desc`;

/** Sorts by time like the index; by another column, equal entries have the latest first. */
function orderOf({ sort_by, sort_direction }: ListQuery): RawBuilder<unknown> {
  if (!sort_by || sort_by === 'at') return sort_direction === 'asc' ? sql`l.at, l.id` : latestFirst;
  return sql`${sql.ref(`l.${sort_by}`)} ${sort_direction === 'desc' ? sql`desc` : sql`asc`}, ${latestFirst}`;
}

const shape = new Set(['page', 'per_page', 'sort_by', 'sort_direction']);

/** True when a query has no filter. */
const asksForAll = (actor: Actor, query: ListQuery) =>
  reachOf(actor, 'audit.view').everything &&
  Object.entries(query).every(([name, value]) => shape.has(name) || value === undefined || value === null);

// each chained entry has one position: only entries not yet chained are counted, and the archived ones subtracted
const countAll = (actor: Actor) => sql`
  select coalesce((select max(position) from audit_chain), 0)
    - (select coalesce(sum(entries), 0) from audit_archives) + (
    select count(*) from audit_log l
    where l.transaction >= (select transaction from audit_chain_reached)
      and not exists (select from audit_chain c where c.audit_id = l.id)) - ${countHidden(actor)}`;

/** Chained entries read for one response of the feed: a reader who sees few of them makes progress too. */
const maxScanned = 20_000;

/**
 * The entries after a position of the chain, in commit order, so that an entry committed late is not missed. Each
 * appears within a minute of its commit.
 */
export async function entriesAfter(
  { db, actor }: { db: Db; actor: Actor },
  { after, limit }: { after: number; limit: number },
) {
  const { rows: ends } = await sql<{ last: number }>`
    select coalesce(max(position), 0) as last from audit_chain`.execute(db);
  const last = Math.min(ends[0]?.last ?? 0, after + maxScanned);
  const { rows } = await sql<Stored & { position: number }>`
    select c.position, ${columnsFor(actor)} from audit_chain c join audit_log l on l.id = c.audit_id
    where c.position > ${after} and c.position <= ${last} and ${visibleEntries(actor)}
    order by c.position limit ${limit}`.execute(db);
  const entries = await labelled({ db, actor }, rows.map(present));
  // entries outside the reader's scope are skipped as well
  const next = rows.length === limit ? (rows.at(-1)?.position ?? after) : Math.max(after, last);
  return { entries: entries.map((entry, index) => ({ ...entry, position: rows[index]?.position as number })), next };
}

/** The first day after the archived months; null if none is archived. */
export async function archivedBefore(db: Db): Promise<string | null> {
  const { rows } = await sql<{ before: string | null }>`
    select (max(month) + interval '1 month')::date as before from audit_archives`.execute(db);
  return rows[0]?.before ?? null;
}

/** A page of the entries visible to the actor. */
export async function listEntries(
  { db, actor }: { db: Db; actor: Actor },
  query: QueryOut<typeof auditLog.list>,
): Promise<{ rows: AuditEntry[]; total: number }> {
  const entries = entriesFor(actor, query);
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Stored>`select ${columnsFor(actor)} from ${entries} order by ${orderOf(query)}`,
    total: asksForAll(actor, query) ? countAll(actor) : sql`select count(*) from ${entries}`,
  });
  return { rows: await labelled({ db, actor }, rows.map(present)), total };
}

/** Finds the entry of a path. Throws 404 outside the actor's scope. */
export async function findEntry({ db, actor }: { db: Db; actor: Actor }, id: number): Promise<AuditEntry> {
  const { rows } = await sql<Stored>`
    select ${columnsFor(actor)} from audit_log l where l.id = ${id} and ${visibleEntries(actor)}`.execute(db);
  const [found] = await labelled({ db, actor }, rows.map(present));
  if (!found) throw notFound();
  return found;
}

/** The number of entries of a query, and the last id, where an export stops. */
export async function countEntries(
  { db, actor }: { db: Db; actor: Actor },
  query: ListQuery,
): Promise<{ count: number; last_id: number }> {
  const { rows } = await sql<{ count: number; last_id: number }>`
    select count(*) as count, coalesce(max(l.id), 0)::bigint as last_id
    from ${entriesFor(actor, query)}`.execute(db);
  return rows[0] ?? { count: 0, last_id: 0 };
}

/** Each batch repeats the search, so its batches are larger. */
const batchOf = (query: ListQuery) => (query.search ? 20_000 : 1_000);

/** The values of the sorted column in order; a single range if sorted by time. */
async function stretches(db: Db, actor: Actor, query: ListQuery): Promise<Condition[]> {
  if (!query.sort_by || query.sort_by === 'at') return [sql<SqlBool>`true`];
  const column = sql.ref(`l.${query.sort_by}`);
  const { rows } = await sql<{ value: string }>`
    select distinct ${column} as value from ${entriesFor(actor, query)}
    order by value ${query.sort_direction === 'desc' ? sql`desc` : sql`asc`}`.execute(db);
  return rows.map(({ value }) => sql<SqlBool>`${column} = ${value}`);
}

/**
 * Reads all entries of a query up to an id in batches, in order. Holds no connection while the client reads. Each batch
 * continues after the previous one with the current rights; the export ends when the permission is lost.
 */
export async function* allEntries(
  { db, actor: first, checkAgain }: Pick<Ctx, 'db' | 'actor' | 'checkAgain'>,
  query: ListQuery & { headings?: 'keys' | 'words' | null | undefined },
  lastId: number,
): AsyncGenerator<AuditEntry> {
  const oldestFirst = (query.sort_by ?? 'at') === 'at' && query.sort_direction === 'asc';
  const next = oldestFirst ? sql`>` : sql`<`;
  const order = oldestFirst ? sql`l.at, l.id` : latestFirst;
  const batch = batchOf(query);
  for (const stretch of await stretches(db, first, query)) {
    let reached: Stored | undefined;
    do {
      const actor = await checkAgain();
      const beyond = reached ? sql`and (l.at, l.id) ${next} (${reached.at}::timestamptz, ${reached.id})` : sql``;
      const { rows }: { rows: Stored[] } = await sql<Stored>`
        select ${columnsFor(actor)} from ${entriesFor(actor, query)}
        where ${stretch} and l.id <= ${lastId} ${beyond}
        order by ${order} limit ${batch}`.execute(db);
      const entries = rows.map(present);
      // programs use the ids
      yield* query.headings === 'words'
        ? await labelled({ db, actor }, entries)
        : entries.map((entry) => ({ ...entry, labels: {} }));
      reached = rows.length === batch ? rows.at(-1) : undefined;
    } while (reached);
  }
}
