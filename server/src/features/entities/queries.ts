import { entityRows } from '@tenure/contract';
import type { entities, Entity, EntityRow, Permission, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { knownReviews } from '../../access/scope.ts';
import { allColumns } from '../../db/all-columns.ts';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, oneOfIds, orderedBy, selectPage } from '../../db/lists.ts';
import { columnsOf } from '../../db/row-columns.ts';
import { filtersBy, searchedIn, sortsOf } from '../../db/row-lists.ts';
import type { Entities } from '../../db/schema.ts';
import type { ReadCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { can, entitiesFor } from './policy.ts';

type Stored = Omit<EntityRow, 'allowed_actions'> & { is_unused: boolean };
type ListQuery = QueryOut<typeof entities.list>;

// people of a company, including deleted ones, always belong to one of its departments
const isUnused = sql`
  not exists (select from departments d where d.entity_id = e.id)
  and not exists (select from job_history h where h.entity_id = e.id)
  and not exists (select from kpi_templates t where t.entity_id = e.id)
  and not exists (select from kpi_cycles c where c.entity_id = e.id)
  and not exists (select from kpi_evaluations v where v.entity_id = e.id)
  and not exists (select from probation_reviews v where v.entity_id = e.id)`;

const columns = columnsOf<Entities, typeof entityRows>(entityRows, {
  of: 'e',
  made: {
    departments_count: sql`(select count(*) from departments d where d.entity_id = e.id)`,
    employees_count: sql`(select coalesce(sum(c.people), 0)::bigint from employee_counts c
      where c.level = 'entity' and c.key_id = e.id and c.activity_status = 'active')`,
  },
  others: { revision: true, created_at: true, updated_at: true, name_sort: false },
});
const read = sql`${columns}, ${isUnused} as is_unused`;

const sorts = { ...sortsOf(entityRows, 'e'), created_at: sql`e.created_at` };
const filters = filtersBy(entityRows, 'e');
const searched = searchedIn(entityRows, 'e');

function listOf(actor: Actor, query: ListQuery) {
  const where = every([
    entitiesFor(actor, 'entities.view'),
    ...filters(query),
    ...oneOfIds(sql`e.id`, query.id),
    ...holdsWords(searched, query.search),
  ]);
  const order = orderedBy(sorts[query.sort_by ?? 'name'], query.sort_direction, sql`e.id`);
  return {
    rows: sql<Stored>`select ${read} from entities e where ${where} ${order}`,
    total: sql`select count(*) from entities e where ${where}`,
  };
}

const withActions = (actor: Actor, rows: readonly Stored[]): EntityRow[] => {
  const actions = can(actor);
  return rows.map(({ is_unused, ...row }) => ({ ...row, allowed_actions: actions({ id: row.id, is_unused }) }));
};

/** A page of the companies the actor sees. */
export async function listEntities(db: Db, actor: Actor, query: ListQuery) {
  const { rows, total } = await selectPage(db, query, listOf(actor, query));
  return { rows: withActions(actor, rows), total };
}

/** All companies of a list, for an export. */
export async function allEntities(db: Db, actor: Actor, query: ListQuery): Promise<Stored[]> {
  return (await listOf(actor, query).rows.execute(db)).rows;
}

/** Finds and locks the company of a path for a change. Throws 404 outside the permission's scope. */
export async function lockEntity(db: Db, actor: Actor, id: number, permission: Permission) {
  const { rows } = await sql<Selectable<Entities>>`
    select ${allColumns('entities', 'e')} from entities e where e.id = ${id} and ${entitiesFor(actor, permission)} for update`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

/** Refuses a company the actor does not see. */
export async function findEntity(db: Db, actor: Actor, id: number): Promise<void> {
  const { rows } = await sql`
    select from entities e where e.id = ${id} and ${entitiesFor(actor, 'entities.view')}`.execute(db);
  if (rows.length === 0) throw notFound();
}

/** Users with a role for exactly this company that decides evaluations or probation reviews, who can sign in. */
async function representatives(db: Db, entityId: number): Promise<Entity['hr_representatives']> {
  const { rows } = await sql<Entity['hr_representatives'][number]>`
    select u.id as user_id, p.id as employee_id, coalesce(p.name, u.email) as name
    from users u
    left join employees p on p.user_id = u.id
    where u.is_enabled and u.account_kind = 'person' and (p.id is null or may_sign_in(p.activity_status, p.early_access, p.deleted_at))
      and u.id in (
        select a.user_id from role_assignments a
        where ${entityId} = any(a.entity_ids) and exists (
          select from role_permissions r where r.role_id = a.role_id
          and r.permission in ('kpi-evaluation.hr-review', 'probation-review.approve')))
    order by name, u.id`.execute(db);
  return rows;
}

/** A company with everything that a single response contains; the caller has checked its visibility. */
export async function readEntity(db: Db, actor: Actor, id: number): Promise<Entity> {
  const { rows } = await sql<Stored>`select ${read} from entities e where e.id = ${id}`.execute(db);
  const [row] = withActions(actor, rows);
  if (!row) throw notFound();
  return { ...row, hr_representatives: await representatives(db, id) };
}

export type Blockers = {
  departments: number;
  people: number;
  history: number;
  templates: number;
  cycles: number;
  evaluations: number;
  reviews: number;
};

/** References to a company that the actor can know about; deleted people count. */
export async function blockersOf({ db, actor }: ReadCtx, id: number): Promise<Blockers> {
  const { rows } = await sql<Blockers>`
    select (select count(*) from departments where entity_id = ${id}) as departments,
           (select count(*) from employees where entity_id = ${id}) as people,
           (select count(*) from job_history where entity_id = ${id}) as history,
           (select count(*) from kpi_templates where entity_id = ${id}) as templates,
           (select count(*) from kpi_cycles where entity_id = ${id}) as cycles,
           (select count(*) from kpi_evaluations where entity_id = ${id}) as evaluations,
           (select count(*) from probation_reviews v where v.entity_id = ${id} and ${knownReviews(actor)}) as reviews`.execute(
    db,
  );
  return rows[0] as Blockers;
}
