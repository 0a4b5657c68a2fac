import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { wordsOf } from '../../db/lists.ts';
import { matchesSearch } from '../employees/search-words.ts';

type Condition = RawBuilder<SqlBool>;

/** Cycles whose names hold some of the words, by the words their names do not hold. */
async function cyclesByRest(db: Db, words: readonly string[]): Promise<Map<string, number[]>> {
  const { rows } = await sql<{ id: number; rest: string }>`
    select id, rest from kpi_cycles c, lateral (
      select coalesce(string_agg(word, ' ' order by place) filter (where position(fold(word) in c.name_sort) = 0), '')
             as rest, count(*) filter (where position(fold(word) in c.name_sort) > 0) as held
      from unnest(${words}::text[]) with ordinality as w (word, place)) as found
    where held > 0`.execute(db);
  const found = new Map<string, number[]>();
  for (const { id, rest } of rows) found.set(rest, [...(found.get(rest) ?? []), id]);
  return found;
}

const personMatches = (words: string, alias: string): Condition =>
  sql<SqlBool>`${sql.ref(`${alias}.employee_id`)} in (select e.id from employees e where ${matchesSearch(words)})`;

/**
 * True for evaluations where each word of the search is found in the person's names, number or e-mail, or in the name of
 * the cycle. There are few cycles, so they are looked at first: most searches then are for people alone.
 */
export async function searched(db: Db, search: string | null | undefined): Promise<Condition[]> {
  const words = wordsOf(search);
  if (words.length === 0) return [];
  const byPerson = personMatches(words.join(' '), 'v');
  const cycles = [...(await cyclesByRest(db, words))];
  if (cycles.length === 0) return [byPerson];
  const branches = [
    personMatches(words.join(' '), 'x'),
    ...cycles.map(([rest, ids]) => {
      const inCycles = sql<SqlBool>`x.cycle_id = any(${ids}::bigint[])`;
      return rest === '' ? inCycles : sql<SqlBool>`${inCycles} and ${personMatches(rest, 'x')}`;
    }),
  ].map((branch) => sql`select x.id from kpi_evaluations x where ${branch}`);
  return [sql<SqlBool>`v.id in (${sql.join(branches, sql` union all `)})`];
}
