import type { RoleRule, RoleRules } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { loadRoles } from '../../access/given-roles.ts';
import { isLimitable, isLimitableToDepartments } from '../../people/roles.ts';
import { isGivable, rulesOf } from '../../sso/role-rules.ts';
import type { RulesOwner } from './owners.ts';

/** The maximum number of offered groups. */
const maxSeen = 500;

const refs = (table: 'entities' | 'departments', ids: ReturnType<typeof sql>) => sql`
  (select coalesce(json_agg(json_build_object('id', l.id, 'name', l.name) order by l.name_sort, l.id), '[]')
   from ${sql.table(table)} l where l.id = any(${ids}))`;

type Row = Omit<RoleRule, 'departments'> & { departments: NonNullable<RoleRule['departments']> | null };

async function listRules(db: Db, owner: RulesOwner): Promise<RoleRule[]> {
  const { rows } = await sql<Row>`
    select r.value, json_build_object('id', o.id, 'name', o.name) as role, o.scope, o.managed_depth,
           case when r.entity_ids is not null then ${refs('entities', sql`r.entity_ids`)} end as entities,
           case when r.department_ids is not null then ${refs('departments', sql`r.department_ids`)} end as departments
    from (${rulesOf(owner)}) as r join roles o on o.id = r.role_id
    order by fold(r.value), r.value, o.name`.execute(db);
  return rows.map(({ departments, ...rule }) => ({ ...rule, ...(departments && { departments }) }));
}

type Seen = Pick<RoleRules, 'seen' | 'known' | 'unknown' | 'entities'>;

/** The groups of the people linked to an owner, and the number of these people. */
const known = {
  identity_provider: (id: number) => ({
    groups: sql`select g as value, i.user_id from user_identities i, unnest(i.groups) as g where i.provider_id = ${id}`,
    links: sql`select i.groups is not null as is_known from user_identities i where i.provider_id = ${id}`,
  }),
  scim_connection: (id: number) => ({
    // a group without members can have a rule, too
    groups: sql`
      select left(g.display_name, 255) as value, s.user_id from scim_groups g
      left join (scim_members m join scim_users s on s.id = m.scim_user_id and s.user_id is not null)
        on m.group_id = g.id and s.connection_id = g.connection_id
      where g.connection_id = ${id}`,
    links: sql`select true as is_known from scim_users s where s.connection_id = ${id} and s.user_id is not null`,
  }),
};

async function whatWasSeen(db: Db, { kind, id, entity_ids }: RulesOwner): Promise<Seen> {
  const { groups, links } = known[kind](id);
  const { rows } = await sql<Seen>`
    select (select coalesce(json_agg(json_build_object('value', s.value, 'people', s.people)), '[]') from (
              select g.value, count(distinct g.user_id)::int as people from (${groups}) as g
              group by g.value order by count(distinct g.user_id) desc, g.value limit ${maxSeen}) as s) as seen,
           count(*) filter (where l.is_known)::int as known,
           count(*) filter (where not l.is_known)::int as unknown,
           case when ${entity_ids}::bigint[] is not null then ${refs('entities', sql`${entity_ids}::bigint[]`)} end
             as entities
    from (${links}) as l`.execute(db);
  return rows[0] as Seen;
}

/** The roles that a rule can give. */
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

/** The rules of an owner, with the available choices. */
export async function readRules(db: Db, owner: RulesOwner): Promise<RoleRules> {
  const { groups_claim, revision } = owner;
  return {
    groups_claim,
    rules: await listRules(db, owner),
    ...(await whatWasSeen(db, owner)),
    roles: await givableRoles(db),
    revision,
  };
}
