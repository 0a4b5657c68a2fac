import { maxTeam } from '@tenure/contract';
import type { directory, DirectoryCard, DirectoryPerson, QueryOut, Reply } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { every, oneOfIds, selectPage } from '../../db/lists.ts';
import { notFound } from '../../http/errors.ts';
import { cardColumns, cardJoins, cardOrder, inDirectory } from '../../people/directory.ts';
import { matchesCard, matchesCardBeginnings, searchesInside } from '../../people/search-words.ts';

type Condition = RawBuilder<SqlBool>;

function inOrderOf({ search, sort_direction: direction }: QueryOut<typeof directory.list>) {
  if (direction === 'desc') return sql`order by fold(e.name) collate "C" desc, e.id desc`;
  const isFirst = search && !direction && searchesInside(search) ? sql`${matchesCardBeginnings(search)} desc, ` : sql``;
  return sql`order by ${isFirst}${cardOrder}`;
}

/** A page of cards. Filters use only what the cards show. */
export function listCards(db: Db, query: QueryOut<typeof directory.list>) {
  const { search, entity_id, department_id, manager_id } = query;
  const where = every([
    inDirectory('e'),
    ...oneOfIds(sql`e.entity_id`, entity_id),
    ...oneOfIds(sql`e.department_id`, department_id),
    // not by the column: a manager who is not on the card must not find anyone
    ...oneOfIds(sql`m.id`, manager_id, { orNone: true }),
    ...(search ? [matchesCard(search)] : []),
  ]);
  return selectPage<DirectoryCard>(db, query, {
    rows: sql<DirectoryCard>`
      select ${cardColumns} from employees e ${cardJoins} where ${where} ${inOrderOf(query)}`,
    total: sql`select count(*) from employees e
      ${manager_id ? sql`left join employees m on m.id = e.reporting_manager_id and ${inDirectory('m')}` : sql``}
      where ${where}`,
  });
}

type Places = Reply<typeof directory.places>['data'];

/** The companies and departments that cards show. */
export async function readPlaces(db: Db): Promise<Places> {
  const { rows } = await sql<{ id: number; name: string; entity_id: number; entity_name: string }>`
    select d.id, d.name, n.id as entity_id, n.name as entity_name
    from departments d join entities n on n.id = d.entity_id
    where exists (select from employees e where e.department_id = d.id and ${inDirectory('e')})
    order by n.name_sort, n.id, d.name_sort, d.id`.execute(db);
  const entities = new Map(rows.map(({ entity_id: id, entity_name: name }) => [id, { id, name }]));
  return {
    entities: [...entities.values()],
    departments: rows.map(({ id, name, entity_id, entity_name }) => ({
      id,
      name,
      entity: { id: entity_id, name: entity_name },
    })),
  };
}

async function readCards(db: Db, condition: Condition): Promise<(DirectoryCard & { found: number })[]> {
  const { rows } = await sql<DirectoryCard & { found: number }>`
    select ${cardColumns}, count(*) over () as found
    from employees e ${cardJoins} where ${inDirectory('e')} and ${condition}
    order by ${cardOrder} limit ${maxTeam}`.execute(db);
  return rows;
}

/** The superiors, from the top, as far up as the directory names each manager. */
async function readManagers(db: Db, id: number): Promise<DirectoryCard[]> {
  const { rows } = await sql<DirectoryCard>`
    with recursive above as (
      select m.id, m.reporting_manager_id, 1 as step
      from employees p join employees m on m.id = p.reporting_manager_id and ${inDirectory('m')}
      where p.id = ${id}
      union all
      select m.id, m.reporting_manager_id, above.step + 1
      from above join employees m on m.id = above.reporting_manager_id and ${inDirectory('m')}
    ) cycle id set is_circle using trail
    select ${cardColumns} from above join employees e on e.id = above.id ${cardJoins}
    where not above.is_circle order by above.step desc`.execute(db);
  return rows;
}

const cardsOf = (rows: readonly (DirectoryCard & { found: number })[]) => ({
  cards: rows.map(({ found: _found, ...card }): DirectoryCard => card),
  count: rows[0]?.found ?? 0,
});

/** One person with the people around. @throws 404 for anyone who is not in the directory, whether or not on record */
export async function readPerson(db: Db, id: number): Promise<DirectoryPerson> {
  const [found] = cardsOf(await readCards(db, sql<SqlBool>`e.id = ${id}`)).cards;
  if (!found) throw notFound();
  const managers = await readManagers(db, id);
  const reports = cardsOf(await readCards(db, sql<SqlBool>`e.reporting_manager_id = ${id}`));
  const colleagues = cardsOf(
    found.manager
      ? await readCards(db, sql<SqlBool>`e.reporting_manager_id = ${found.manager.id} and e.id <> ${id}`)
      : [],
  );
  return {
    ...found,
    managers,
    colleagues: colleagues.cards,
    colleagues_count: colleagues.count,
    reports: reports.cards,
    reports_count: reports.count,
  };
}

/** The stored picture of a person in the directory. */
export async function findPicture(db: Db, id: number): Promise<{ picture_key: string | null }> {
  const { rows } = await sql<{ picture_key: string | null }>`
    select e.picture_key from employees e where e.id = ${id} and ${inDirectory('e')}`.execute(db);
  if (!rows[0]) throw notFound();
  return rows[0];
}
