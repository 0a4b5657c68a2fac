import { employeeFieldGroups, employeeRows, namesWhere } from '@tenure/contract';
import type { Permission } from '@tenure/contract';
import { holds, manages, reachOf } from '../access/actor.ts';
import type { Actor, Reach } from '../access/actor.ts';
import type { Aspect, Cover } from '../access/cover.ts';
import { forbidden } from '../http/errors.ts';
import type { Field, Sent } from './fields.ts';

/** Where a person stands in the organisation: what scopes are decided by. */
export type Place = { id: number; entity_id: number; department_id: number; reporting_manager_id: number | null };

/** What actions depend on: place, state and account. */
export type Subject = Place & {
  activity_status: string;
  employment_lifecycle: string;
  last_working_date: string | null;
  deleted_at: string | null;
  department_status: string;
  /** The account holds Admin. */
  is_admin: boolean;
  /** How far the actor covers the account; known to who may do something that depends on it. */
  cover: Cover;
  /** Files or responsibilities hang on the record, so that it was no mistake; lists do not look. */
  has_ties?: boolean;
  /** How many there are of each kind of responsibility; lists do not count. */
  responsibilities?: Readonly<Record<string, number>>;
  /** A probation review of the person is open. */
  is_under_review: boolean;
  /** The employment ends by the outcome of a probation review. */
  ended_by_review: boolean;
  /** The day it is in the person's company. */
  today: string;
};

/** Which groups of fields somebody sees of a person beside the card. */
export type FieldGroups = { work: boolean; private: boolean };

export const isSelf = (actor: Actor, person: { id: number }) =>
  actor.employee_id !== null && person.id === actor.employee_id;

/** True when the reach covers the person: the decision of `peopleIn` for a row at hand. */
export function covers(actor: Actor, reach: Reach, person: Place): boolean {
  if (reach.everything || reach.entity_ids.includes(person.entity_id)) return true;
  if (isSelf(actor, person)) return reach.own;
  const within = reach.managed_entity_ids === null || reach.managed_entity_ids.includes(person.entity_id);
  return reach.managed && within && manages(actor, person);
}

/** Who may be seen at all; `employees.view_all` widens it. */
export const cardReach = (actor: Actor) => reachOf(actor, 'employees.view', 'employees.view_all');
/** Whose employment is seen: the scope that the roles have by themselves. */
export const workReach = (actor: Actor) => reachOf(actor, 'employees.view');
/** Whose private details are seen. */
export const privateReach = (actor: Actor) => reachOf(actor, 'employees.view_sensitive');

/** The groups of fields the actor sees, for any number of people. */
export function fieldsFor(actor: Actor): (person: Place) => FieldGroups {
  const [work, sensitive] = [workReach(actor), privateReach(actor)];
  return (person) => ({
    work: isSelf(actor, person) || covers(actor, work, person),
    private: isSelf(actor, person) || covers(actor, sensitive, person),
  });
}

const here = (person: Subject) => person.deleted_at === null;
const employed = (person: Subject) => ['probationary', 'confirmed'].includes(person.employment_lifecycle);
const separated = (person: Subject) => here(person) && !employed(person);

/** True when nothing is left of the employment; who has no last day left when they became inactive. */
export const lastDayPast = ({
  last_working_date: day,
  activity_status,
  today,
}: Pick<Subject, 'last_working_date' | 'activity_status' | 'today'>) =>
  day === null ? activity_status === 'inactive' : day < today;

/** `needs` is what of the account must lie within what the actor may, whose way in or work the action opens or ends. */
type Action = { permission: Permission; own?: true; needs?: Aspect; when: (person: Subject) => boolean };

const actions = {
  update: { permission: 'employees.update', own: true, when: here },
  confirm: {
    permission: 'employees.update',
    when: (person) => here(person) && person.employment_lifecycle === 'probationary' && !person.is_under_review,
  },
  deactivate: {
    permission: 'employees.deactivate',
    needs: 'reach',
    when: (person) => here(person) && person.activity_status !== 'inactive',
  },
  separate: {
    permission: 'employees.deactivate',
    needs: 'reach',
    when: (person) => here(person) && employed(person),
  },
  'withdraw-separation': {
    permission: 'employees.deactivate',
    needs: 'rights',
    when: (person) => separated(person) && !lastDayPast(person) && !person.ended_by_review,
  },
  reactivate: {
    permission: 'employees.deactivate',
    needs: 'rights',
    when: (person) =>
      here(person) &&
      person.activity_status === 'inactive' &&
      employed(person) &&
      person.department_status === 'active',
  },
  rehire: {
    permission: 'employees.create',
    needs: 'self',
    when: (person) => separated(person) && lastDayPast(person),
  },
  'job-history': { permission: 'employees.update', when: here },
  roles: { permission: 'employees.assign_roles', when: here },
  'reset-password': {
    permission: 'employees.reset_password',
    needs: 'way_in',
    when: (person) => here(person) && person.activity_status !== 'inactive',
  },
  delete: {
    permission: 'employees.deactivate',
    needs: 'reach',
    when: (person) => here(person) && person.has_ties === false,
  },
  reassign: {
    permission: 'employees.deactivate',
    when: (person) => here(person) && Object.values(person.responsibilities ?? {}).some((count) => count > 0),
  },
  restore: {
    permission: 'employees.deactivate',
    needs: 'self',
    when: (person) => !here(person) && person.department_status === 'active',
  },
} as const satisfies Record<string, Action>;

