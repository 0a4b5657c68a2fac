import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '../db/connect.ts';
import { forbidden } from '../http/errors.ts';
import { reachesEntity, reachOf } from './actor.ts';
import type { Grant, Holder, Reach, RoleScope } from './actor.ts';
import { decidesAbout } from './deciders.ts';
import { managedDepartmentsOf, managedPeopleOf } from './scope.ts';

/**
 * Somebody who can become another account may do all it may. So whoever gives or changes a way into an account must be
 * allowed everything that account is: each of its permissions, wherever it reaches. Nor does anybody give a way into the
 * account of who decides about them, administrators neither.
 */

type Right = { reach: Reach; scope: RoleScope };

// a page of people asks the same of one actor for every right of every account
const known = new WeakMap<readonly Grant[], Map<string, Reach>>();

function reachFor(holder: Pick<Holder, 'grants'>, permission: Permission, widenedBy?: Permission): Reach {
  const reaches = known.get(holder.grants) ?? new Map<string, Reach>();
  known.set(holder.grants, reaches);
  const key = `${permission} ${widenedBy ?? ''}`;
  const reach = reaches.get(key) ?? reachOf(holder, permission, widenedBy);
  reaches.set(key, reach);
  return reach;
}

/** What a grant comes to for each of its permissions, beside what the holder may do with that permission. */
export function everyRight(
  holder: Pick<Holder, 'grants'>,
  { permissions, scope }: Pick<Grant, 'permissions' | 'scope'>,
  lies: (right: Right) => boolean,
): boolean {
  return [...permissions].every((permission) =>
    // what widens another permission reaches nothing by itself
    permission === 'employees.view_all'
      ? lies({ reach: reachFor(holder, 'employees.view', permission), scope: 'all' })
      : lies({ reach: reachFor(holder, permission), scope }),
  );
}

/** True when a reach holds the companies of a grant; null stands for all of them. */
export const reachesEntities = (reach: Reach, entityIds: readonly number[] | null): boolean =>
  reach.everything || (entityIds !== null && entityIds.every((id) => reachesEntity(reach, id)));

/** A person or department of an account, as the actor stands to it. */
type Spot = { entity_id: number; is_managed: boolean; is_self: boolean };

type Rights = Pick<Grant, 'scope' | 'entity_ids' | 'permissions'>;
type Account = {
  user_id: number;
  is_admin: boolean;
  /** The person's own place; none for an account without a person. */
  own: Spot | null;
  /** The person decides about the actor. */
  decides: boolean;
  grants: Rights[];
};

/**
 * What of an account lies within what an actor may: all its rights; a way in, which needs all of them and that the
 * person does not decide about the actor; its reach, whatever it may do there; only what it may do about its own person,
 * which is what is left of it when it begins anew.
 */
export type Aspect = 'rights' | 'way_in' | 'reach' | 'self';
export type Cover = ReadonlySet<Aspect>;
const whole: Cover = new Set<Aspect>(['rights', 'way_in', 'reach', 'self']);
const allButWayIn: Cover = new Set<Aspect>(['rights', 'reach', 'self']);
const wholeOf = ({ decides }: Pick<Account, 'decides'>) => (decides ? allButWayIn : whole);
export const noCover: Cover = new Set();

function reachesSpot(reach: Reach, { entity_id, is_managed, is_self }: Spot): boolean {
  if (reachesEntity(reach, entity_id)) return true;
  if (is_self) return reach.own;
  const { managed, managed_entity_ids: within } = reach;
  return managed && is_managed && (within === null || within.includes(entity_id));
}

/** Everybody may do this with the own record, whatever their roles. */
const everybody: Rights = {
  permissions: new Set<Permission>(['employees.view', 'employees.view_sensitive']),
  scope: 'own',
  entity_ids: null,
};

/** An account as `accountOf` reads it. */
export type StoredAccount = Omit<Account, 'grants'> & {
  grants: (Omit<Rights, 'permissions'> & { permissions: Permission[] })[];
};

/** What is compared of the account `u` of the person `e`, if there is one, as a column of any statement. */
export const accountOf = (actor: Holder): RawBuilder<StoredAccount> => sql`json_build_object(
  'user_id', u.id, 'is_admin', u.is_admin,
  'own', case when e.id is not null then json_build_object('entity_id', e.entity_id,
    'is_self', e.id = ${actor.employee_id}::bigint is true, 'is_managed', ${managedPeopleOf(actor, 'e')}) end,
  'decides', ${decidesAbout(actor)},
  'grants', array(
    select json_build_object('scope', r.scope, 'entity_ids', a.entity_ids, 'permissions',
      array(select p.permission from role_permissions p where p.role_id = r.id))
    from role_assignments a join roles r on r.id = a.role_id where a.user_id = u.id))`;

const withEverybody = ({ grants, ...account }: StoredAccount): Account => ({
  ...account,
  grants: [everybody, ...grants.map((grant) => ({ ...grant, permissions: new Set(grant.permissions) }))],
});

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
  return Map.groupBy(rows, ({ user_id }) => user_id);
}

type Standing = Account & { managed: readonly Spot[] };

/** Does everything the account may do, and where, lie within what the actor may? */
const liesWithin = (actor: Holder, { own, managed, grants }: Standing): boolean =>
  grants.every((grant) => {
    const { entity_ids: limits } = grant;
    const spots = managed.filter(({ entity_id }) => limits === null || limits.includes(entity_id));
    return everyRight(actor, grant, ({ reach, scope }) => {
      if (reach.everything) return true;
      if (own === null || !reachesSpot(reach, own)) return false;
      if (scope === 'all') return reachesEntities(reach, limits);
      return scope === 'own' || spots.every((spot) => reachesSpot(reach, spot));
    });
  });

