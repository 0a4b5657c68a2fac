import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { wordsOf } from '../../db/lists.ts';
import { matchesReference } from '../../people/search-words.ts';

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

const personMatches = (actor: Actor, words: string, alias: string): Condition =>
  sql<SqlBool>`${sql.ref(`${alias}.employee_id`)} in (
    select e.id from employees e where ${matchesReference(actor, words)})`;

/** What a search asks for, and whether few are to be expected: not where it names whole cycles. */
export type Searched = { conditions: Condition[]; few: boolean };

/**
 * Evaluations where each word of the search is found in the person's names, number or e-mail, or in the name of the
 * cycle. There are few cycles, so they are looked at first: most searches then are for people alone.
 */
export async function searched(db: Db, actor: Actor, search: string | null | undefined): Promise<Searched> {
  const words = wordsOf(search);
  if (words.length === 0) return { conditions: [], few: false };
  const all = words.join(' ');
  const found = await cyclesByRest(db, words);
  const whole = found.get('');
  if (whole)
    return {
      conditions: [sql`(v.cycle_id = any(${whole}::bigint[]) or ${withinCycles(actor, found, all)})`],
      few: false,
    };
  return {
    conditions: [found.size === 0 ? personMatches(actor, all, 'v') : withinCycles(actor, found, all)],
    few: true,
  };
}

/** By the person alone, or by cycles that hold some of the words and people who match the rest. */
function withinCycles(actor: Actor, found: ReadonlyMap<string, number[]>, all: string): Condition {
  const branches = [
    personMatches(actor, all, 'x'),
    ...[...found]
      .filter(([rest]) => rest !== '')
      .map(([rest, ids]) => sql<SqlBool>`x.cycle_id = any(${ids}::bigint[]) and ${personMatches(actor, rest, 'x')}`),
  ].map((branch) => sql`select x.id from kpi_evaluations x where ${branch}`);
  return sql<SqlBool>`v.id in (${sql.join(branches, sql` union all `)})`;
}
