import type { KpiCycle, Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { holds, reachesEntity, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { either, entitiesIn } from '../../access/scope.ts';
import { every } from '../../db/lists.ts';
import { evaluationsIn } from '../../access/evaluation-scope.ts';

type Condition = RawBuilder<SqlBool>;
type Cycle = Pick<KpiCycle, 'status' | 'entity_id' | 'publishing'>;

/** Rows of `kpi_cycles` that a permission covers; those without a company are visible from every company. */
export function cyclesFor(actor: Actor, permission: Permission, alias = 'c'): Condition {
  const reach = reachOf(actor, permission);
  if (reach.everything) return sql<SqlBool>`true`;
  if (reach.entity_ids.length === 0) return sql<SqlBool>`false`;
  const entity = sql.ref(`${alias}.entity_id`);
  return sql<SqlBool>`(${entity} is null or ${entity} = any(${reach.entity_ids}::bigint[]))`;
}

/** Rows of `kpi_cycles` that the actor sees directly or through an evaluation. */
export const cyclesSeen = (actor: Actor): Condition =>
  either([
    cyclesFor(actor, 'kpi-cycle.view'),
    sql<SqlBool>`c.id in (
      select v.cycle_id from kpi_evaluations v where ${evaluationsIn(actor, 'kpi-evaluation.view')})`,
  ]);

/** Rows that a permission covers by company within any cycle: its departments, evaluations and counts. */
export const companiesFor = (actor: Actor, permission: Permission, reference: string): Condition =>
  entitiesIn(reachOf(actor, permission), reference);

/** The same for results: readers who can count evaluations must not derive a result from a figure. */
export const resultsFor = (actor: Actor, permission: Permission, reference: string): Condition =>
  every([companiesFor(actor, permission, reference), companiesFor(actor, 'kpi-evaluation.view', reference)]);

/** True when the actor can write the cycle itself; one without a company needs scope `all`. */
export const mayWrite = (actor: Actor, permission: Permission, entityId: number | null): boolean =>
  reachesEntity(reachOf(actor, permission), entityId);

const actions = {
  draft: ['update', 'preflight', 'publish', 'delete'],
  published: ['update', 'preflight', 'publish', 'remind', 'close', 'export'],
  closed: ['reopen', 'export'],
} as const satisfies Record<KpiCycle['status'], readonly string[]>;
type Action = (typeof actions)[KpiCycle['status']][number];

const permissionOf: Record<Action, Permission> = {
  update: 'kpi-cycle.update',
  preflight: 'kpi-cycle.publish',
  publish: 'kpi-cycle.publish',
  remind: 'kpi-cycle.update',
  close: 'kpi-cycle.update',
  delete: 'kpi-cycle.delete',
  reopen: 'kpi-cycle.reopen',
  export: 'kpi-cycle.export',
};
const ofTheCycle: ReadonlySet<Action> = new Set(['update', 'close', 'delete', 'reopen']);
const notWhilePublishing: ReadonlySet<Action> = new Set(['publish', 'close']);

/** The actor's current actions on cycles. */
export function can(actor: Actor): (cycle: Cycle) => string[] {
  const reaches = (permission: Permission, entityId: number | null) => {
    const reach = reachOf(actor, permission);
    return reach.everything || (entityId === null ? reach.entity_ids.length > 0 : reachesEntity(reach, entityId));
  };
  const allows = ({ entity_id, publishing }: Cycle, action: Action) =>
    holds(actor, permissionOf[action]) &&
    (ofTheCycle.has(action)
      ? mayWrite(actor, permissionOf[action], entity_id)
      : reaches(permissionOf[action], entity_id)) &&
    (publishing === null || !notWhilePublishing.has(action));
  return (cycle) => actions[cycle.status].filter((action) => allows(cycle, action));
}

/** The actor's actions on the row of a department; once it is published, only the template can be replaced. */
export function canOfDepartment(
  actor: Actor,
): (row: { entity_id: number; is_published: boolean; cycle_status: string }) => string[] {
  const [changed, published] = [reachOf(actor, 'kpi-cycle.update'), reachOf(actor, 'kpi-cycle.publish')];
  return ({ entity_id, is_published, cycle_status }) => {
    if (cycle_status === 'closed') return [];
    if (is_published) return reachesEntity(published, entity_id) ? ['replace-template'] : [];
    return reachesEntity(changed, entity_id) ? ['update', 'delete'] : [];
  };
}
