import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '../db/connect.ts';
import { forbidden } from '../http/errors.ts';
import { isWithinLimits, reachesDepartment, reachesEntity, reachOf } from './actor.ts';
import type { Grant, Holder, Reach, RoleScope } from './actor.ts';
import { decidesAbout } from './deciders.ts';
import { departmentsOfAssignment } from './in-departments.ts';
import { loadManaged } from './managed-positions.ts';
import type { ManagedPosition, RelativePosition } from './managed-positions.ts';
import { managedPeopleOf, treePeopleOf } from './scope.ts';

/**
 * A person who can sign in to another account has all its rights. So an actor who issues or changes a credential must
 * have all rights of the account: each permission, wherever it applies. No actor, not even an administrator, issues a
 * credential for the account of a person who decides about them.
 */

type Right = { reach: Reach; scope: RoleScope };

// a page of people checks every right of every account against the same actor
const known = new WeakMap<readonly Grant[], Map<string, Reach>>();

function reachFor(holder: Pick<Holder, 'grants'>, permission: Permission, widenedBy?: Permission): Reach {
  const reaches = known.get(holder.grants) ?? new Map<string, Reach>();
  known.set(holder.grants, reaches);
  const key = `${permission} ${widenedBy ?? ''}`;
  const reach = reaches.get(key) ?? reachOf(holder, permission, widenedBy);
  reaches.set(key, reach);
  return reach;
}

/** The rights of a grant by permission, including those that combine with other permissions. */
export function everyRight(
  holder: Pick<Holder, 'grants'>,
  { permissions, scope }: Pick<Grant, 'permissions' | 'scope'>,
  lies: (right: Right) => boolean,
): boolean {
  return [...permissions].every((permission) =>
    // a permission that widens another one covers nothing by itself
    permission === 'employees.view_all'
      ? lies({ reach: reachFor(holder, 'employees.view', permission), scope: 'all' })
      : lies({ reach: reachFor(holder, permission), scope }),
  );
}

/** The companies and departments of a grant; without companies it is unlimited, unless it names departments. */
export type Limits = Pick<Grant, 'entity_ids' | 'in_departments'>;

/** True when a reach covers the companies and departments of a grant. */
export const reachesLimits = (reach: Reach, { entity_ids, in_departments }: Limits): boolean =>
  reach.everything ||
  (entity_ids !== null &&
    entity_ids.every((id) => reachesEntity(reach, id)) &&
    (in_departments?.named ?? []).every(({ id, entity_id }) =>
      reachesDepartment(reach, { entity_id, department_id: id }),
    ));

type Rights = Pick<Grant, 'scope' | 'managed_depth' | 'entity_ids' | 'in_departments' | 'permissions'>;
type Account = {
  user_id: number;
  is_admin: boolean;
  /** The position of the person; null for an account without a person. */
  own: RelativePosition | null;
  /** True when the person decides about the actor. */
  decides: boolean;
  grants: Rights[];
};

/**
 * The part of an account to compare. `rights`: all its rights. `way_in`: the same, and the person does not decide about
 * the actor. `reach`: the covered rows, whatever the permissions. `self`: the rights about the person's own record,
 * which a new account has too.
 */
export type Aspect = 'rights' | 'way_in' | 'reach' | 'self';
export type Cover = ReadonlySet<Aspect>;
const whole: Cover = new Set<Aspect>(['rights', 'way_in', 'reach', 'self']);
const allButWayIn: Cover = new Set<Aspect>(['rights', 'reach', 'self']);
const wholeOf = ({ decides }: Pick<Account, 'decides'>) => (decides ? allButWayIn : whole);
export const noCover: Cover = new Set();

function reachesPosition(
  reach: Reach,
  { entity_id, department_id, is_managed, is_in_tree, is_self }: RelativePosition,
): boolean {
  if (reachesDepartment(reach, { entity_id, department_id })) return true;
  if (is_self) return reach.own;
  const { managed, managed_entity_ids, tree_entity_ids } = reach;
  return (
    managed &&
    ((is_managed && isWithinLimits(managed_entity_ids, entity_id)) ||
      (is_in_tree && isWithinLimits(tree_entity_ids, entity_id)))
  );
}

/** Permissions that every user has for their own record, whatever their roles. */
const everybody: Rights = {
  permissions: new Set<Permission>(['employees.view', 'employees.view_sensitive']),
  scope: 'own',
  managed_depth: 'direct',
  entity_ids: null,
};

/** An account as `accountOf` reads it. */
export type StoredAccount = Omit<Account, 'grants'> & {
  grants: (Omit<Rights, 'permissions'> & { permissions: Permission[] })[];
};

