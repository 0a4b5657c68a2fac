import { adminOnlyPermissions } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { changingRights } from '../access/growth.ts';
import { endRolesOf, heldBy, lockPeople, recordRoleChanges } from '../access/provider-roles.ts';
import { isByRule } from '../access/role-sources.ts';
import type { RoleSource } from '../access/role-sources.ts';
import type { Acting } from '../audit.ts';
import type { Db } from '../db/connect.ts';
import { isToCheck, withholdRoles } from '../access/withheld-roles.ts';
import type { Provider } from './providers.ts';

/**
 * The roles that rules assign by group. A single query defines them, so that a preview, a sign-in, a SCIM change and
 * the job that applies changed rules cannot differ.
 */

/** A rule as the query reads it. */
export type StoredRule = {
  value: string;
  role_id: number;
  entity_ids: number[] | null;
  department_ids: number[] | null;
};

/** The name of a source in queries. */
type Named = Pick<RoleSource, 'kind' | 'id'>;

/** The stored rules of all sources. */
export const storedRules = sql`
  select 'identity_provider' as kind, provider_id as source_id, value, role_id, entity_ids, department_ids from role_rules
  union all
  select 'scim_connection', connection_id, value, role_id, entity_ids, department_ids from scim_role_rules`;

/** The stored rules of one source. */
export const rulesOf = ({ kind, id }: Named): RawBuilder<unknown> =>
  sql`select * from (${storedRules}) as r where kind = ${kind} and source_id = ${id}`;

/** Rules of one source that are not stored. */
export const asRules = ({ kind, id }: Named, rules: readonly StoredRule[]): RawBuilder<unknown> => sql`
  select ${kind}::text as kind, ${id}::bigint as source_id, value, role_id, entity_ids, department_ids
  from jsonb_to_recordset(${JSON.stringify(rules)}::jsonb)
    as t (value text, role_id bigint, entity_ids bigint[], department_ids bigint[])`;

/** The stored rules, with those of one source replaced. */
export const rulesWith = (source: Named, rules: readonly StoredRule[]): RawBuilder<unknown> => sql`
  select * from (${storedRules}) as r where (kind, source_id) <> (${source.kind}::text, ${source.id}::bigint)
  union all ${asRules(source, rules)}`;

