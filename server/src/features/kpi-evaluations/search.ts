import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { wordsOf } from '../../db/lists.ts';
import { matchesReference } from '../../people/search-words.ts';

type Condition = RawBuilder<SqlBool>;

/** Cycles whose names contain some of the words, grouped by the words that they do not contain. */
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

/** The condition of a search, and whether it finds few: not if it names whole cycles. */
export type Searched = { conditions: Condition[]; few: boolean };

/**
 * Evaluations where the person's names, number or email, or the name of the cycle, contain each word of the search.
 * Cycles are searched first because there are few of them; most searches are then for people only.
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

/** By the person only, or by cycles that contain some of the words and people who match the rest. */
function withinCycles(actor: Actor, found: ReadonlyMap<string, number[]>, all: string): Condition {
  const branches = [
    personMatches(actor, all, 'x'),
    ...[...found]
      .filter(([rest]) => rest !== '')
      .map(([rest, ids]) => sql<SqlBool>`x.cycle_id = any(${ids}::bigint[]) and ${personMatches(actor, rest, 'x')}`),
  ].map((branch) => sql`select x.id from kpi_evaluations x where ${branch}`);
  return sql<SqlBool>`v.id in (${sql.join(branches, sql` union all `)})`;
}
