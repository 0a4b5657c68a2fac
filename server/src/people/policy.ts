import { employeeFieldGroups, employeeRows, namesWhere } from '@tenure/contract';
import type { Permission } from '@tenure/contract';
import { holds, manages, reachesDepartment, reachOf } from '../access/actor.ts';
import type { Actor, Reach } from '../access/actor.ts';
import type { Aspect, Cover } from '../access/cover.ts';
import { forbidden } from '../http/errors.ts';
import type { Field, Sent } from './fields.ts';

/** The position of a person in the organisation, which decides scopes. */
export type ScopedPerson = {
  id: number;
  entity_id: number;
  department_id: number;
  reporting_manager_id: number | null;
};

/** The columns actions depend on: position, state and account. */
export type Subject = ScopedPerson & {
  /** Null for people without a sign-in. */
  user_id: number | null;
  activity_status: string;
  employment_lifecycle: string;
  last_working_date: string | null;
  deleted_at: string | null;
  department_status: string;
  /** The account has the role Admin. */
  is_admin: boolean;
  /** How far the actor covers the account; only read if the actor has an action that depends on it. */
  cover: Cover;
  /** Files or responsibilities prevent deletion; not read for lists. */
  has_ties?: boolean;
  /** The account has a second factor; not read for lists. */
  has_second_factor?: boolean;
  /** The number of responsibilities of each kind; not counted for lists. */
  responsibilities?: Readonly<Record<string, number>>;
  /** A probation review of the person is open. */
  is_under_review: boolean;
  /** The outcome of a probation review ends the employment. */
  ended_by_review: boolean;
  probation_end_date: string | null;
  extension_count: number;
  maximum_extensions: number;
  /** First day of a pause of the probation. */
  probation_paused_from: string | null;
  /** A final probation review was submitted but not decided. */
  is_submitted: boolean;
  /** A confirmation is scheduled for a later day; not read for lists. */
  is_confirmed_ahead?: boolean;
  /** The probation's end was entered in the last two weeks. */
  is_end_fresh: boolean;
  /** Today in the person's company. */
  today: string;
};

/** The groups of fields that a reader sees in addition to the card. */
export type FieldGroups = { work: boolean; private: boolean };

export const isSelf = (actor: Actor, person: { id: number }) =>
  actor.employee_id !== null && person.id === actor.employee_id;

/** True when the reach covers the person: `peopleIn` for a single row. */
export function covers(actor: Actor, reach: Reach, person: ScopedPerson): boolean {
  if (reachesDepartment(reach, person)) return true;
  if (isSelf(actor, person)) return reach.own;
  return manages(actor, reach, person);
}

/** The reach of people whom the actor sees; `employees.view_all` widens it. */
export const cardReach = (actor: Actor) => reachOf(actor, 'employees.view', 'employees.view_all');
/** The reach of employment data that the actor sees: the scope of the roles, not widened. */
export const workReach = (actor: Actor) => reachOf(actor, 'employees.view');
/** The reach of private details that the actor sees. */
export const privateReach = (actor: Actor) => reachOf(actor, 'employees.view_sensitive');

/** The groups of fields that the actor sees, for any number of people; their own record gives a token nothing more. */
export function fieldsFor(actor: Actor): (person: ScopedPerson) => FieldGroups {
  const [work, sensitive] = [workReach(actor), privateReach(actor)];
  const isOwn = (person: ScopedPerson) => actor.token_id === undefined && isSelf(actor, person);
  return (person) => ({
    work: isOwn(person) || covers(actor, work, person),
    private: isOwn(person) || covers(actor, sensitive, person),
  });
}

const here = (person: Pick<Subject, 'deleted_at'>) => person.deleted_at === null;
const signsIn = (person: Subject) => here(person) && person.user_id !== null;
/** Former employees cannot sign in, so there is nothing to enable or disable. */
const opensDoors = (person: Subject) => signsIn(person) && person.activity_status !== 'inactive';
const hasFactor = (person: Subject) => opensDoors(person) && person.has_second_factor === true;
type Leaving = Pick<Subject, 'deleted_at' | 'employment_lifecycle' | 'last_working_date' | 'activity_status' | 'today'>;
const employed = (person: Leaving) => ['probationary', 'confirmed'].includes(person.employment_lifecycle);
const separated = (person: Leaving) => here(person) && !employed(person);

/** True when the employment is over; a person without a last working day left when they became inactive. */
export const lastDayPast = ({
  last_working_date: day,
  activity_status,
  today,
}: Pick<Subject, 'last_working_date' | 'activity_status' | 'today'>) =>
  day === null ? activity_status === 'inactive' : day < today;

/**
 * `needs` is the part of the account that the actor must cover, for actions that give or end its access or employment.
 * `isWide` requires a reach over everything, the company or the department, which managers do not have.
 */
type Action = {
  permission: Permission;
  own?: true;
  isWide?: true;
  needs?: Aspect;
  when: (person: Subject) => boolean;
};

const onTrial = (person: Subject) => here(person) && person.employment_lifecycle === 'probationary';
/** On an unpaused probation whose end no review decides. */
const hasOpenEnd = (person: Subject) =>
  onTrial(person) &&
  person.probation_end_date !== null &&
  person.probation_paused_from === null &&
  !person.is_under_review;

