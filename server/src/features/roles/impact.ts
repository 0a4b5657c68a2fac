import { permissionNames } from '@tenure/contract';
import type { Permission, RoleImpact } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';

type PermissionChange = { gives?: readonly Permission[] | undefined; takes?: readonly Permission[] | undefined };
type Counted = { side: 'gives' | 'takes'; permission: string | null; people: number };

const counts = (all: readonly Counted[], side: Counted['side']) => {
  const order = (name: string) => permissionNames.indexOf(name as Permission);
  return all
    .flatMap((one) =>
      one.side === side && one.permission !== null ? [{ permission: one.permission, people: one.people }] : [],
    )
    .sort((a, b) => order(a.permission) - order(b.permission));
};

const anything = (all: readonly Counted[], side: Counted['side']) =>
  all.find((one) => one.side === side && one.permission === null)?.people ?? 0;

/** The order of scopes. */
const width = sql`array['own', 'managed', 'all']`;

/**
 * Counts the holders of a role who are affected by adding and removing permissions: those with an equal scope through
 * another role are not.
 */
export async function impactOf(
  db: Db,
  roleId: number,
  { gives = [], takes = [] }: PermissionChange,
): Promise<RoleImpact> {
  const { rows } = await sql<Counted>`
    with asked as (
      select 'gives' as side, unnest(${gives}::text[]) as permission
      union select 'takes', unnest(${takes}::text[])
    ), moved as (
      select k.side, k.permission, a.user_id
      from asked k
      join role_assignments a on a.role_id = ${roleId}
      join roles r on r.id = a.role_id
      where (k.side = 'takes') = exists (
          select from role_permissions p where p.role_id = r.id and p.permission = k.permission)
        and not exists (
          select from role_assignments b
          join roles o on o.id = b.role_id
          join role_permissions p on p.role_id = o.id and p.permission = k.permission
          where b.user_id = a.user_id and b.role_id <> a.role_id
            and array_position(${width}, o.scope) >= array_position(${width}, r.scope)
            and (o.scope <> 'managed' or r.managed_depth = 'direct' or o.managed_depth = 'tree')
            and (b.entity_ids is null or a.entity_ids <@ b.entity_ids
                 and coalesce(a.department_ids <@ b.department_ids, a.department_ids is null)))
    )
    select k.side, k.permission, count(m.user_id) as people
    from asked k left join moved m on m.side = k.side and m.permission = k.permission
    group by k.side, k.permission
    union all
    select side, null, count(distinct user_id) from moved group by side`.execute(db);
  const { rows: holders } = await sql<{ n: number }>`
    select count(*) as n from role_assignments where role_id = ${roleId}`.execute(db);
  return {
    holders: holders[0]?.n ?? 0,
    gains: counts(rows, 'gives'),
    losses: counts(rows, 'takes'),
    gaining: anything(rows, 'gives'),
    losing: anything(rows, 'takes'),
  };
}
