import type { RoleRule, RoleRules } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { isLimitable, isLimitableToDepartments, loadRoles } from '../../people/roles.ts';
import { isGivable } from '../../sso/role-rules.ts';
import type { StoredProvider } from '../identity-providers/queries.ts';

/** How many of the groups that were seen are offered. */
const mostSeen = 500;

const refs = (table: 'entities' | 'departments', ids: ReturnType<typeof sql>) => sql`
  (select coalesce(json_agg(json_build_object('id', l.id, 'name', l.name) order by l.name_sort, l.id), '[]')
   from ${sql.table(table)} l where l.id = any(${ids}))`;

type Row = Omit<RoleRule, 'departments'> & { departments: NonNullable<RoleRule['departments']> | null };

async function listRules(db: Db, id: number): Promise<RoleRule[]> {
  const { rows } = await sql<Row>`
    select r.value, json_build_object('id', o.id, 'name', o.name) as role, o.scope, o.managed_depth,
           case when r.entity_ids is not null then ${refs('entities', sql`r.entity_ids`)} end as entities,
           case when r.department_ids is not null then ${refs('departments', sql`r.department_ids`)} end as departments
    from role_rules r join roles o on o.id = r.role_id
    where r.provider_id = ${id} order by fold(r.value), r.value, o.name`.execute(db);
  return rows.map(({ departments, ...rule }) => ({ ...rule, ...(departments && { departments }) }));
}

type Seen = Pick<RoleRules, 'seen' | 'known' | 'unknown' | 'entities'>;

async function whatWasSeen(db: Db, { id, entity_ids }: StoredProvider): Promise<Seen> {
  const { rows } = await sql<Seen>`
    select (select coalesce(json_agg(json_build_object('value', s.value, 'people', s.people)), '[]') from (
              select g as value, count(*)::int as people from user_identities i, unnest(i.groups) as g
              where i.provider_id = ${id} group by g order by count(*) desc, g limit ${mostSeen}) as s) as seen,
           count(*) filter (where i.groups is not null)::int as known,
           count(*) filter (where i.groups is null)::int as unknown,
           case when ${entity_ids}::bigint[] is not null then ${refs('entities', sql`${entity_ids}::bigint[]`)} end
             as entities
    from user_identities i where i.provider_id = ${id}`.execute(db);
  return rows[0] as Seen;
}

/** The roles that a rule may give. */
async function givableRoles(db: Db): Promise<RoleRules['roles']> {
  const { rows } = await sql<{ id: number }>`select o.id from roles o where ${isGivable(sql`o`)}`.execute(db);
  const givable = new Set(rows.map(({ id }) => id));
  return (await loadRoles(db))
    .filter(({ id }) => givable.has(id))
    .map((role) => ({
      id: role.id,
      name: role.name,
      limitable: isLimitable(role),
      in_departments: isLimitableToDepartments(role),
    }));
}

/** The rules of a provider, with what there is to choose from. */
export async function readRules(db: Db, provider: StoredProvider): Promise<RoleRules> {
  const { groups_claim, revision } = provider;
  return {
    groups_claim,
    rules: await listRules(db, provider.id),
    ...(await whatWasSeen(db, provider)),
    roles: await givableRoles(db),
    revision,
  };
}
