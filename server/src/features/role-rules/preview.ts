import { confirmedShare } from '@tenure/contract';
import type { RoleRulesImpact } from '@tenure/contract';
import { sql } from 'kysely';
import type { RoleSource } from '../../access/role-sources.ts';
import type { Db } from '../../db/connect.ts';
import { accountsLinkedTo, movesTo, rulesWith, wantedRoles } from '../../sso/role-rules.ts';
import type { StoredRule } from '../../sso/role-rules.ts';

type Moved = { id: number; name: string; gaining: number; losing: number; moving: number; holders: number };

/** The changes that rules would make for the people linked to a source, in one statement. */
export async function impactOfRules(
  db: Db,
  source: RoleSource,
  rules: readonly StoredRule[],
): Promise<RoleRulesImpact> {
  const isLinked = sql`i.user_id in (${accountsLinkedTo(source)})`;
  const moves = movesTo(wantedRoles(isLinked, { rules: rulesWith(source, rules) }), isLinked);
  const { rows } = await sql<Moved & { people: number }>`
    with moves as materialized (select m.* from (${moves}) as m where m.gains or m.losses)
    select r.id, r.name, m.gaining, m.losing, m.moving,
           (select count(*) from role_assignments a where a.role_id = r.id) as holders,
           (select count(distinct user_id) from moves) as people
    from (select role_id, count(*) filter (where gains) as gaining, count(*) filter (where losses) as losing,
                 count(*) as moving
          from moves group by role_id) as m
    join roles r on r.id = m.role_id
    order by fold(r.name), r.id`.execute(db);
  const side = (what: 'gaining' | 'losing') =>
    rows.flatMap(({ id, name, [what]: people }) => (people > 0 ? [{ role: { id, name }, people }] : []));
  const isLarge = rows.some(({ moving, holders }) => moving > confirmedShare * holders);
  return {
    gains: side('gaining'),
    losses: side('losing'),
    people: rows[0]?.people ?? 0,
    confirm: isLarge ? source.name : null,
  };
}
