import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { departmentsIn, entitiesIn, visiblePeople } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { invalid } from '../../http/errors.ts';
import type { DepartmentFact, EntityFact, Facts, ManagerFact } from './rules.ts';

/** What the fields of one form refer to. */
export type References = {
  entity_id: number | null | undefined;
  department_id: number | null | undefined;
  reporting_manager_id: number | null | undefined;
};

const byId = <T extends { id: number }>(rows: readonly T[]) => new Map(rows.map((row) => [row.id, row]));

const present = (...ids: (number | null | undefined)[]) => [...new Set(ids.filter((id) => typeof id === 'number'))];

async function loadEntities(db: Db, actor: Actor, permission: Permission, wanted: number[], known: number[]) {
  const reach = reachOf(actor, permission);
  const { rows } = await sql<EntityFact>`
    select n.id, n.status, n.probation_months, (now() at time zone n.timezone)::date as today
    from entities n
    where n.id = any(${wanted}::bigint[]) and (${entitiesIn(reach, 'n.id')} or n.id = any(${known}::bigint[]))
    for share`.execute(db);
  return byId(rows);
}

async function loadDepartments(db: Db, actor: Actor, permission: Permission, wanted: number[], known: number[]) {
  const reach = reachOf(actor, permission);
  const { rows } = await sql<DepartmentFact>`
    select d.id, d.entity_id, d.status from departments d
    where d.id = any(${wanted}::bigint[]) and (${departmentsIn(actor, reach)} or d.id = any(${known}::bigint[]))
    for share`.execute(db);
  return byId(rows);
}

async function loadManagers(db: Db, actor: Actor, wanted: number[], known: number[]) {
  const { rows } = await sql<ManagerFact>`
    select e.id, e.activity_status = 'active' as is_active from employees e
    where e.id = any(${wanted}::bigint[]) and e.deleted_at is null
      and (${visiblePeople(actor)} or e.id = any(${known}::bigint[]))`.execute(db);
  return byId(rows);
}

/**
 * Reads what the rules need to know for one form, and holds company and department as they are until the end of the
 * transaction. What lies outside the scope of the permission counts as absent, unless it is what is stored already.
 */
export async function loadFacts(
  { db, actor }: { db: Db; actor: Actor },
  permission: Permission,
  sent: References,
  stored?: References,
): Promise<Facts> {
  const [entities, departments, managers] = (['entity_id', 'department_id', 'reporting_manager_id'] as const).map(
    (field) => ({ wanted: present(sent[field], stored?.[field]), known: present(stored?.[field]) }),
  ) as [Lookup, Lookup, Lookup];
  return {
    entities: await loadEntities(db, actor, permission, entities.wanted, entities.known),
    departments: await loadDepartments(db, actor, permission, departments.wanted, departments.known),
    managers: managers.wanted.length > 0 ? await loadManagers(db, actor, managers.wanted, managers.known) : new Map(),
    today: Temporal.Now.plainDateISO('UTC').toString(),
  };
}

type Lookup = { wanted: number[]; known: number[] };

const reportingLines = 7_365_042;

/** Lets one transaction at a time change who reports to whom, so that two of them cannot close a circle together. */
export const lockReportingLines = (db: Db) => sql`select pg_advisory_xact_lock(${reportingLines})`.execute(db);

/** Refuses a manager who, directly or not, reports to the person. */
export async function refuseManagerCycle(db: Db, personId: number, managerId: number): Promise<void> {
  await lockReportingLines(db);
  const { rows } = await sql<{ is_circle: boolean }>`
    with recursive above as (
      select id, reporting_manager_id from employees where id = ${managerId}
      union
      select e.id, e.reporting_manager_id from employees e join above on e.id = above.reporting_manager_id
    )
    select exists (select from above where id = ${personId}) as is_circle`.execute(db);
  if (rows[0]?.is_circle) throw invalid('reporting_manager_id', 'The selected :attribute reports to this person.');
}
