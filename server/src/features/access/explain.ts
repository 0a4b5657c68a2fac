import { text } from '@tenure/contract';
import type { AccessAnswer, AccessReason, Permission, Ref, Text } from '@tenure/contract';
import { holds, reachOf } from '../../access/actor.ts';
import type { Actor, Grant } from '../../access/actor.ts';
import {
  actionNames,
  can,
  cardReach,
  covers,
  fieldsFor,
  isOpenToSelf,
  isDecider,
  isSelf,
  isWithinCover,
  permissionFor,
} from '../../people/policy.ts';
import type { EmployeeAction, Subject } from '../../people/policy.ts';

/** Explains why an account can or cannot act on a person, from the decisions of the real checks and their sources. */

export type Person = Subject & { department: Ref };
type Answer = Omit<AccessAnswer, 'missing'> & { missing: Gap | null };
type Gap = { reason: NonNullable<AccessAnswer['missing']>['reason']; message: Text };
/** Names of the companies and departments that the caller sees. */
export type LimitNames = Record<'entities' | 'departments', ReadonlyMap<number, string>>;
type AccessQuestion = { actor: Actor; maySignIn: boolean; person: Person; names: LimitNames };

const gaps: Record<Gap['reason'], Text> = {
  sign_in: text('access.account_may_not_sign_in'),
  permission: text('access.no_role_holds_permission'),
  scope: text('access.roles_do_not_reach'),
  own_record: text('access.own_record'),
  administrator: text('access.admin_only'),
  wider_account: text('access.mightier'),
  decider: text('access.superior'),
  state: text('access.wrong_state'),
};

/** The part of a grant's scope that covers the person. */
function scopeOf(actor: Actor, reach: ReturnType<typeof reachOf>, person: Person): AccessReason['scope'] {
  if (reach.everything) return 'all';
  if (reach.entity_ids.includes(person.entity_id)) return 'entity';
  if (reach.department_ids.includes(person.department_id)) return 'hr_department';
  if (isSelf(actor, person)) return 'self';
  if (person.reporting_manager_id === actor.employee_id) return 'team';
  return actor.managed_departments.includes(person.department_id) ? 'department' : 'line';
}

/** The companies and departments that limit a role; without their names where the caller does not see them. */
export const limitsOf = (
  { entity_ids, in_departments }: Pick<Grant, 'entity_ids' | 'in_departments'>,
  names: LimitNames,
) => ({
  entities: entity_ids && entity_ids.map((id) => ({ id, name: names.entities.get(id) ?? null })),
  ...(in_departments && {
    departments: in_departments.named.map(({ id }) => ({ id, name: names.departments.get(id) ?? null })),
  }),
});

/** What one grant contributes to a permission on the person; undefined when its scope does not cover the person. */
function reasonOf({ actor, person, names }: AccessQuestion, grant: Grant, permission: Permission): AccessReason[] {
  if (!grant.permissions.has(permission)) return [];
  const alone = { ...actor, grants: [grant] };
  const reach =
    permission === 'employees.view' ? reachOf(alone, permission, 'employees.view_all') : reachOf(alone, permission);
  if (!covers(actor, reach, person)) return [];
  const scope = scopeOf(actor, reach, person);
  return [
    {
      role: { id: grant.role_id, name: grant.role },
      permission,
      scope,
      ...limitsOf(grant, names),
      department: scope === 'department' || scope === 'hr_department' ? person.department : null,
    },
  ];
}

const reasonsFor = (question: AccessQuestion, permission: Permission) =>
  question.actor.grants.flatMap((grant) => reasonOf(question, grant, permission));

const missing = (reason: Gap['reason']): Gap => ({ reason, message: gaps[reason] });

function gapOf({ actor, maySignIn, person }: AccessQuestion, permission: Permission, isReached: boolean): Gap | null {
  if (!maySignIn) return missing('sign_in');
  if (!holds(actor, permission)) return missing('permission');
  return isReached && covers(actor, cardReach(actor), person) ? null : missing('scope');
}

type Look = { action: AccessAnswer['action']; permission: Permission; sees: (question: AccessQuestion) => boolean };

const looks: readonly Look[] = [
  {
    action: 'view',
    permission: 'employees.view',
    sees: ({ actor, person }) => covers(actor, cardReach(actor), person),
  },
  {
    action: 'view_work',
    permission: 'employees.view',
    sees: ({ actor, person }) => fieldsFor(actor)(person).work,
  },
  {
    action: 'view_private',
    permission: 'employees.view_sensitive',
    sees: ({ actor, person }) => fieldsFor(actor)(person).private,
  },
];

function explainLook(question: AccessQuestion, { action, permission, sees }: Look): Answer {
  const { actor, maySignIn, person } = question;
  const sight = covers(actor, cardReach(actor), person);
  const allowed = maySignIn && sight && sees(question);
  // users see all of their own record
  const own = isSelf(actor, person) ? reasonsFor(question, 'employees.view') : [];
  const because = [...reasonsFor(question, permission), ...(permission === 'employees.view' ? [] : own)];
  const gap = allowed ? null : (gapOf(question, permission, false) as Gap);
  return { action, permission, allowed, because, missing: gap };
}

/** For people who left, whose accounts cannot sign in, the reason does not reveal who decides about whom. */
function beyondOf(person: Person): Gap['reason'] {
  if (!isDecider(person)) return 'wider_account';
  return person.activity_status === 'inactive' ? 'state' : 'decider';
}

/** What prevents an action of a user with the permission; null if nothing does. */
function obstacleOf({ actor, person }: AccessQuestion, action: EmployeeAction): Gap | null {
  if (person.is_admin && !actor.is_admin) return missing('administrator');
  if (isSelf(actor, person) && !isOpenToSelf(action)) return missing('own_record');
  if (!isWithinCover(action, person)) return missing(beyondOf(person));
  return can(actor)(person).includes(action) ? null : missing('state');
}

function explainAction(question: AccessQuestion, action: EmployeeAction): Answer {
  const permission = permissionFor(action);
  const because = reasonsFor(question, permission);
  const gap = gapOf(question, permission, because.length > 0) ?? obstacleOf(question, action);
  return { action, permission, allowed: gap === null, because, missing: gap };
}

/** All reads and actions, each allowed or with the first missing condition, in the order of the real checks. */
export const explain = (question: AccessQuestion): Answer[] => [
  ...looks.map((look) => explainLook(question, look)),
  ...actionNames.map((action) => explainAction(question, action)),
];
