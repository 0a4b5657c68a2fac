import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { item, page, PersonRef, Ref } from './envelope.ts';
import { id } from './fields.ts';
import { filters, listQuery } from './lists.ts';
import { managedDepths, roleScopes } from './roles.ts';
import { messageField } from './message-field.ts';

/** What assigns roles by group rules. */
export const roleSources = ['identity_provider', 'scim_connection'] as const;

export const accessActions = [
  'view',
  'view_work',
  'view_private',
  'update',
  'confirm',
  'extend-probation',
  'correct-probation',
  'probation-pause',
  'probation-resume',
  'deactivate',
  'separate',
  'withdraw-separation',
  'reassign',
  'reactivate',
  'rehire',
  'job-history',
  'absences',
  'past-jobs',
  'add-file',
  'roles',
  'reset-password',
  'second-factor',
  'sign-in-block',
  'delete',
  'restore',
] as const;

/**
 * How a role reaches a person: everywhere, by company, as HR of a department, through a department or team that its
 * holder manages, through the whole reporting line below, or as oneself.
 */
export const accessScopes = ['all', 'entity', 'hr_department', 'department', 'team', 'line', 'self'] as const;
/** What prevents an action. */
export const accessGaps = [
  'sign_in',
  'permission',
  'scope',
  'own_record',
  'administrator',
  'wider_account',
  'decider',
  'state',
] as const;

const permission = z.string().max(60);

/** A company or department that limits a role; the name is null for one that the caller does not see. */
const Place = Ref.extend({ name: Ref.shape.name.nullable() });
const limits = {
  /** Whole companies that the role is limited to; null for no limit. */
  entities: z.array(Place).nullable(),
  /** Departments that it reaches in addition to these companies, with their descendants; absent if none. */
  departments: z.array(Place).optional(),
};

export const AccessReason = z.object({
  role: Ref,
  permission,
  scope: z.enum(accessScopes),
  ...limits,
  /** The department through which it reaches the person. */
  department: Ref.nullable(),
});
export type AccessReason = z.output<typeof AccessReason>;

export const AccessAnswer = z.object({
  action: z.enum(accessActions),
  permission,
  allowed: z.boolean(),
  /** Roles that give it; listed even if something else prevents the action. */
  because: z.array(AccessReason),
  missing: z.object({ reason: z.enum(accessGaps), message: messageField(300) }).nullable(),
});
export type AccessAnswer = z.output<typeof AccessAnswer>;

const HeldRole = z.object({
  role_id: z.int(),
  role: z.string().max(60),
  scope: z.enum(roleScopes),
  managed_depth: z.enum(managedDepths),
  ...limits,
});

/** A role that the caller may give the person, and its possible limits. */
const AssignableRole = z.object({
  role_id: z.int(),
  role: z.string().max(60),
  scope: z.enum(roleScopes),
  /** Whether it can be limited to companies at all. */
  limitable: z.boolean(),
  /** The companies to choose its limit from; null if the caller may give it without a limit. */
  entities: z.array(Ref).nullable(),
  /** Whether it can be limited to departments. */
  in_departments: z.boolean(),
  /** Departments to which the caller may limit it, in addition to those of these companies, with descendants. */
  departments: z.array(Ref).optional(),
});

export const HeldRoles = z.object({
  employee: PersonRef,
  /** Null for people without an account, who can have no roles. */
  user_id: z.int().nullable(),
  /** `removable`: it lies within what the caller may give and remove. */
  assignments: z.array(
    HeldRole.extend({
      removable: z.boolean(),
      /**
       * The provider or SCIM connection whose rules assign it; such a role is not removable. Null for one that was
       * assigned by hand.
       */
      provider: Ref.extend({ kind: z.enum(roleSources) }).nullable(),
    }),
  ),
  assignable: z.array(AssignableRole),
  /** Roles held before a rehire or restored record and not assigned again since, as far as the caller may give them. */
  former: z.array(HeldRole),
  /** Everything that the roles permit together, in catalogue order. */
  permissions: z.array(
    z.object({
      name: permission,
      group: z.string().max(60),
      label: z.string().max(100),
      because: z.array(HeldRole),
    }),
  ),
  /** What roles with scope `managed` reach. */
  manages: z.object({ departments: z.array(Ref), direct_reports: z.int() }),
});
export type HeldRoles = z.output<typeof HeldRoles>;

/** An account that holds a permission, with every role that gives it. */
export const PermissionHolder = z.object({
  user_id: z.int(),
  name: z.string().max(255),
  /** A program's account. */
  is_service: z.boolean(),
  /** Null for an account without a person. */
  employee: PersonRef.nullable(),
  entity: Ref.nullable(),
  department: Ref.nullable(),
  may_sign_in: z.boolean(),
  because: z.array(HeldRole),
});
export type PermissionHolder = z.output<typeof PermissionHolder>;

const assignRoles = { permission: 'employees.assign_roles', scope: 'scoped' } as const;

/** Why an account has a permission, and the permissions that a person's roles add up to. */
export const access = {
  explain: endpoint({
    ...assignRoles,
    method: 'GET',
    path: '/employees/:id/access',
    summary: 'Why an account may see or change a person, or what is missing',
    query: z.object({ user_id: id() }),
    reply: item(
      z.object({
        employee: PersonRef,
        user: z.object({
          id: z.int(),
          name: z.string().max(255),
          employee_id: z.int().nullable(),
          may_sign_in: z.boolean(),
        }),
        answers: z.array(AccessAnswer),
      }),
    ),
    status: 200,
  }),
  roles: endpoint({
    ...assignRoles,
    method: 'GET',
    path: '/employees/:id/roles',
    summary: 'The roles of a person and what they permit',
    reply: item(HeldRoles),
    status: 200,
  }),
  holders: endpoint({
    method: 'GET',
    path: '/permissions/:id/holders',
    summary: 'Who holds a permission, and through which roles',
    permission: ['rbac.manage', 'employees.assign_roles'],
    scope: 'scoped',
    query: listQuery(['name', 'entity_name'], { role_id: filters.ids(), entity_id: filters.ids() }),
    reply: page(PermissionHolder),
    status: 200,
  }),
};
