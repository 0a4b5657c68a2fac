import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import { notifyEach } from '../../notifications/notify.ts';
import type { NotifyContext } from '../../notifications/notify.ts';
import type { Recipients } from '../../notifications/recipients.ts';

/** The HR pool of companies: users with the permission there, or the administrators if there are none. */
const hrOf = (permission: Permission, entityIds: readonly number[]): Recipients => sql`
  with holders as (
    select distinct a.user_id, r.is_system and r.name = 'Admin' as is_admin
    from role_permissions p
    join roles r on r.id = p.role_id
    join role_assignments a on a.role_id = r.id
    where p.permission = ${permission} and r.scope = 'all'
      and (a.entity_ids is null or a.entity_ids && ${entityIds}::bigint[]))
  select user_id from holders where is_admin <> exists (
    select from holders h join reachable_users u on u.user_id = h.user_id where not h.is_admin)`;

type DepartmentKey = { id: number; entity_id: number };

const toHrAndHeads = (cycleId: number, departments: readonly DepartmentKey[], params: object, round: string) => {
  const entities = [...new Set(departments.map(({ entity_id }) => entity_id))];
  const ids = departments.map(({ id }) => id);
  const url = (path: string) => sql`select user_id, ${path}::text as url`;
  return sql`
    with hr as (${hrOf('kpi-evaluation.hr-review', entities)}),
    heads as (
      select e.user_id from departments d join employees e on e.id = d.manager_id
      where d.id = any(${ids}::bigint[]) and e.user_id not in (select user_id from hr))
    select user_id, ${cycleId}::bigint as subject_id, ${round}::text as round, url,
           ${JSON.stringify(params)}::jsonb as params, 'plain' as variant, null::text as copy_to
    from (${url(`/kpi/cycles/${cycleId}`)} from hr union ${url('/kpi/evaluations')} from heads) as t`;
};

/** Notifies HR and department managers that a cycle started. */
export const notifyPublished = (
  context: NotifyContext,
  cycle: { id: number; name: string },
  departments: readonly DepartmentKey[],
) =>
  notifyEach(
    context,
    'kpi_cycle_published',
    { type: 'kpi_cycle' },
    // a department is published only once, so the first one identifies this publication
    toHrAndHeads(cycle.id, departments, { cycle: cycle.name }, `${departments[0]?.id}`),
  );

/** Notifies HR and department managers that a cycle is closed. */
export const notifyClosed = (
  context: NotifyContext,
  cycle: { id: number; name: string; revision: number },
  departments: readonly DepartmentKey[],
) =>
  notifyEach(
    context,
    'kpi_cycle_closed',
    { type: 'kpi_cycle' },
    toHrAndHeads(cycle.id, departments, { cycle: cycle.name }, `${cycle.revision}`),
  );
