import { text } from '@tenure/contract';
import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import { reachOf } from '../access/actor.ts';
import type { Actor } from '../access/actor.ts';
import { departmentsIn, companiesNamed, visiblePeople } from '../access/scope.ts';
import type { Db } from '../db/connect.ts';
import { invalid } from '../http/errors.ts';
import type { RuleDepartment, RuleEntity, RuleContext, RuleManager } from './rules.ts';

/** The records that the fields of a form refer to. */
export type References = {
  entity_id: number | null | undefined;
  department_id: number | null | undefined;
  reporting_manager_id: number | null | undefined;
};

type InReach<T> = T & { in_reach: boolean };

const present = (...ids: (number | null | undefined)[]) => [...new Set(ids.filter((id) => typeof id === 'number'))];

async function loadEntities(db: Db, actor: Actor, permission: Permission, { wanted, known }: Lookup) {
  const within = companiesNamed(reachOf(actor, permission), 'n.id');
  const { rows } = await sql<InReach<RuleEntity>>`
    select n.id, n.status, n.probation_months, (now() at time zone n.timezone)::date as today, ${within} as in_reach
    from entities n
    where n.id = any(${wanted}::bigint[]) and (${within} or n.id = any(${known}::bigint[]))
    for share`.execute(db);
  return rows;
}

async function loadDepartments(db: Db, actor: Actor, permission: Permission, { wanted, known }: Lookup) {
  const within = departmentsIn(actor, reachOf(actor, permission));
  const { rows } = await sql<InReach<RuleDepartment>>`
    select d.id, d.entity_id, d.status, ${within} as in_reach from departments d
    where d.id = any(${wanted}::bigint[]) and (${within} or d.id = any(${known}::bigint[]))
    for share`.execute(db);
  return rows;
}

async function loadManagers(db: Db, actor: Actor, { wanted, known }: Lookup) {
  if (wanted.length === 0) return [];
  const { rows } = await sql<InReach<RuleManager>>`
    select e.id, e.activity_status <> 'inactive' as is_employed,
      (${visiblePeople(actor)}) is true as in_reach from employees e
    where e.id = any(${wanted}::bigint[]) and e.deleted_at is null
      and (${visiblePeople(actor)} or e.id = any(${known}::bigint[]))
    order by e.id for share of e`.execute(db);
  return rows;
}

/** The references valid for one record: those in scope, and the stored ones. */
const countedFor = <T extends { id: number }>(rows: readonly InReach<T>[], stored: number | null | undefined) =>
  new Map(rows.filter(({ id, in_reach }) => in_reach || id === stored).map((row): [number, T] => [row.id, row]));

/**
 * Reads what the rules need for forms with the same input for several records, and locks companies, departments and
 * managers until the end of the transaction. Records outside the permission's scope count as absent, unless they are
 * already stored.
 */
export async function loadRuleContexts(
  { db, actor }: { db: Db; actor: Actor },
  permission: Permission,
  sent: References,
  records: readonly References[],
): Promise<(stored?: References) => RuleContext> {
  const [entities, departments, managers] = (['entity_id', 'department_id', 'reporting_manager_id'] as const).map(
    (field) => {
      const known = present(...records.map((stored) => stored[field]));
      return { wanted: present(sent[field], ...known), known };
    },
  ) as [Lookup, Lookup, Lookup];
  const found = {
    entities: await loadEntities(db, actor, permission, entities),
    departments: await loadDepartments(db, actor, permission, departments),
    managers: await loadManagers(db, actor, managers),
  };
  return (stored) => ({
    entities: countedFor(found.entities, stored?.entity_id),
    departments: countedFor(found.departments, stored?.department_id),
    managers: countedFor(found.managers, stored?.reporting_manager_id),
    today: Temporal.Now.plainDateISO('UTC').toString(),
  });
}

/** The same for one form: a new record, or one with `stored` values. */
export async function loadRuleContext(
  ctx: { db: Db; actor: Actor },
  permission: Permission,
  sent: References,
  stored?: References,
): Promise<RuleContext> {
  return (await loadRuleContexts(ctx, permission, sent, stored ? [stored] : []))(stored);
}

type Lookup = { wanted: number[]; known: number[] };

/** Whether a department is active. Locks it, so that it is not closed while a person returns to it. */
export async function isActiveDepartment(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`select from departments where id = ${id} and status = 'active' for share`.execute(db);
  return rows.length > 0;
}

const reportingLines = 7_365_042;

/** Locks reporting lines for one transaction at a time, so that two changes cannot form a cycle together. */
export const lockReportingLines = (db: Db) => sql`select pg_advisory_xact_lock(${reportingLines})`.execute(db);

/** A manager and all managers above; locks the reporting lines until the end of the transaction. */
export async function chainFrom(db: Db, managerId: number): Promise<ReadonlySet<number>> {
  await lockReportingLines(db);
  const { rows } = await sql<{ id: number }>`
    with recursive above as (
      select id, reporting_manager_id from employees where id = ${managerId}
      union
      select e.id, e.reporting_manager_id from employees e join above on e.id = above.reporting_manager_id
    )
    select id from above`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Refuses a change if the person is in the new manager's management chain. */
export function refuseCircle(chain: ReadonlySet<number>, personId: number): void {
  if (chain.has(personId)) throw invalid('reporting_manager_id', text('employees.manager_is_report'));
}

/** Refuses a manager who reports to the person, directly or indirectly. */
export async function refuseManagerCycle(db: Db, personId: number, managerId: number): Promise<void> {
  refuseCircle(await chainFrom(db, managerId), personId);
}