/** A role that rules may assign: not Admin, and none with rights reserved for administrators. */
export const isGivable = (role: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  not (${role}.is_system and ${role}.name = 'Admin')
  and not exists (select from role_permissions x
                  where x.role_id = ${role}.id and x.permission = any(${adminOnlyPermissions}::text[])))`;

/** True for a rule `r` of a role `o` that reaches no farther than its source `p`. */
const isWithinSource = sql<boolean>`(
  p.entity_ids is null or o.scope = 'own'
  or r.entity_ids <@ p.entity_ids
     and not exists (select from departments d where d.id = any(r.department_ids) and d.entity_id <> all(p.entity_ids)))`;

/** The first rule that reaches farther than a source with these companies may. */
export async function findRuleOutside(
  db: Db,
  entityIds: readonly number[] | null,
  rules: RawBuilder<unknown>,
): Promise<Pick<StoredRule, 'value' | 'role_id'> | undefined> {
  const { rows } = await sql<Pick<StoredRule, 'value' | 'role_id'>>`
    select r.value, r.role_id from (${rules}) as r join roles o on o.id = r.role_id,
      (select ${entityIds}::bigint[] as entity_ids) as p
    where ${isWithinSource} is not true limit 1`.execute(db);
  return rows[0];
}

/** The accounts linked to a source. */
export const accountsLinkedTo = ({ kind, id }: Named): RawBuilder<unknown> =>
  kind === 'identity_provider'
    ? sql`select l.user_id from user_identities l where l.provider_id = ${id}`
    : sql`select l.user_id from scim_users l where l.connection_id = ${id} and l.user_id is not null`;

/** The sources that assign roles now, with their companies. */
const sources = sql`
  select 'identity_provider' as kind, id, entity_ids from identity_providers where is_enabled and groups_claim is not null
  union all
  select 'scim_connection', id, entity_ids from scim_connections where is_enabled`;

/** The links `i` of accounts, with the groups known to their sources: of the last sign-in, or the current ones. */
const groupsOfLinks = (isMeant: RawBuilder<unknown>) => sql`
  select i.user_id, 'identity_provider' as kind, i.provider_id as source_id, g.value, '{}'::bigint[] as withheld_roles
  from user_identities i cross join lateral unnest(i.groups) as g (value)
  where ${isMeant}
  union all
  (
    -- members first: all people beside all groups of their connection would be a thousand times as many rows
    with member as materialized (
      select i.user_id, i.connection_id, i.withheld_roles, m.group_id
      from scim_users i join scim_members m on m.scim_user_id = i.id
      where ${isMeant}
    )
    select i.user_id, 'scim_connection', i.connection_id, g.display_name, i.withheld_roles
    from member i join scim_groups g on g.id = i.group_id and g.connection_id = i.connection_id
  )`;

type Wanting = {
  rules?: RawBuilder<unknown>;
  /** Roles that a rule `r` does not assign through the link `i`; by default none. */
  isWithheld?: RawBuilder<unknown>;
};

/**
 * The roles that rules assign to the accounts that match a condition on the link `i`, by the known groups: user_id,
 * role_id, provider_id, scim_connection_id, entity_ids, department_ids. Several rules for a role are combined. If
 * several sources assign the same role, one decides: a provider before a connection, then the lowest id.
 */
export const wantedRoles = (
  isMeant: RawBuilder<unknown>,
  { rules = storedRules, isWithheld = sql`r.role_id = any(i.withheld_roles)` }: Wanting = {},
) => sql`
  -- once for each rule, not for each person
  with givable as materialized (
    select r.*, p.entity_ids as of_entities
    from (${rules}) as r
    join (${sources}) as p on p.kind = r.kind and p.id = r.source_id
    join roles o on o.id = r.role_id and ${isGivable(sql`o`)} and ${isWithinSource}
  ), seen as materialized (
    select l.*, e.entity_id
    from (${groupsOfLinks(isMeant)}) as l
    join employees e on e.user_id = l.user_id and e.deleted_at is null
  ), given as (
    select i.user_id, r.role_id, r.kind, r.source_id, bool_or(r.entity_ids is null) as is_unlimited,
           coalesce(array_agg(distinct c order by c) filter (where c is not null), '{}') as entity_ids,
           array_agg(distinct d order by d) filter (where d is not null) as department_ids
    from seen i
    join givable r on r.kind = i.kind and r.source_id = i.source_id and r.value = i.value
      and (r.of_entities is null or i.entity_id = any(r.of_entities)) and not ${isWithheld}
    left join lateral unnest(r.entity_ids) as c on true
    left join lateral unnest(r.department_ids) as d on true
    group by i.user_id, r.role_id, r.kind, r.source_id
  ), limited as (
    select w.user_id, w.role_id, w.kind, w.source_id, case when not w.is_unlimited then w.entity_ids end as entity_ids,
           case when not w.is_unlimited and w.department_ids is not null then (
             -- a company that is named as a whole is not limited to some of its departments
             select array_agg(d.id order by d.id) from departments d
             where d.id = any(w.department_ids) and d.entity_id <> all(w.entity_ids)) end as department_ids
    from given w
  )
  select distinct on (l.user_id, l.role_id) l.user_id, l.role_id, l.entity_ids, l.department_ids,
         case l.kind when 'identity_provider' then l.source_id end as provider_id,
         case l.kind when 'scim_connection' then l.source_id end as scim_connection_id
  from limited l
  where l.entity_ids is null or cardinality(l.entity_ids) > 0 or l.department_ids is not null
  order by l.user_id, l.role_id, l.kind, l.source_id`;

type Place = 'w' | 'a';
/** True when the limits of one assignment lie within those of another. */
const liesWithin = (one: Place, other: Place) => {
  const [a, b] = [sql.ref(one), sql.ref(other)];
  return sql<boolean>`(
    ${b}.entity_ids is null
    or coalesce(${a}.entity_ids <@ ${b}.entity_ids, false)
       and (${a}.department_ids is null or not exists (select from departments d where d.id = any(${a}.department_ids)
                       and d.id <> all(coalesce(${b}.department_ids, '{}')) and d.entity_id <> all(${b}.entity_ids))))`;
};

/**
 * What people gain and lose if `wanted` is stored: user_id, role_id, gains, losses. A role whose limits change may be
 * both. A role that was assigned by hand stays unchanged.
 */
export const movesTo = (wanted: RawBuilder<unknown>, isMeant: RawBuilder<unknown>) => sql`
  select coalesce(w.user_id, a.user_id) as user_id, coalesce(w.role_id, a.role_id) as role_id,
         w.user_id is not null and (a.user_id is null or not ${liesWithin('w', 'a')}) as gains,
         a.user_id is not null and (w.user_id is null or not ${liesWithin('a', 'w')}) as losses
  from (${wanted}) as w
  full join (select * from role_assignments i where ${isMeant}) as a on a.user_id = w.user_id and a.role_id = w.role_id
  where (a.user_id is null or ${isByRule('a')})
    and (a.user_id is null or w.user_id is null
         or (a.provider_id, a.scim_connection_id, a.entity_ids, a.department_ids)
            is distinct from (w.provider_id, w.scim_connection_id, w.entity_ids, w.department_ids))`;

/**
 * The roles that the rules of SCIM connections would assign to accounts that do not have them, ignoring what is
 * withheld: user_id, role_id, entity_ids, department_ids.
 */
const offered = (isMeant: RawBuilder<unknown>) => sql`
  select w.user_id, w.role_id, w.entity_ids, w.department_ids
  from (${wantedRoles(isMeant, { isWithheld: sql`false` })}) as w
  left join role_assignments a on a.user_id = w.user_id and a.role_id = w.role_id
  where w.scim_connection_id is not null and (a.user_id is null or ${isByRule('a')} and not ${liesWithin('w', 'a')})`;

const accounts = (userIds: readonly number[]) => sql`i.user_id = any(${userIds}::bigint[])`;

/** Stores what the rules assign to accounts now; a role that was assigned by hand stays unchanged. */
async function reconcile(db: Db, userIds: readonly number[]): Promise<void> {
  const wanted = wantedRoles(accounts(userIds));
  await sql`
    with wanted as materialized (${wanted}), gone as (
      delete from role_assignments a
      where ${isByRule('a')} and a.user_id = any(${userIds}::bigint[])
        and not exists (select from wanted w where w.user_id = a.user_id and w.role_id = a.role_id)
    )
    insert into role_assignments as a
      (user_id, role_id, provider_id, scim_connection_id, entity_ids, department_ids, source)
    select w.user_id, w.role_id, w.provider_id, w.scim_connection_id, w.entity_ids, w.department_ids,
           -- the release before leaves alone what it takes for given by hand
           case when w.provider_id is null then 'manual' else 'provider' end
    from wanted w
    on conflict (user_id, role_id) do update
    set provider_id = excluded.provider_id, scim_connection_id = excluded.scim_connection_id,
        entity_ids = excluded.entity_ids, department_ids = excluded.department_ids, source = excluded.source
    where ${isByRule('a')} and (a.provider_id, a.scim_connection_id, a.entity_ids, a.department_ids)
      is distinct from (excluded.provider_id, excluded.scim_connection_id, excluded.entity_ids,
                        excluded.department_ids)`.execute(db);
}

/** A person was linked to another provider after the providers were locked; the transaction starts over. */
export class LinkedMeanwhile extends Error {}

/** Refuses to assign roles by the groups of providers that are not locked. */
async function requireHeld(db: Db, userIds: readonly number[], held: ReadonlySet<number>): Promise<void> {
  const { rows } = await sql`
    select from user_identities i join identity_providers p on p.id = i.provider_id
    where i.user_id = any(${userIds}::bigint[]) and i.groups is not null and p.is_enabled
      and p.id <> all(${[...held]}::bigint[]) limit 1`.execute(db);
  if (rows.length > 0) throw new LinkedMeanwhile();
}

type Move = {
  user_id: number;
  /** Its link to a SCIM connection must be checked. */
  is_judged: boolean;
};

/** The accounts whose roles the rules change now. */
async function movesAmong(db: Db, userIds: readonly number[], wanting?: Wanting): Promise<Move[]> {
  const isMeant = accounts(userIds);
  const { rows } = await sql<Move>`
    select distinct m.user_id, exists (select from scim_users s where s.user_id = m.user_id and ${isToCheck}) as is_judged
    from (${movesTo(wantedRoles(isMeant, wanting), isMeant)}) as m`.execute(db);
  return rows;
}

type RoleContext = Pick<Acting, 'db' | 'request'> & {
  /** The ids of the locked providers, if not all are locked. */
  held?: ReadonlySet<number>;
};

/** Assigns and removes what the rules say about these accounts now. Returns how many people's roles changed. */
export async function reconcileRuleRoles(context: RoleContext, userIds: readonly number[], reason: string) {
  const { db, held } = context;
  // read after the people are locked, so that the second of two changes sees the first
  await lockPeople(db, userIds);
  if (held) await requireHeld(db, userIds, held);
  let moves = await movesAmong(db, userIds, { isWithheld: sql`false` });
  const checked = moves.filter(({ is_judged }) => is_judged).map(({ user_id }) => user_id);
  if (checked.length > 0) {
    await withholdRoles(context, checked, offered(accounts(checked)));
    moves = await movesAmong(db, userIds);
  }
  const moving = moves.map(({ user_id }) => user_id);
  if (moving.length === 0) return 0;
  const before = await heldBy(db, moving);
  await changingRights(db, moving, () => reconcile(db, moving));
  return recordRoleChanges(context, before, reason);
}

type Link = { id: number; user_id: number };

/**
 * Stores the groups of a sign-in, and assigns and removes roles accordingly. A sign-in without a list of groups changes
 * nothing, because it does not mean that the person has none.
 */
export async function applyGroups(
  context: RoleContext,
  provider: Pick<Provider, 'name'>,
  { id, user_id }: Link,
  groups: readonly string[] | null,
): Promise<void> {
  const { db } = context;
  if (groups === null) {
    await sql`
      update user_identities set groups_missing_at = coalesce(groups_missing_at, now()) where id = ${id}`.execute(db);
    return;
  }
  await sql`
    update user_identities set groups = ${groups}::text[], groups_missing_at = null where id = ${id}`.execute(db);
  await reconcileRuleRoles(context, [user_id], `Groups of ${provider.name}`);
}

/** Deletes the groups of a provider's people, and removes the roles that they gave. */
export async function deleteGroupRoles(
  context: RoleContext,
  { id, name }: Pick<Provider, 'id' | 'name'>,
): Promise<void> {
  await endRolesOf(context, { kind: 'identity_provider', id, name });
  await sql`
    update user_identities set groups = null, groups_missing_at = null
    where provider_id = ${id} and (groups is not null or groups_missing_at is not null)`.execute(context.db);
}
