import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor, ManagedDepth, Reach } from '../../access/actor.ts';
import { either } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { every } from '../../db/lists.ts';

/**
 * Visibility of HR tasks: holders of a permission by a role other than Admin see subjects in their scope;
 * administrators see the subjects no holder covers.
 */

type Condition = RawBuilder<SqlBool>;

/** Companies by their ids: only these, or all except these. */
type Companies = { only: readonly number[] } | { except: readonly number[] };

/** The columns of a row that decide whether a scope covers it. */
export type SubjectColumns = {
  entity: RawBuilder<unknown>;
  department: RawBuilder<unknown>;
  employee: RawBuilder<unknown>;
  /** People whose submission or request awaits HR and who therefore do not act for HR: ids, or null. */
  authors?: readonly RawBuilder<unknown>[];
};

/** A part of a pool: whole companies, and single rows of the others. */
export type Share = {
  companies: Companies;
  rows?: (columns: SubjectColumns) => Condition | undefined;
  /** Rows excluded from it. */
  except?: (columns: SubjectColumns) => Condition;
};

/** The parts of each permission's pool that an actor sees; no row is in two of them. */
export type Shares = ReadonlyMap<Permission, readonly Share[]>;

const list = (ids: readonly number[]) => sql`${ids}::bigint[]`;

export const companiesIn = ({ companies }: Share, entity: RawBuilder<unknown>): Condition =>
  'only' in companies
    ? sql<SqlBool>`${entity} = any(${list(companies.only)})`
    : sql<SqlBool>`${entity} <> all(${list(companies.except)})`;

export const hasCompanies = ({ companies }: Share) => 'except' in companies || companies.only.length > 0;

const coversAll = ({ companies }: Share) => 'except' in companies && companies.except.length === 0;

/** Rows without a company belong to holders with all companies. */
export const coversGlobal = ({ companies }: Share) => 'except' in companies;

type Rows = (columns: SubjectColumns) => Condition;

/** The part that an actor sees through roles other than Admin. */
function shareOf(actor: Actor, permission: Permission): Share {
  const reach = reachOf({ ...actor, grants: actor.grants.filter(({ role }) => role !== 'Admin') }, permission);
  const companies = reach.everything ? { except: [] } : { only: reach.entity_ids };
  const parts: Rows[] = [...inDepartments(reach.department_ids), ...managedRows(actor, reach)];
  if (parts.length === 0 || reach.everything) return { companies };
  return { companies, rows: (columns) => either(parts.map((part) => part(columns))) };
}

/** Rows of the departments that an HR role is limited to, and about people who are in them today. */
const inDepartments = (ids: readonly number[]): Rows[] =>
  ids.length === 0
    ? []
    : [
        ({ department, employee }) => sql<SqlBool>`(${department} = any(${list(ids)})
          or ${employee} = any(array(select p.id from employees p where p.department_id = any(${list(ids)}))))`,
      ];

/** Rows about managed people and of managed departments. */
function managedRows(actor: Actor, reach: Reach): Rows[] {
  const { employee_id: me, managed_departments: departments } = actor;
  if (!reach.managed || me === null) return [];
  const within = (entity: RawBuilder<unknown>, limits: readonly number[] | null) =>
    limits === null ? sql`` : sql`and ${entity} = any(${list(limits)})`;
  return [
    ({ entity, department, employee }) => sql<SqlBool>`(
      ((${department} = any(${list(departments)})
         or ${employee} = any(array(
           select p.id from employees p
           where p.reporting_manager_id = ${me} or p.department_id = any(${list(departments)}))))
        ${within(entity, reach.managed_entity_ids)}
       or ${employee} = any(array(
         select p.id from employees p
         where p.reporting_manager_id = any(${list(actor.managers_below)}) and p.id <> ${me}))
        ${within(entity, reach.tree_entity_ids)})
      and coalesce(${employee} <> all(${list(actor.superiors)}), true))`,
  ];
}

type Holder = {
  permission: Permission;
  employee_id: number | null;
  scope: 'managed' | 'all';
  managed_depth: ManagedDepth;
  entity_ids: number[] | null;
  department_ids: number[] | null;
};

/** Users who hold one of the permissions through a role other than Admin and can be notified. */
async function holdersOf(db: Db, permissions: readonly Permission[]): Promise<Holder[]> {
  const { rows } = await sql<Holder>`
    select distinct p.permission, u.employee_id, r.scope, r.managed_depth, a.entity_ids, a.department_ids
    from role_permissions p
    join roles r on r.id = p.role_id and r.scope in ('all', 'managed') and not (r.is_system and r.name = 'Admin')
    join role_assignments a on a.role_id = r.id
    -- looked up for each of these few, instead of for all reachable users
    cross join lateral (select employee_id from reachable_users where user_id = a.user_id offset 0) as u
    where p.permission = any(${permissions}::text[])`.execute(db);
  return rows;
}

/** People who do not act for HR on a row: the person it is about, and its authors. */
const partiesOf = ({ employee, authors = [] }: SubjectColumns) => [employee, ...authors];

