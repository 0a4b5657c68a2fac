import type { AccessAnswer, AccessReason, Permission, Ref } from '@tenure/contract';
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

/** Explains why an account can or cannot act on a person: the decisions of the real checks and their sources. */

export type Person = Subject & { department: Ref };
type Gap = NonNullable<AccessAnswer['missing']>;
type Names = ReadonlyMap<number, string>;
type Asked = { actor: Actor; maySignIn: boolean; person: Person; entityNames: Names };

const gaps: Record<Gap['reason'], string> = {
  sign_in: 'This account may not sign in.',
  permission: 'None of the roles holds the permission.',
  scope: 'The roles that hold the permission do not reach this person.',
  own_record: 'Nobody does this to the own record.',
  administrator: 'The account of this person holds Admin, so only an Admin may do this.',
  wider_account: 'The account of this person may do more than this account.',
  decider: 'This person manages or reviews the one of this account.',
  state: 'The record is not in a state that allows this.',
};

/** The part of a grant's reach that covers the person. */
function scopeOf(actor: Actor, reach: ReturnType<typeof reachOf>, person: Person): AccessReason['scope'] {
  if (reach.everything) return 'all';
  if (reach.entity_ids.includes(person.entity_id)) return 'entity';
  if (isSelf(actor, person)) return 'self';
  return person.reporting_manager_id === actor.employee_id ? 'team' : 'department';
}

export const entityRefs = (ids: readonly number[] | null, names: Names): Ref[] | null =>
  ids && ids.map((id) => ({ id, name: names.get(id) ?? '' }));

/** What one grant contributes to a permission on the person; nothing when it does not reach the person. */
function reasonOf({ actor, person, entityNames }: Asked, grant: Grant, permission: Permission): AccessReason[] {
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
      entities: entityRefs(grant.entity_ids, entityNames),
      department: scope === 'department' ? person.department : null,
    },
  ];
}

const reasonsFor = (asked: Asked, permission: Permission) =>
  asked.actor.grants.flatMap((grant) => reasonOf(asked, grant, permission));

const missing = (reason: Gap['reason']): Gap => ({ reason, message: gaps[reason] });

function gapOf({ actor, maySignIn, person }: Asked, permission: Permission, isReached: boolean): Gap | null {
  if (!maySignIn) return missing('sign_in');
  if (!holds(actor, permission)) return missing('permission');
  return isReached && covers(actor, cardReach(actor), person) ? null : missing('scope');
}

type Look = { action: AccessAnswer['action']; permission: Permission; sees: (asked: Asked) => boolean };

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

function explainLook(asked: Asked, { action, permission, sees }: Look): AccessAnswer {
  const { actor, maySignIn, person } = asked;
  const sight = covers(actor, cardReach(actor), person);
  const allowed = maySignIn && sight && sees(asked);
  // readers of the own record see all of it
  const own = isSelf(actor, person) ? reasonsFor(asked, 'employees.view') : [];
  const because = [...reasonsFor(asked, permission), ...(permission === 'employees.view' ? [] : own)];
  const gap = allowed ? null : (gapOf(asked, permission, false) as Gap);
  return { action, permission, allowed, because, missing: gap };
}

function explainAction(asked: Asked, action: EmployeeAction): AccessAnswer {
  const { actor, person } = asked;
  const permission = permissionFor(action);
  const because = reasonsFor(asked, permission);
  const gap =
    gapOf(asked, permission, because.length > 0) ??
    (person.is_admin && !actor.is_admin
      ? missing('administrator')
      : isSelf(actor, person) && !isOpenToSelf(action)
        ? missing('own_record')
        : !isWithinCover(action, person)
          ? missing(isDecider(person) ? 'decider' : 'wider_account')
          : can(actor)(person).includes(action)
            ? null
            : missing('state'));
  return { action, permission, allowed: gap === null, because, missing: gap };
}

/** All reads and actions, each allowed or with the first missing condition, in the order of the real checks. */
export const explain = (asked: Asked): AccessAnswer[] => [
  ...looks.map((look) => explainLook(asked, look)),
  ...actionNames.map((action) => explainAction(asked, action)),
];