const permissionsOf = sql`array(select p.permission from role_permissions p where p.role_id = r.id)`;

/**
 * The key of a person's account in comparisons. A person without an account is compared as the account that an email
 * address would give them: the role Employee on their own record.
 */
export const accountKey = ({ id, user_id }: { id: number; user_id: number | null }): number => user_id ?? -id;

// an administrator covers every account: computing its rights would take a third of the time of a list of people
const anyAccount = (actor: Holder): RawBuilder<StoredAccount> => sql`json_build_object(
  'user_id', coalesce(u.id, -e.id), 'is_admin', coalesce(u.is_admin, false), 'own', null,
  'decides', ${decidesAbout(actor)}, 'grants', '[]'::json)`;

const comparedAccount = (actor: Holder, besides: number | null): RawBuilder<StoredAccount> => sql`json_build_object(
  'user_id', coalesce(u.id, -e.id), 'is_admin', coalesce(u.is_admin, false),
  'own', case when e.id is not null then json_build_object('entity_id', e.entity_id, 'department_id', e.department_id,
    'is_self', e.id = ${actor.employee_id}::bigint is true, 'is_managed', (${managedPeopleOf(actor, 'e')}) is true,
    'is_in_tree', (${treePeopleOf(actor, 'e')}) is true) end,
  'decides', ${decidesAbout(actor)},
  'grants', array(
    select json_build_object('scope', r.scope, 'managed_depth', r.managed_depth, 'entity_ids', a.entity_ids,
                             'in_departments', ${departmentsOfAssignment}, 'permissions', ${permissionsOf})
    from role_assignments a join roles r on r.id = a.role_id
    where a.user_id = u.id
      and (${besides}::bigint is null or a.provider_id is distinct from ${besides} or r.scope <> 'all')
    union all
    select json_build_object('scope', r.scope, 'managed_depth', r.managed_depth, 'entity_ids', null,
                             'permissions', ${permissionsOf})
    from roles r where u.id is null and r.is_system and r.name = 'Employee'))`;

/**
 * The compared columns of the account `u` of the person `e`, for use in any statement; one of the two may be absent.
 * Leaves out roles from the provider `besides`, except those whose reach follows from the person's own position.
 */
export const accountOf = (actor: Holder, besides: number | null = null): RawBuilder<StoredAccount> =>
  actor.is_admin ? anyAccount(actor) : comparedAccount(actor, besides);

const withEverybody = ({ grants, ...account }: StoredAccount): Account => ({
  ...account,
  grants: [everybody, ...grants.map((grant) => ({ ...grant, permissions: new Set(grant.permissions) }))],
});

type Compared = Account & { managed: readonly ManagedPosition[] };

/** True when every right of the account lies within the actor's rights. */
const liesWithin = (actor: Holder, { own, managed, grants }: Compared): boolean =>
  grants.every((grant) => {
    const { entity_ids: limits } = grant;
    const positions = managed.filter(
      ({ entity_id, by_tree }) => isWithinLimits(limits, entity_id) && (!by_tree || grant.managed_depth === 'tree'),
    );
    return everyRight(actor, grant, ({ reach, scope }) => {
      if (reach.everything) return true;
      if (own === null || !reachesPosition(reach, own)) return false;
      if (scope === 'all') return reachesLimits(reach, grant);
      return scope === 'own' || positions.every((one) => reachesPosition(reach, one));
    });
  });

/** The same account with only one permission: the rows it covers, whatever its other permissions. */
const reachOnly = <T extends Account>(account: T, permission: Permission): T => ({
  ...account,
  grants: account.grants.map(({ permissions, scope, ...grant }) => ({
    ...grant,
    permissions: new Set([permission]),
    scope: permissions.has('employees.view_all') ? 'all' : scope,
  })),
});

const managesBeyond = (actor: Holder, { grants }: Account) =>
  grants.some((grant) => grant.scope === 'managed' && !everyRight(actor, grant, ({ reach }) => reach.everything));

async function loadCompared(
  db: Db,
  actor: Holder,
  accounts: readonly Account[],
  ending: Permission,
): Promise<Compared[]> {
  const managers = accounts
    .filter((one) => managesBeyond(actor, one) || managesBeyond(actor, reachOnly(one, ending)))
    .map(({ user_id }) => user_id);
  const managed = managers.length > 0 ? await loadManaged(db, actor, managers) : new Map<number, ManagedPosition[]>();
  return accounts.map((one) => ({ ...one, managed: managed.get(one.user_id) ?? [] }));
}

const selfOnly = (account: Compared): Compared => ({
  ...account,
  grants: account.grants.filter(({ scope, permissions }) => scope === 'own' && !permissions.has('employees.view_all')),
});

