import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { forbidden } from '../http/errors.ts';
import { reachesEntity, reachOf } from './actor.ts';
import type { Grant, Holder, Reach, RoleScope } from './actor.ts';
import { managedDepartmentsOf, managedPeopleOf } from './scope.ts';

/**
 * Somebody who can become another account may do all it may. So whoever gives or changes a way into an account must be
 * allowed everything that account is: each of its permissions, wherever it reaches.
 */

type Right = { reach: Reach; scope: RoleScope };

/** What a grant comes to for each of its permissions, beside what the holder may do with that permission. */
export function everyRight(
  holder: Pick<Holder, 'grants'>,
  { permissions, scope }: Pick<Grant, 'permissions' | 'scope'>,
  lies: (right: Right) => boolean,
): boolean {
  const plain = (permission: Permission) => reachOf(holder, permission);
  const seen = () => reachOf(holder, 'employees.view', 'employees.view_all');
  const seesAll = permissions.has('employees.view_all');
  if (seesAll && !lies({ reach: seen(), scope: 'all' })) return false;
  // what widens another permission reaches nothing by itself
  return [...permissions].every(
    (permission) => permission === 'employees.view_all' || lies({ reach: plain(permission), scope }),
  );
}

/** True when a reach holds the companies of a grant; null stands for all of them. */
export const reachesEntities = (reach: Reach, entityIds: readonly number[] | null): boolean =>
  reach.everything || (entityIds !== null && entityIds.every((id) => reachesEntity(reach, id)));

/** A person or department of an account, as the actor stands to it. */
type Spot = { entity_id: number; is_managed: boolean; is_self: boolean };

type Covered = {
  user_id: number;
  is_admin: boolean;
  /** The person's own place; none for an account without a person. */
  own: Spot | null;
  grants: (Pick<Grant, 'scope' | 'entity_ids'> & { permissions: Permission[] })[];
};

function reachesSpot(reach: Reach, { entity_id, is_managed, is_self }: Spot): boolean {
  if (reachesEntity(reach, entity_id)) return true;
  if (is_self) return reach.own;
  const { managed, managed_entity_ids: within } = reach;
  return managed && is_managed && (within === null || within.includes(entity_id));
}

/** Everybody may do this with the own record, whatever their roles. */
const everybody: Pick<Grant, 'permissions' | 'scope'> = {
  permissions: new Set<Permission>(['employees.view', 'employees.view_sensitive']),
  scope: 'own',
};

async function loadAccounts(db: Db, actor: Holder, userIds: readonly number[]): Promise<Covered[]> {
  const { rows } = await sql<Covered>`
    select u.id as user_id, u.is_admin,
           case when e.id is not null then json_build_object('entity_id', e.entity_id, 'is_self', e.id = ${actor.employee_id}::bigint is true,
             'is_managed', ${managedPeopleOf(actor, 'e')}) end as own,
           coalesce((
             select json_agg(json_build_object('scope', r.scope, 'entity_ids', a.entity_ids, 'permissions',
               array(select p.permission from role_permissions p where p.role_id = r.id)))
             from role_assignments a join roles r on r.id = a.role_id where a.user_id = u.id), '[]') as grants
    from users u left join employees e on e.user_id = u.id
    where u.id = any(${userIds}::bigint[])`.execute(db);
  return rows;
}