/** True when one of these managers, other than a party, manages the row. */
const managedBy = (managers: readonly Holder[], columns: SubjectColumns) => {
  const { entity, department, employee } = columns;
  return sql<SqlBool>`exists (
  with recursive manager as (
    select * from jsonb_to_recordset(${JSON.stringify(managers)}::jsonb)
      as m (employee_id bigint, entity_ids bigint[], managed_depth text)
  ), line as materialized (
    select m.employee_id, m.entity_ids, b as id from manager m cross join managers_below(m.employee_id) as b
    where m.managed_depth = 'tree'
  ), managed as (
    select d.id, m.employee_id, m.entity_ids from departments d join manager m on m.employee_id = d.manager_id
    union
    select d.id, g.employee_id, g.entity_ids from departments d join managed g on g.id = d.parent_id
  ), held as (
    select null::bigint as department_id, employee_id, entity_ids from manager
    union all
    select id, employee_id, entity_ids from managed
    union all
    select d.id, m.employee_id, m.entity_ids from departments d join manager m on m.employee_id = d.team_lead_id
  )
  select from employees p join held h on h.employee_id <> all(array_remove(array[${sql.join(partiesOf(columns))}], null))
  where p.id = ${employee} and (h.entity_ids is null or ${entity} = any(h.entity_ids))
    and (p.reporting_manager_id = h.employee_id or h.department_id in (p.department_id, ${department})
      or exists (select from line l where l.id = p.reporting_manager_id and l.employee_id = h.employee_id
                   and (l.entity_ids is null or ${entity} = any(l.entity_ids))))
    and p.id not in (select superiors_of(h.employee_id)))`;
};

/** True when one of these holders in departments, other than a party, covers the row. */
const heldInDepartments = (partners: readonly Holder[], columns: SubjectColumns) => {
  const { department, employee } = columns;
  return sql<SqlBool>`exists (
  select from jsonb_to_recordset(${JSON.stringify(partners)}::jsonb) as h (employee_id bigint, department_ids bigint[])
  where coalesce(h.employee_id, 0) <> all(array_remove(array[${sql.join(partiesOf(columns))}], null))
    and lies_below(h.department_ids, array(
      select p.department_id from employees p where p.id = ${employee} union all select ${department})))`;
};

/** Holders who cover a company, or rows without a company. */
const covering = (holders: readonly Holder[], entityId: number | null) => [
  ...new Set(
    holders
      .filter(({ entity_ids: only }) => only === null || (entityId !== null && only.includes(entityId)))
      .map(({ employee_id }) => employee_id),
  ),
];

/** Administrators get the rows for which every holder is the subject or an author. */
function leftAlone(wide: readonly Holder[], named: readonly number[], columns: SubjectColumns): Condition | undefined {
  const parties = partiesOf(columns);
  const { entity } = columns;
  const rows = [...named, null].flatMap((entityId) => {
    const holders = covering(wide, entityId);
    if (holders.length === 0 || holders.length > parties.length || holders.includes(null)) return [];
    const here = entityId === null ? sql`<> all(${list(named)})` : sql`= ${entityId}`;
    const areParties = holders.map((holder) => sql<SqlBool>`${holder} in (${sql.join(parties)})`);
    return [every([...areParties, sql<SqlBool>`${entity} ${here}`])];
  });
  return rows.length > 0 ? either(rows) : undefined;
}

/** The rows that none of the holders covers. */
function uncovered(holders: readonly Holder[]): Share {
  const wide = holders.filter(({ scope }) => scope === 'all');
  const managers = holders.filter(({ scope, employee_id }) => scope === 'managed' && employee_id !== null);
  const partners = wide.filter(({ department_ids }) => department_ids !== null);
  const others: Rows[] = [
    ...(managers.length > 0 ? [(columns: SubjectColumns) => managedBy(managers, columns)] : []),
    ...(partners.length > 0 ? [(columns: SubjectColumns) => heldInDepartments(partners, columns)] : []),
  ];
  const named = [...new Set(wide.flatMap(({ entity_ids }) => entity_ids ?? []))];
  return {
    companies: covering(wide, null).length === 0 ? { except: named } : { only: [] },
    rows: (columns: SubjectColumns) => leftAlone(wide, named, columns),
    ...(others.length > 0 && { except: (columns: SubjectColumns) => either(others.map((other) => other(columns))) }),
  };
}

/** The parts of the pools of these permissions that an actor sees. */
export async function sharesOf(db: Db, actor: Actor, permissions: readonly Permission[]): Promise<Shares> {
  const own = permissions.map((permission) => ({ permission, share: shareOf(actor, permission) }));
  const open = own.filter(({ share }) => !coversAll(share)).map(({ permission }) => permission);
  const holders = actor.is_admin && open.length > 0 ? await holdersOf(db, open) : [];
  return new Map(
    own.map(({ permission, share }) => {
      const others = holders.filter((holder) => holder.permission === permission);
      return [permission, actor.is_admin && !coversAll(share) ? [share, uncovered(others)] : [share]];
    }),
  );
}
