import type { Permission } from '@tenure/contract';
import type { SecondFactor } from './second-factors.ts';

export type RoleScope = 'own' | 'managed' | 'all';
/** How far down the reporting line a role for managed people goes: direct reports, or the whole tree of reports. */
export type ManagedDepth = 'direct' | 'tree';

/** Departments that limit a role: the named ones with their companies, and all of them with those below. */
export type InDepartments = { named: readonly { id: number; entity_id: number }[]; below: readonly number[] };

/** One role of a person with its permissions and scope. */
export type Grant = {
  role_id: number;
  role: string;
  scope: RoleScope;
  managed_depth: ManagedDepth;
  /** Whole companies the assignment is limited to; null for no limit. */
  entity_ids: number[] | null;
  /** Departments the assignment reaches beside its companies. */
  in_departments?: InDepartments | null | undefined;
  permissions: ReadonlySet<Permission>;
  /** True where nothing is covered only because it is the own record: of a token that is limited to companies. */
  without_own?: boolean;
};

/** The rights of a person, cached in the process while their version stays the same. */
export type Rights = {
  grants: readonly Grant[];
  /** Names of the roles, sorted. */
  roles: readonly string[];
  /** In the order of the alphabet. */
  permissions: ReadonlySet<Permission>;
  is_admin: boolean;
  /** Departments the person manages with all descendants, and departments the person leads as team lead. */
  managed_departments: readonly number[];
  /** People below with reports of their own; only read for a role with the whole tree. Superiors are not among them. */
  managers_below: readonly number[];
  /** Superiors of the person: their records are never among the managed ones. */
  superiors: readonly number[];
  /** Its second factors and what is demanded; absent for people without an account. */
  second_factor?: SecondFactor;
  /** True where a token leaves something of its account out. */
  is_cut?: boolean;
  /** The role these are the rights of, when a session views as it; absent for a person's own rights. */
  viewed_as?: Grant;
};

/** How a session began and what it proved. */
export type SessionMarks = {
  method: 'password' | 'passkey' | 'sso';
  factors: number;
  /** It may only add a second factor. */
  enrol_only: boolean;
  provider_id: number | null;
  sso_sid: string | null;
  /** The passkey that was used, alone or as the second step. */
  authenticator_id: number | null;
};

/** A signed-in account as the session query reads it. */
export type Account = {
  user_id: number;
  employee_id: number | null;
  name: string;
  email: string;
  must_change_password: boolean;
  locale: string;
  /** The person chose it; before, it is that of the company or of the last browser. */
  locale_chosen: boolean;
  last_login_at: string | null;
  picture_key: string | null;
  session_id: number;
  /** The end of the view as a role that the session last began. */
  viewing_until?: string | null;
  /** Seconds since the person last proved that it is them. */
  proved_seconds?: number;
  /** When that was, in seconds since 1970. */
  proved_at?: number;
  /** The token by which a program acts; absent for a person in a session. */
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
  /** Departments whose people are reached like those of a company; those below are named too. */
  department_ids: readonly number[];
  /** People and departments the actor manages; within these companies when not null. */
  managed: boolean;
  managed_entity_ids: readonly number[] | null;
  /** Where the whole tree below the actor is managed: everywhere when null, nowhere when empty. */
  tree_entity_ids: readonly number[] | null;
  own: boolean;
};

/** The permissions of roles together. Kept with the rights, so sorted once and not for each answer that names them. */
export const permissionsOf = (grants: readonly Grant[]): ReadonlySet<Permission> =>
  new Set(grants.flatMap(({ permissions }) => [...permissions]).sort());

export const holds = (actor: Rights, permission: Permission) => actor.permissions.has(permission);

const distinct = (ids: number[]) => [...new Set(ids)].sort((a, b) => a - b);

/** The companies of the grants together; null for no limit. */
const limitsOf = (grants: readonly Grant[]) =>
  grants.some(({ entity_ids }) => entity_ids === null)
    ? null
    : distinct(grants.flatMap(({ entity_ids }) => entity_ids ?? []));

/** True for a company within limits. */
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

/** The columns of a person that decide who manages them. */
export type ManagedPlace = {
  id: number;
  entity_id: number;
  department_id: number;
  reporting_manager_id: number | null;
};

/**
 * True for a person the actor manages within a reach: a direct report, a member of a managed department or a report of a
 * manager below; never a superior.
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

/** True when the permission covers all people of a department: its company as a whole, or the department. */
export const reachesDepartment = (reach: Reach, place: { entity_id: number; department_id: number }): boolean =>
  reachesEntity(reach, place.entity_id) || reach.department_ids.includes(place.department_id);

/** True for a reach over companies only, which counts by company answer. */
export const isByCompany = (reach: Reach): boolean =>
  reach.everything || (reach.entity_ids.length > 0 && reach.department_ids.length === 0 && !reach.managed);
