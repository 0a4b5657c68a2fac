import type { Permission } from '@tenure/contract';
import type { SecondFactor } from './second-factors.ts';

export type RoleScope = 'own' | 'managed' | 'all';
/** How far down the reporting line a role for managed people reaches: direct reports, or the whole tree of reports. */
export type ManagedDepth = 'direct' | 'tree';

/** Departments that limit a role: the named ones with their companies, and the ids of these and all descendants. */
export type InDepartments = { named: readonly { id: number; entity_id: number }[]; below: readonly number[] };

/** One role of a person with its permissions and scope. */
export type Grant = {
  role_id: number;
  role: string;
  scope: RoleScope;
  managed_depth: ManagedDepth;
  /** Whole companies that the assignment is limited to; null for no limit. */
  entity_ids: number[] | null;
  /** Departments that the assignment reaches in addition to its companies. */
  in_departments?: InDepartments | null | undefined;
  permissions: ReadonlySet<Permission>;
  /** True if the grant covers no record merely because it is the actor's own: for tokens limited to companies. */
  without_own?: boolean;
};

/** The rights of a person, cached in the process as long as their version stays the same. */
export type Rights = {
  grants: readonly Grant[];
  /** Names of the roles, sorted. */
  roles: readonly string[];
  /** Sorted alphabetically. */
  permissions: ReadonlySet<Permission>;
  is_admin: boolean;
  /** Departments that the person manages, with all descendants, and departments that the person leads as team lead. */
  managed_departments: readonly number[];
  /** Reports at any level who have reports themselves, without superiors; only read for a role with the whole tree. */
  managers_below: readonly number[];
  /** Superiors of the person; their records never count as managed. */
  superiors: readonly number[];
  /** Second factors of the account and what it is required to have; absent for people without an account. */
  second_factor?: SecondFactor;
  /** True if a token has fewer rights than its account. */
  is_cut?: boolean;
  /** The role that these rights belong to while a session views as it; absent for a person's own rights. */
  viewed_as?: Grant;
};

/** How a session began and what it proved. */
export type SessionMarks = {
  method: 'password' | 'passkey' | 'sso';
  factors: number;
  /** The session may only add a second factor. */
  enrol_only: boolean;
  provider_id: number | null;
  sso_sid: string | null;
  /** The passkey that was used, alone or as the second factor. */
  authenticator_id: number | null;
};

/** A signed-in account, as the session query reads it. */
export type Account = {
  user_id: number;
  employee_id: number | null;
  name: string;
  email: string;
  must_change_password: boolean;
  locale: string;
  /** The user chose the language; otherwise it comes from the company or the last browser. */
  locale_chosen: boolean;
  last_login_at: string | null;
  picture_key: string | null;
  session_id: number;
  /** When the session's most recent view as a role ends. */
  viewing_until?: string | null;
  /** Seconds since the user last proved their identity. */
  proved_seconds?: number;
  /** When that was, in Unix seconds. */
  proved_at?: number;
  /** The token with which a program acts; absent for a person in a session. */
  token_id?: number;
} & Partial<Pick<SessionMarks, 'method' | 'enrol_only' | 'provider_id'>>;

/** The person who acts in a request. */
export type Actor = Rights & Account;

/** A person whose rights are compared: the current actor or an earlier one. */
export type Holder = Rights & Pick<Account, 'user_id' | 'employee_id'>;

/** The rows a permission covers. An empty reach covers nothing. */
export type Reach = {
  everything: boolean;
  /** Whole companies. */
  entity_ids: readonly number[];
  /** Departments whose people the actor reaches as if by company; includes descendants. */
  department_ids: readonly number[];
  /** The reach includes people and departments that the actor manages; in these companies only, if not null. */
  managed: boolean;
  managed_entity_ids: readonly number[] | null;
  /** Companies in which the actor manages the whole tree below: all if null, none if empty. */
  tree_entity_ids: readonly number[] | null;
  own: boolean;
};