function coverFor(actor: Holder, account: Compared, ending: Permission): Cover {
  if (account.is_admin) return noCover;
  if (liesWithin(actor, account)) return wholeOf(account);
  const reaches = liesWithin(actor, reachOnly(account, ending));
  const self = liesWithin(actor, selfOnly(account));
  return new Set<Aspect>([...(reaches ? (['reach'] as const) : []), ...(self ? (['self'] as const) : [])]);
}

/** Actors have all rights of their own account, unless they act with a token that has fewer. */
const isSelf = (actor: Holder, userId: number) => userId === actor.user_id && !actor.is_cut;

/**
 * Checks for each account whether the actor covers it. Rights: every permission, with its reach and companies, lies
 * within the actor's. Reach: the covered rows lie within the reach of `ending`. A grant for managed people covers those
 * whom the account manages now. Only administrators cover an account with Admin; covering an account without a person
 * requires permissions that cover everything. Runs at most one statement.
 */
export async function coverOfStored(
  db: Db,
  actor: Holder,
  stored: readonly StoredAccount[],
  ending: Permission = 'employees.deactivate',
): Promise<ReadonlyMap<number, Cover>> {
  const isOpen = ({ user_id }: StoredAccount) => actor.is_admin || isSelf(actor, user_id);
  const others = stored.filter((account) => !isOpen(account)).map(withEverybody);
  const checked = others.length > 0 ? await loadCompared(db, actor, others, ending) : [];
  return new Map([
    ...stored.filter(isOpen).map((account) => [account.user_id, wholeOf(account)] as const),
    ...checked.map((account) => [account.user_id, coverFor(actor, account, ending)] as const),
  ]);
}

/** Those of the keys that stand for people without an account. */
const withoutAccount = (keys: readonly number[]) => keys.filter((key) => key < 0).map((key) => -key);

/** Administrators without a record: no person decides about them. */
const isUnjudged = ({ is_admin, employee_id }: Holder) => is_admin && employee_id === null;

/** Loads accounts by their keys and compares them; unknown ones are not covered. */
export async function coverOf(
  db: Db,
  actor: Holder,
  userIds: readonly number[],
  ending?: Permission,
  besides?: number,
): Promise<ReadonlyMap<number, Cover>> {
  const isOpen = (id: number) => isUnjudged(actor) || isSelf(actor, id);
  if (userIds.every(isOpen)) return new Map(userIds.map((id) => [id, whole]));
  const { rows } = await sql<{ account: StoredAccount }>`
    select ${accountOf(actor, besides)} as account from users u left join employees e on e.user_id = u.id
    where u.id = any(${userIds}::bigint[])
    union all
    select ${accountOf(actor)} from employees e left join users u on u.id = e.user_id
    where e.id = any(${withoutAccount(userIds)}::bigint[]) and e.user_id is null`.execute(db);
  const found = rows.map(({ account }) => account);
  const none = userIds.map((id) => [id, noCover] as const);
  return new Map([...none, ...(await coverOfStored(db, actor, found, ending))]);
}

/** The accounts that have no right that the actor lacks; rights from the provider `besides` do not count. */
export async function coveredAccounts(
  db: Db,
  actor: Holder,
  userIds: readonly number[],
  besides?: number,
): Promise<ReadonlySet<number>> {
  const covers = await coverOf(db, actor, userIds, undefined, besides);
  return new Set(userIds.filter((id) => covers.get(id)?.has('rights')));
}

/**
 * Locks accounts until the end of the transaction. Role assignment locks the account too, so its rights cannot change
 * between the check and the effect.
 */
export async function lockAccounts(db: Db, userIds: readonly number[]): Promise<void> {
  await sql`select from users where id = any(${userIds}::bigint[]) order by id for no key update`.execute(db);
}

/**
 * Refuses with 403 unless the actor has all rights of the accounts, so that a credential for them gives nothing new.
 */
export async function requireCover(
  db: Db,
  actor: Holder,
  userIds: readonly number[],
  { needs = 'rights', ending }: { needs?: Aspect; ending?: Permission } = {},
): Promise<void> {
  if (needs === 'way_in' ? isUnjudged(actor) : actor.is_admin) return;
  await lockAccounts(db, userIds);
  const covers = await coverOf(db, actor, userIds, ending);
  if (!userIds.every((id) => covers.get(id)?.has(needs))) throw forbidden();
}

/** Refuses with 403 to end the employment of a person whose reach exceeds the actor's for the permission `ending`. */
export const requireReach = (db: Db, actor: Holder, userId: number, ending: Permission): Promise<void> =>
  requireCover(db, actor, [userId], { needs: 'reach', ending });