/** The same places with one permission only: what the account reaches, whatever it may do there. */
const reachOnly = <T extends Account>(account: T, permission: Permission): T => ({
  ...account,
  grants: account.grants.map(({ permissions, scope, entity_ids }) => ({
    permissions: new Set([permission]),
    scope: permissions.has('employees.view_all') ? 'all' : scope,
    entity_ids,
  })),
});

const managesBeyond = (actor: Holder, { grants }: Account) =>
  grants.some((grant) => grant.scope === 'managed' && !everyRight(actor, grant, ({ reach }) => reach.everything));

async function standingsOf(
  db: Db,
  actor: Holder,
  accounts: readonly Account[],
  ending: Permission,
): Promise<Standing[]> {
  const managers = accounts
    .filter((one) => managesBeyond(actor, one) || managesBeyond(actor, reachOnly(one, ending)))
    .map(({ user_id }) => user_id);
  const managed = managers.length > 0 ? await loadManaged(db, actor, managers) : new Map<number, Spot[]>();
  return accounts.map((one) => ({ ...one, managed: managed.get(one.user_id) ?? [] }));
}

const selfOnly = (account: Standing): Standing => ({
  ...account,
  grants: account.grants.filter(({ scope, permissions }) => scope === 'own' && !permissions.has('employees.view_all')),
});

function coverFor(actor: Holder, account: Standing, ending: Permission): Cover {
  if (account.is_admin) return noCover;
  if (liesWithin(actor, account)) return wholeOf(account);
  const reaches = liesWithin(actor, reachOnly(account, ending));
  const self = liesWithin(actor, selfOnly(account));
  return new Set<Aspect>([...(reaches ? (['reach'] as const) : []), ...(self ? (['self'] as const) : [])]);
}

/**
 * How far the actor covers each of the accounts. Rights: every permission, at its reach and companies, lies within the
 * actor's. Reach: what the account reaches lies within the reach of `ending`. What a grant for managed people reaches is
 * what the account manages now. An account that holds Admin is covered by administrators only, one without a person by
 * those whose permissions reach everything. One statement at most, however many accounts.
 */
export async function coverOfStored(
  db: Db,
  actor: Holder,
  stored: readonly StoredAccount[],
  ending: Permission = 'employees.deactivate',
): Promise<ReadonlyMap<number, Cover>> {
  const isOpen = ({ user_id }: StoredAccount) => actor.is_admin || user_id === actor.user_id;
  const others = stored.filter((account) => !isOpen(account)).map(withEverybody);
  const judged = others.length > 0 ? await standingsOf(db, actor, others, ending) : [];
  return new Map([
    ...stored.filter(isOpen).map((account) => [account.user_id, wholeOf(account)] as const),
    ...judged.map((account) => [account.user_id, coverFor(actor, account, ending)] as const),
  ]);
}

/** Administrators without a record, about whom nobody decides. */
const isUnjudged = ({ is_admin, employee_id }: Holder) => is_admin && employee_id === null;

/** The same for accounts by their ids, in one statement more; nothing of one that is not there. */
export async function coverOf(
  db: Db,
  actor: Holder,
  userIds: readonly number[],
  ending?: Permission,
): Promise<ReadonlyMap<number, Cover>> {
  const isOpen = (id: number) => isUnjudged(actor) || id === actor.user_id;
  if (userIds.every(isOpen)) return new Map(userIds.map((id) => [id, whole]));
  const { rows } = await sql<{ account: StoredAccount }>`
    select ${accountOf(actor)} as account from users u left join employees e on e.user_id = u.id
    where u.id = any(${userIds}::bigint[])`.execute(db);
  const found = rows.map(({ account }) => account);
  const none = userIds.map((id) => [id, noCover] as const);
  return new Map([...none, ...(await coverOfStored(db, actor, found, ending))]);
}

/** Those of the accounts that may do nothing the actor may not. */
export async function coveredAccounts(db: Db, actor: Holder, userIds: readonly number[]): Promise<ReadonlySet<number>> {
  const covers = await coverOf(db, actor, userIds);
  return new Set(userIds.filter((id) => covers.get(id)?.has('rights')));
}

/**
 * Holds accounts until the end of the transaction. Whoever gives roles holds the account too, so that none is given
 * between the look at what an account may do and what follows from it.
 */
export async function holdAccounts(db: Db, userIds: readonly number[]): Promise<void> {
  await sql`select from users where id = any(${userIds}::bigint[]) order by id for no key update`.execute(db);
}

/**
 * Refuses unless the actor may do everything the accounts may, so that being given a way into them opens nothing.
 * @throws 403
 */
export async function requireCover(
  db: Db,
  actor: Holder,
  userIds: readonly number[],
  { needs = 'rights', ending }: { needs?: Aspect; ending?: Permission } = {},
): Promise<void> {
  if (needs === 'way_in' ? isUnjudged(actor) : actor.is_admin) return;
  await holdAccounts(db, userIds);
  const covers = await coverOf(db, actor, userIds, ending);
  if (!userIds.every((id) => covers.get(id)?.has(needs))) throw forbidden();
}

/**
 * Refuses to end what somebody does who reaches further than the actor does with the permission `ending`.
 * @throws 403
 */
export const requireReach = (db: Db, actor: Holder, userId: number, ending: Permission): Promise<void> =>
  requireCover(db, actor, [userId], { needs: 'reach', ending });
