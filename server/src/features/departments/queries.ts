import { departmentRows } from '@tenure/contract';
import type { Department, departments, Permission, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { knownReviews } from '../../access/scope.ts';
import { every, holdsWords, orderedBy, selectPage } from '../../db/lists.ts';
import { personRefTo, refTo } from '../../db/refs.ts';
import { columnsOf } from '../../db/row-columns.ts';
import { filtersBy, searchedIn, sortsOf } from '../../db/row-lists.ts';
import type { Departments } from '../../db/schema.ts';
import type { ReadCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { can, departmentsFor } from './policy.ts';
import { allColumns } from '../../db/all-columns.ts';
import { storedRules } from '../../sso/role-rules.ts';

type Stored = Omit<Department, 'allowed_actions'> & { is_unused: boolean };
export type DepartmentRecord = Selectable<Departments>;
type ListQuery = QueryOut<typeof departments.list>;

const tables = sql`departments d
  join entities n on n.id = d.entity_id
  left join departments p on p.id = d.parent_id
  left join employees m on m.id = d.manager_id
  left join employees t on t.id = d.team_lead_id`;

// includes deleted people; each kind is queried separately because it has its own index
const isUnused = sql`
  not exists (select from departments c where c.parent_id = d.id)
  and not exists (select from employees e where e.department_id = d.id and e.deleted_at is null)
  and not exists (select from employees e where e.department_id = d.id and e.deleted_at is not null)
  and not exists (select from job_history h where h.department_id = d.id)
  and not exists (select from kpi_cycle_departments r where r.department_id = d.id)
  and not exists (select from kpi_evaluations v where v.department_id = d.id)
  and not exists (select from probation_reviews v where v.department_id = d.id)
  and not exists (select from role_assignments a where d.id = any(a.department_ids))
  and not exists (select from (${storedRules}) as r where d.id = any(r.department_ids))`;

const columns = columnsOf<Departments, typeof departmentRows>(departmentRows, {
  of: 'd',
  made: {
    entity: refTo('n'),
    parent: refTo('p'),
    manager: personRefTo('m'),
    team_lead: personRefTo('t'),
    employees_count: sql`(select coalesce(sum(c.people), 0)::bigint from employee_counts c
      where c.level = 'department' and c.key_id = d.id and c.activity_status = 'active')`,
    children_count: sql`(select count(*) from departments c where c.parent_id = d.id)`,
  },
  others: { revision: true, created_at: true, updated_at: true, name_sort: false },
});
const read = sql`${columns}, ${isUnused} as is_unused`;

const sorts = {
  ...sortsOf(departmentRows, 'd'),
  // users spell department codes as they like
  code: sql`fold(d.code) collate "C"`,
  entity_name: sql`n.name_sort`,
  created_at: sql`d.created_at`,
};
const filters = filtersBy(departmentRows, 'd');
const searched = [...searchedIn(departmentRows, 'd'), sql`m.name`];

function listOf(actor: Actor, query: ListQuery) {
  const where = every([
    departmentsFor(actor, 'departments.view'),
    ...filters(query),
    ...holdsWords(searched, query.search),
  ]);
  const order = orderedBy(sorts[query.sort_by ?? 'name'], query.sort_direction, sql`d.id`);
  return {
    rows: sql<Stored>`select ${read} from ${tables} where ${where} ${order}`,
    total: sql`select count(*) from departments d left join employees m on m.id = d.manager_id where ${where}`,
  };
}

const withActions = (actor: Actor, rows: readonly Stored[]): Department[] => {
  const actions = can(actor);
  return rows.map(({ is_unused, ...row }) => ({ ...row, allowed_actions: actions({ ...row, is_unused }) }));
};

/** A page of the departments that the actor sees. */
export async function listDepartments({ db, actor }: ReadCtx, query: ListQuery) {
  const { rows, total } = await selectPage(db, query, listOf(actor, query));
  return { rows: withActions(actor, rows), total };
}

/** All departments of a list with the employee numbers of their heads, for an export. */
export async function allDepartments({ db, actor }: ReadCtx, query: ListQuery): Promise<Stored[]> {
  return (await listOf(actor, query).rows.execute(db)).rows;
}

/** Throws 404 for a department that the actor does not see. */
export async function findDepartment({ db, actor }: ReadCtx, id: number): Promise<void> {
  const { rows } = await sql`
    select from departments d where d.id = ${id} and ${departmentsFor(actor, 'departments.view')}`.execute(db);
  if (rows.length === 0) throw notFound();
}

/** Finds and locks the department of a path for a change. Throws 404 outside the permission's scope. */
export async function lockDepartment(
  { db, actor }: ReadCtx,
  id: number,
  permission: Permission,
): Promise<DepartmentRecord> {
  const { rows } = await sql<DepartmentRecord>`
    select ${allColumns('departments', 'd')} from departments d where d.id = ${id} and ${departmentsFor(actor, permission)} for update`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

/** A department as a response; the caller has checked its visibility. */
export async function readDepartment({ db, actor }: ReadCtx, id: number): Promise<Department> {
  const { rows } = await sql<Stored>`select ${read} from ${tables} where d.id = ${id}`.execute(db);
  const [department] = withActions(actor, rows);
  if (!department) throw notFound();
  return department;
}

export type Blockers = {
  people: number;
  children: number;
  history: number;
  cycles: number;
  evaluations: number;
  reviews: number;
  roles: number;
};

/** References to a department that the actor can know about; deleted people count. */
export async function blockersOf({ db, actor }: ReadCtx, id: number): Promise<Blockers> {
  const { rows } = await sql<Blockers>`
    select (select count(*) from employees where department_id = ${id}) as people,
           (select count(*) from departments where parent_id = ${id}) as children,
           (select count(*) from job_history where department_id = ${id}) as history,
           (select count(*) from kpi_cycle_departments where department_id = ${id}) as cycles,
           (select count(*) from kpi_evaluations where department_id = ${id}) as evaluations,
           (select count(*) from probation_reviews v where v.department_id = ${id} and ${knownReviews(actor)}) as reviews,
           (select count(*) from role_assignments where ${id} = any(department_ids))
             + (select count(*) from (${storedRules}) as r where ${id} = any(department_ids)) as roles`.execute(db);
  return rows[0] as Blockers;
}
