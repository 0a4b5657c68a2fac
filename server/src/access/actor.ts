import type { Permission } from '@tenure/contract';

export type RoleScope = 'own' | 'managed' | 'all';

/** One role a person holds, with what it permits and where. */
export type Grant = {
  role_id: number;
  role: string;
  scope: RoleScope;
  /** Companies the assignment is limited to; null for no limit. */
  entity_ids: number[] | null;
  permissions: ReadonlySet<Permission>;
};

/** What a person may do and where, kept in the process for as long as its version stays the same. */
export type Rights = {
  grants: readonly Grant[];
  /** Names of the roles, sorted. */
  roles: readonly string[];
  permissions: ReadonlySet<Permission>;
  is_admin: boolean;
  /** Departments the person manages with all below them, and departments whose team lead the person is. */
  managed_departments: readonly number[];
  /** People above the person: whatever the person manages, it never holds one of them. */
  superiors: readonly number[];
};

/** A signed-in account as the session query reads it. */
export type Account = {
  user_id: number;
  employee_id: number | null;
  name: string;
  email: string;
  must_change_password: boolean;
  locale: string;
  last_login_at: string | null;
  picture_key: string | null;
  session_id: number;
};

/** Who acts in a request. */
export type Actor = Rights & Account;

/** Whose rights are compared: who acts, or who acted before. */
export type Holder = Rights & Pick<Account, 'user_id' | 'employee_id'>;

/** The rows a permission reaches. An empty reach reaches nothing. */
export type Reach = {
  everything: boolean;
  entity_ids: readonly number[];
  /** People and departments the actor manages; within these companies when not null. */
  managed: boolean;
  managed_entity_ids: readonly number[] | null;
  own: boolean;
};

export const holds = (actor: Rights, permission: Permission) => actor.permissions.has(permission);

const distinct = (ids: number[]) => [...new Set(ids)].sort((a, b) => a - b);

/**
 * The union over the grants that hold `permission`. With `widenedBy`, a grant that also holds that permission reaches
 * everything (or its companies) whatever the scope of its role.
 */
export function reachOf(actor: Pick<Rights, 'grants'>, permission: Permission, widenedBy?: Permission): Reach {
  const grants = actor.grants.filter((grant) => grant.permissions.has(permission));
  const isWide = (grant: Grant) =>
    grant.scope === 'all' || (widenedBy !== undefined && grant.permissions.has(widenedBy));
  const wide = grants.filter(isWide);
  const managed = grants.filter((grant) => grant.scope === 'managed');
  return {
    everything: wide.some((grant) => grant.entity_ids === null),
    entity_ids: distinct(wide.flatMap((grant) => grant.entity_ids ?? [])),
    managed: managed.length > 0,
    managed_entity_ids: managed.some((grant) => grant.entity_ids === null)
      ? null
      : distinct(managed.flatMap((grant) => grant.entity_ids ?? [])),
    own: grants.length > 0,
  };
}

/** A person as what somebody manages is decided by: who it is, and where. */
export type ManagedPlace = { id: number; department_id: number; reporting_manager_id: number | null };

/** True for a person the actor manages: a direct report, or somebody in a managed department; never a superior. */
export function manages(actor: Holder, person: ManagedPlace): boolean {
  if (actor.employee_id === null || person.id === actor.employee_id || actor.superiors.includes(person.id))
    return false;
  return person.reporting_manager_id === actor.employee_id || actor.managed_departments.includes(person.department_id);
}

/** True when the permission reaches rows of this company, whoever they are about. */
export function reachesEntity(reach: Reach, entityId: number | null): boolean {
  return reach.everything || (entityId !== null && reach.entity_ids.includes(entityId));
}