/** The combined permissions of roles. Cached with the rights, so sorted once and not for each answer with them. */
export const permissionsOf = (grants: readonly Grant[]): ReadonlySet<Permission> =>
  new Set(grants.flatMap(({ permissions }) => [...permissions]).sort());

export const holds = (actor: Rights, permission: Permission) => actor.permissions.has(permission);

const distinct = (ids: number[]) => [...new Set(ids)].sort((a, b) => a - b);

/** The combined companies of the grants; null for no limit. */
const limitsOf = (grants: readonly Grant[]) =>
  grants.some(({ entity_ids }) => entity_ids === null)
    ? null
    : distinct(grants.flatMap(({ entity_ids }) => entity_ids ?? []));

/** True if the company is within the limits. */
export const isWithinLimits = (limits: readonly number[] | null, entityId: number) =>
  limits === null || limits.includes(entityId);

/**
 * The union over the grants with `permission`. With `widenedBy`, a grant that also has that permission covers
 * everything (or its companies and departments) whatever the scope of its role.
 */
export function reachOf(actor: Pick<Rights, 'grants'>, permission: Permission, widenedBy?: Permission): Reach {
  const grants = actor.grants.filter((grant) => grant.permissions.has(permission));
  const isWide = (grant: Grant) =>
    grant.scope === 'all' || (widenedBy !== undefined && grant.permissions.has(widenedBy));
  const wide = grants.filter(isWide);
  const managed = grants.filter((grant) => grant.scope === 'managed');
  const trees = managed.filter((grant) => grant.managed_depth === 'tree');
  return {
    everything: wide.some((grant) => grant.entity_ids === null),
    entity_ids: distinct(wide.flatMap((grant) => grant.entity_ids ?? [])),
    // only roles with company scope are limited to departments
    department_ids: distinct(
      wide.flatMap((grant) => (grant.scope === 'all' ? (grant.in_departments?.below ?? []) : [])),
    ),
    managed: managed.length > 0,
    managed_entity_ids: limitsOf(managed),
    tree_entity_ids: limitsOf(trees),
    own: grants.some(({ without_own }) => !without_own),
  };
}

/** The companies and departments that limit the roles. */
export const ownLimits = ({ grants }: Pick<Rights, 'grants'>) => ({
  entity_ids: distinct(grants.flatMap(({ entity_ids }) => entity_ids ?? [])),
  named: [
    ...new Map(
      grants.flatMap(({ in_departments }) => in_departments?.named ?? []).map((place) => [place.id, place]),
    ).values(),
  ],
});

/** The columns of a person that decide who manages them. */
export type ManagedPlace = {
  id: number;
  entity_id: number;
  department_id: number;
  reporting_manager_id: number | null;
};

/**
 * True for a person whom the actor manages within a reach: a direct report, a member of a managed department or a
 * report of a manager below; never a superior.
 */
export function manages(actor: Holder, reach: Reach, person: ManagedPlace): boolean {
  if (!reach.managed || actor.employee_id === null) return false;
  if (person.id === actor.employee_id || actor.superiors.includes(person.id)) return false;
  const { reporting_manager_id: manager, department_id, entity_id } = person;
  const isNear = manager === actor.employee_id || actor.managed_departments.includes(department_id);
  if (isNear && isWithinLimits(reach.managed_entity_ids, entity_id)) return true;
  return manager !== null && actor.managers_below.includes(manager) && isWithinLimits(reach.tree_entity_ids, entity_id);
}

/** True when the permission covers rows of this company, whatever person they concern. */
export function reachesEntity(reach: Reach, entityId: number | null): boolean {
  return reach.everything || (entityId !== null && reach.entity_ids.includes(entityId));
}

/** True when the permission covers everyone in a department, by its company or by the department itself. */
export const reachesDepartment = (reach: Reach, place: { entity_id: number; department_id: number }): boolean =>
  reachesEntity(reach, place.entity_id) || reach.department_ids.includes(place.department_id);

/** True for a reach that consists of companies only, so that precomputed counts per company answer it. */
export const isByCompany = (reach: Reach): boolean =>
  reach.everything || (reach.entity_ids.length > 0 && reach.department_ids.length === 0 && !reach.managed);