export type EmployeeAction = keyof typeof actions;
export const actionNames = Object.keys(actions) as EmployeeAction[];
export const permissionFor = (action: EmployeeAction): Permission => actions[action].permission;
/** Permissions whose actions depend on what the account of the person may do. */
const coverPermissions = new Set<Permission>([
  // the address somebody signs in with
  actions.update.permission,
  ...actionNames.flatMap((name) => ('needs' in actions[name] ? [actions[name].permission] : [])),
]);
/** May the actor do anything that depends on what the account of a person may do? */
export const asksForCover = (actor: Actor): boolean =>
  [...coverPermissions].some((permission) => holds(actor, permission));

const suffices = (cover: Cover, needs: Aspect | undefined) => needs === undefined || cover.has(needs);
/** True when what the account of the person may do is no obstacle to the action. */
export const isWithinCover = (action: EmployeeAction, { cover }: Pick<Subject, 'cover'>): boolean =>
  suffices(cover, (actions[action] as Action).needs);

/** True when nothing but that the person decides about the actor is in the way. */
export const isDecider = ({ cover }: Pick<Subject, 'cover'>): boolean => cover.has('rights') && !cover.has('way_in');

/** True for what people may do to their own record. */
export const isOpenToSelf = (action: EmployeeAction): boolean => (actions[action] as Action).own === true;

/** What the actor may do now, for any number of people: permission, scope, relationship and state together. */
export function can(actor: Actor): (person: Subject) => EmployeeAction[] {
  const reaches = new Map<Permission, Reach>();
  for (const name of actionNames) {
    const { permission } = actions[name];
    if (!reaches.has(permission)) reaches.set(permission, reachOf(actor, permission));
  }
  return (person) => {
    if (person.is_admin && !actor.is_admin) return [];
    const self = isSelf(actor, person);
    return actionNames.filter((name) => {
      const { permission, own, needs, when }: Action = actions[name];
      return (
        (!self || own === true) &&
        suffices(person.cover, needs) &&
        when(person) &&
        covers(actor, reaches.get(permission) as Reach, person)
      );
    });
  };
}

/** Fields of the own record that others decide. */
const decidedByOthers: ReadonlySet<Field> = new Set(namesWhere(employeeRows, 'readOnlyForSelf'));

/**
 * What of an account must lie within what the actor may, for a change of the record that moves the way into it: another
 * address to sign in with; a first day or an early access that lets the person in now or keeps them out.
 */
export function neededToChange(changed: readonly Field[]): Aspect | undefined {
  if (changed.includes('email')) return 'way_in';
  return changed.includes('activity_status') || changed.includes('early_access') ? 'rights' : undefined;
}

/** True when such a change of the person is not for the actor. */
export const movesWayIn = ({ cover }: Pick<Subject, 'cover'>, changed: readonly Field[]): boolean =>
  !suffices(cover, neededToChange(changed));

/** Refuses changes of the own record that only others make. */
export function refuseOwnChanges(actor: Actor, person: { id: number }, changed: readonly Field[]): void {
  if (isSelf(actor, person) && changed.some((field) => decidedByOthers.has(field))) throw forbidden();
}

/** Letting somebody sign in before the first day is a change of the person, also where the person is added with it. */
export function refuseEarlyAccess(actor: Actor, person: Place, sent: Sent): void {
  if (sent.early_access && !covers(actor, reachOf(actor, 'employees.update'), person)) throw forbidden();
}

/** The fields of the groups that somebody does not see. */
export const unseenIn = ({ work, private: sensitive }: FieldGroups): readonly Field[] =>
  [...(work ? [] : employeeFieldGroups.work), ...(sensitive ? [] : employeeFieldGroups.private)] as Field[];

/** Refuses to write what the actor could not read: guessing at it must tell nothing. */
export function refuseUnseen(actor: Actor, person: Place, sent: Sent): void {
  if (unseenIn(fieldsFor(actor)(person)).some((field) => sent[field] !== undefined)) throw forbidden();
}

/** Whose account holds Admin is changed by an Admin only. */
export function requireAdminFor(actor: Actor, person: { is_admin: boolean }): void {
  if (person.is_admin && !actor.is_admin) throw forbidden();
}

/** For the steps nobody takes on the own record, and for accounts of administrators. */
export function requireOther(actor: Actor, person: { id: number; is_admin: boolean }): void {
  if (isSelf(actor, person)) throw forbidden();
  requireAdminFor(actor, person);
}