/** Where the people and departments stand that each account manages now, told together where they stand alike. */
async function loadManaged(db: Db, actor: Holder, userIds: readonly number[]): Promise<Map<number, Spot[]>> {
  const { rows } = await sql<Spot & { user_id: number }>`
    with recursive heads as (
      select e.user_id, e.id from employees e where e.user_id = any(${userIds}::bigint[])
    ), below as (
      select h.user_id, d.id from heads h join departments d on d.manager_id = h.id
      union
      select b.user_id, d.id from below b join departments d on d.parent_id = b.id
    ), led as (
      select user_id, id from below
      union
      select h.user_id, d.id from heads h join departments d on d.team_lead_id = h.id
    ), people as (
      select h.user_id, p.id from heads h join employees p on p.reporting_manager_id = h.id
      union
      select l.user_id, p.id from led l join employees p on p.department_id = l.id
    )
    select m.user_id, e.entity_id, e.id = ${actor.employee_id}::bigint is true as is_self,
           ${managedPeopleOf(actor, 'e')} as is_managed
    from people m join employees e on e.id = m.id
    where e.deleted_at is null and e.user_id <> m.user_id
      and e.id not in (select superiors_of(h.id) from heads h where h.user_id = m.user_id)
    union
    select l.user_id, d.entity_id, false, ${managedDepartmentsOf(actor, 'd')}
    from led l join departments d on d.id = l.id`.execute(db);
  const found = Map.groupBy(rows, ({ user_id }) => user_id);
  return new Map(userIds.map((id) => [id, found.get(id) ?? []]));
}

const asGrant = ({ scope, permissions }: Covered['grants'][number]) => ({
  scope,
  permissions: new Set<Permission>(permissions),
});

/** Is everything within reach that the account may do whatever it manages? */
function coversOutright(actor: Holder, { is_admin, own, grants }: Covered): boolean {
  if (is_admin) return actor.is_admin;
  const reachesOwn = ({ reach }: Right) => reach.everything || (own !== null && reachesSpot(reach, own));
  if (!everyRight(actor, everybody, reachesOwn)) return false;
  return grants.every((grant) =>
    everyRight(
      actor,
      asGrant(grant),
      (right) => reachesOwn(right) && (right.scope !== 'all' || reachesEntities(right.reach, grant.entity_ids)),
    ),
  );
}

/** Is what the account manages within reach, for each permission that reaches what it manages? */
function coversManaged(actor: Holder, { grants }: Covered, managed: readonly Spot[]): boolean {
  return grants.every(({ entity_ids, ...grant }) => {
    const spots = managed.filter(({ entity_id }) => entity_ids === null || entity_ids.includes(entity_id));
    return everyRight(
      actor,
      asGrant({ ...grant, entity_ids }),
      ({ reach, scope }) => scope !== 'managed' || reach.everything || spots.every((spot) => reachesSpot(reach, spot)),
    );
  });
}

const manages = ({ grants }: Covered) => grants.some(({ scope }) => scope === 'managed');

/**
 * Those of the accounts that may do nothing the actor may not: every permission of theirs, at its reach and companies,
 * lies within the actor's. What a grant reaches that covers managed people is what the account manages now. An account
 * that holds Admin is covered by administrators only, one without a person by those whose permissions reach everything.
 * Two statements at most, however many accounts.
 */
export async function coveredAccounts(db: Db, actor: Holder, userIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (actor.is_admin || userIds.every((id) => id === actor.user_id)) return new Set(userIds);
  const accounts = (await loadAccounts(db, actor, userIds)).filter(
    (account) => account.user_id === actor.user_id || coversOutright(actor, account),
  );
  const managers = accounts.filter((account) => account.user_id !== actor.user_id && manages(account));
  const managed =
    managers.length > 0
      ? await loadManaged(
          db,
          actor,
          managers.map(({ user_id }) => user_id),
        )
      : new Map<number, Spot[]>();
  const beyond = new Set(
    managers.filter((one) => !coversManaged(actor, one, managed.get(one.user_id) ?? [])).map(({ user_id }) => user_id),
  );
  return new Set(accounts.flatMap(({ user_id }) => (beyond.has(user_id) ? [] : [user_id])));
}

/**
 * Refuses unless the actor covers all of the accounts, which stay as they are until the end of the transaction.
 * @throws 403
 */
export async function requireCover(db: Db, actor: Holder, userIds: readonly number[]): Promise<void> {
  if (actor.is_admin || userIds.length === 0) return;
  // whoever gives roles holds the account too, so that none is given between this look and what follows it
  await sql`select from users where id = any(${userIds}::bigint[]) order by id for no key update`.execute(db);
  const covered = await coveredAccounts(db, actor, userIds);
  if (userIds.some((id) => !covered.has(id))) throw forbidden();
}
