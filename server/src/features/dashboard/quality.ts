import type { Dashboard } from '@tenure/contract';
import { sql } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { departmentsIn } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { every, oneOfIds } from '../../db/lists.ts';
import { missingFor } from '../../people/conditions.ts';
import { evaluationsIn } from '../../access/evaluation-scope.ts';
import { peopleCounted } from './scope.ts';
import type { Asked, Sight } from './scope.ts';

type Quality = NonNullable<Dashboard['data_quality']>;
type Query = { entity_id?: Asked; cycle_id?: Asked };

/** Missing data in the records; a list filter finds each case. */
export async function countGaps(
  { db, actor }: { db: Db; actor: Actor },
  { all, people }: Sight,
  query: Query,
  as_of: string,
): Promise<Pick<Dashboard, 'data_quality'>> {
  if (!all || !people) return {};
  const { entity_id: entityIds, cycle_id: cycleIds } = query;
  const active = sql`from employees e where ${peopleCounted(actor, people, entityIds)} and e.activity_status = 'active'`;
  const places = every([
    departmentsIn(actor, reachOf(actor, 'dashboard.view_all')),
    ...oneOfIds(sql`d.entity_id`, entityIds),
  ]);
  const evaluations = every([
    evaluationsIn(actor, 'dashboard.view_all'),
    ...oneOfIds(sql`v.entity_id`, entityIds),
    ...oneOfIds(sql`v.cycle_id`, cycleIds),
  ]);
  const { rows } = await sql<Omit<Quality, 'as_of'>>`
    select
      (select count(*) ${active} and e.reporting_manager_id is null) as employees_without_manager,
      (select count(*) from departments d
       where ${places} and d.status = 'active' and d.manager_id is null) as departments_without_manager,
      (select count(*) ${active} and e.user_id in (select user_id from accounts_without_role)) as accounts_without_role,
      (select count(*) ${active} and ${missingFor(actor).review_permission}) as managers_without_review_permission,
      (select count(*) from kpi_evaluations v
       where ${evaluations} and v.status in ('self_assessment', 'manager_review')
         and v.reviewer_missing_since is not null) as evaluations_without_reviewer`.execute(db);
  return { data_quality: { as_of, ...(rows[0] as Omit<Quality, 'as_of'>) } };
}