const actions = {
  update: { permission: 'employees.update', own: true, when: here },
  confirm: {
    permission: 'employees.update',
    when: (person) => onTrial(person) && !person.is_under_review,
  },
  'extend-probation': {
    permission: 'employees.update',
    when: (person) => hasOpenEnd(person) && person.extension_count < person.maximum_extensions,
  },
  'correct-probation': {
    permission: 'employees.update',
    isWide: true,
    when: (person) => hasOpenEnd(person) && person.is_end_fresh,
  },
  'probation-pause': {
    permission: 'employees.update',
    isWide: true,
    when: (person) =>
      onTrial(person) &&
      person.probation_end_date !== null &&
      person.probation_paused_from === null &&
      person.is_confirmed_ahead !== true &&
      !person.is_submitted,
  },
  'probation-resume': {
    permission: 'employees.update',
    isWide: true,
    when: (person) => onTrial(person) && person.probation_paused_from !== null,
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
  rehire: { permission: 'employees.create', needs: 'self', when: (person) => separated(person) && lastDayPast(person) },
  'job-history': { permission: 'employees.update', when: here },
  absences: {
    permission: 'employees.update',
    when: (person) => here(person) && (employed(person) || !lastDayPast(person)),
  },
  'past-jobs': { permission: 'employees.update', isWide: true, when: here },
  'add-file': { permission: 'employees.update', when: here },
  roles: { permission: 'employees.assign_roles', when: signsIn },
  'reset-password': { permission: 'employees.reset_password', needs: 'way_in', when: opensDoors },
  'second-factor': { permission: 'employees.reset_second_factor', needs: 'way_in', when: hasFactor },
  'sign-in-block': { permission: 'employees.reset_password', needs: 'way_in', when: opensDoors },
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
/** Permissions whose actions depend on the rights of the person's account. */
const coverPermissions = new Set<Permission>([
  // the sign-in address
  actions.update.permission,
  ...actionNames.flatMap((name) => ('needs' in actions[name] ? [actions[name].permission] : [])),
]);
/** True when the actor has an action that depends on the rights of a person's account. */
export const asksForCover = (actor: Actor): boolean =>
  [...coverPermissions].some((permission) => holds(actor, permission));

const suffices = (cover: Cover, needs: Aspect | undefined) => needs === undefined || cover.has(needs);
/** True when the actor covers the part of the account that the action needs. */
export const isWithinCover = (action: EmployeeAction, { cover }: Pick<Subject, 'cover'>): boolean =>
  suffices(cover, (actions[action] as Action).needs);

/** True when the only obstacle is that the person decides about the actor. */
export const isDecider = ({ cover }: Pick<Subject, 'cover'>): boolean => cover.has('rights') && !cover.has('way_in');

/** True for actions that people may take on their own record. */
export const isOpenToSelf = (action: EmployeeAction): boolean => (actions[action] as Action).own === true;

/** The actions that the actor may take on people now: permission, scope, relationship and state combined. */
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
      const { permission, own, isWide, needs, when }: Action = actions[name];
      const reach = reaches.get(permission) as Reach;
      return (
        (!self || own === true) &&
        suffices(person.cover, needs) &&
        when(person) &&
        (isWide ? reachesDepartment(reach, person) : covers(actor, reach, person))
      );
    });
  };
}

/** Fields of people's own records that only others may change. */
const readOnlyForSelf: ReadonlySet<Field> = new Set(namesWhere(employeeRows, 'readOnlyForSelf'));

/**
 * The part of an account that the actor must cover to change its access: another sign-in address, a first one or none,
 * or a first day or early access that enables or disables the account now. People who left decide nothing, and only
 * return with a new account; a refusal would reveal the actor's own review.
 */
export function neededToChange(person: Leaving, changed: readonly Field[]): Aspect | undefined {
  if (changed.includes('email')) return separated(person) && lastDayPast(person) ? 'rights' : 'way_in';
  return changed.includes('activity_status') || changed.includes('early_access') ? 'rights' : undefined;
}

/** True when the actor lacks the cover for such a change. */
export const movesWayIn = (person: Leaving & Pick<Subject, 'cover'>, changed: readonly Field[]): boolean =>
  !suffices(person.cover, neededToChange(person, changed));

/** Refuses changes to one's own record that only others may make. */
export function refuseOwnChanges(actor: Actor, person: { id: number }, changed: readonly Field[]): void {
  if (isSelf(actor, person) && changed.some((field) => readOnlyForSelf.has(field))) throw forbidden();
}

/** Early access before the first day requires the permission to update the person, even when creating them. */
export function refuseEarlyAccess(actor: Actor, person: ScopedPerson, sent: Sent): void {
  if (sent.early_access && !covers(actor, reachOf(actor, 'employees.update'), person)) throw forbidden();
}

/** The fields of hidden groups. */
export const unseenIn = ({ work, private: sensitive }: FieldGroups): readonly Field[] =>
  [...(work ? [] : employeeFieldGroups.work), ...(sensitive ? [] : employeeFieldGroups.private)] as Field[];

/** Refuses to write fields that the actor cannot read, so that answers reveal nothing about them. */
export function refuseUnseen(actor: Actor, person: ScopedPerson, sent: Sent): void {
  if (unseenIn(fieldsFor(actor)(person)).some((field) => sent[field] !== undefined)) throw forbidden();
}

/** Only an Admin may change an account with Admin. */
export function requireAdminFor(actor: Actor, person: { is_admin: boolean }): void {
  if (person.is_admin && !actor.is_admin) throw forbidden();
}

/** For actions that people cannot take on their own record, and for administrators' accounts. */
export function requireOther(actor: Actor, person: { id: number; is_admin: boolean }): void {
  if (isSelf(actor, person)) throw forbidden();
  requireAdminFor(actor, person);
}
