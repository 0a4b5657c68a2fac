import { maxOrgPeople } from '@tenure/contract';
import type { OrgNode } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { byName, visibleDepartments } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { every } from '../../db/lists.ts';
import { refTo } from '../../db/refs.ts';
import { cardReach } from '../../people/policy.ts';
import { personColumns } from './people.ts';
import type { ChartQuery, Shown } from './people.ts';
import type { FlatNode, Levels } from './tree.ts';

type Condition = RawBuilder<SqlBool>;

/** Active departments that the actor sees or with people in the chart; as of a day, also inactive ones with people. */
function shownDepartments(actor: Actor, people: Shown, entityId: number | null | undefined) {
  return (alias: string): Condition => {
    const column = (name: string) => sql.ref(`${alias}.${name}`);
    const active = sql<SqlBool>`${column('status')} = 'active'`;
    const visible = visibleDepartments(actor, alias);
    const filled = sql<SqlBool>`exists (
      select from ${people.from('p')} where p.department_id = ${column('id')} and ${people.where('p')})`;
    return every([
      people.day === undefined
        ? sql<SqlBool>`${active} and (${visible} or ${filled})`
        : sql<SqlBool>`((${active} and ${visible}) or ${filled})`,
      ...(entityId ? [sql<SqlBool>`${column('entity_id')} = ${entityId}`] : []),
    ]);
  };
}

/** The people of department `d` in the chart; for whole companies, from stored counts. */
function peopleCount(actor: Actor, people: Shown): RawBuilder<unknown> {
  const counted = sql`(select count(*) from ${people.from('p')} where p.department_id = d.id and ${people.where('p')})`;
  const { everything, entity_ids: ids } = cardReach(actor);
  if (people.day !== undefined || (!everything && ids.length === 0)) return counted;
  const stored = sql`(select coalesce(sum(k.people), 0)::int from employee_counts k
                      where k.level = 'department' and k.key_id = d.id and k.activity_status = 'active')`;
  return everything ? stored : sql`case when d.entity_id = any(${ids}::bigint[]) then ${stored} else ${counted} end`;
}

/** The chart by department, from the top or below one department. */
export function departmentLevels(db: Db, actor: Actor, people: Shown, { root_id, entity_id }: ChartQuery): Levels {
  const shown = shownDepartments(actor, people, entity_id);
  const read = async (parent: RawBuilder<unknown>, condition: Condition, limit: RawBuilder<unknown>) => {
    const { rows } = await sql<FlatNode>`
      select d.id, 'department' as type, d.name, null as job_title, null::json as department, ${refTo('n')} as entity,
             null as profile_picture_url, ${parent} as parent_id,
             (select count(*) from departments c where c.parent_id = d.id and ${shown('c')}) as children_count,
             ${peopleCount(actor, people)} as people_count
      from departments d
      join entities n on n.id = d.entity_id
      where ${condition} and ${shown('d')}
      order by n.name_sort, n.id, d.name_sort, d.id ${limit}`.execute(db);
    return rows;
  };
  const root = sql<SqlBool>`d.parent_id = ${root_id ?? 0} and exists (
    select from departments r where r.id = ${root_id ?? 0} and ${shown('r')})`;
  const heads = sql<SqlBool>`not exists (
    select from departments r where r.id = d.parent_id and ${shown('r')})`;
  return {
    top: (limit) =>
      root_id ? read(sql`d.parent_id`, root, sql`limit ${limit}`) : read(sql`null::bigint`, heads, sql`limit ${limit}`),
    below: (ids) => read(sql`d.parent_id`, sql<SqlBool>`d.parent_id = any(${ids}::bigint[])`, sql``),
    path: async (personId) => {
      const { rows } = await sql<{ id: number }>`
        with recursive above as (
          select d.id, d.parent_id, 0 as step from ${people.from('e')}
          join departments d on d.id = e.department_id and ${shown('d')}
          where e.id = ${personId} and ${people.where('e')}
          union all
          select p.id, p.parent_id, above.step + 1 from above
          join departments p on p.id = above.parent_id and ${shown('p')}
        ) cycle id set is_circle using trail
        select id from above where not is_circle order by step desc`.execute(db);
      return rows.length > 0 ? rows.map(({ id }) => id) : null;
    },
  };
}

/** The direct members of a department, its head first, and whether there are more than shown. */
export async function peopleOf(
  db: Db,
  actor: Actor,
  people: Shown,
  departmentId: number,
): Promise<{ people: OrgNode[]; has_more: boolean }> {
  // the heads of other days are unknown
  const headFirst =
    people.day === undefined
      ? sql`e.id is not distinct from d.manager_id desc, e.id is not distinct from d.team_lead_id desc,`
      : sql``;
  const { rows } = await sql<FlatNode>`
    select ${personColumns(actor, people)}, e.department_id as parent_id, 0 as children_count
    from ${people.from('e')}
    join departments d on d.id = e.department_id
    where e.department_id = ${departmentId} and ${people.where('e')}
    order by ${headFirst} ${byName('e')}
    limit ${maxOrgPeople + 1}`.execute(db);
  return {
    people: rows.slice(0, maxOrgPeople).map((row) => ({ ...row, children: [] })),
    has_more: rows.length > maxOrgPeople,
  };
}
