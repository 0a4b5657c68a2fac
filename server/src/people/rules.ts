import { stateOf } from '../states.ts';
import type { Text } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { probationEnd } from '@tenure/contract/probation-days';
import { say } from '../http/errors.ts';
import type { FieldErrors } from '../http/errors.ts';
import { emptyValues, employeeFields, isSame, merge } from './fields.ts';
import type { Field, Sent, Values } from './fields.ts';

/** A company in the scope of the writer. `today` is the day in its time zone. */
export type RuleEntity = { id: number; status: string; probation_months: number; today: string };
/** A department in the scope of the writer. */
export type RuleDepartment = { id: number; entity_id: number; status: string };
/** A person who can be named as manager, even if they join later. */
export type RuleManager = { id: number; is_employed: boolean };

/** The records that fields refer to; a record missing here does not exist. */
export type RuleContext = {
  entities: ReadonlyMap<number, RuleEntity>;
  departments: ReadonlyMap<number, RuleDepartment>;
  managers: ReadonlyMap<number, RuleManager>;
  /** Today, if no company determines it. */
  today: string;
};

/** What probation reviews decided about the end of a probation. */
export type DecidedReviews = {
  /** A review is open. */
  is_under_review: boolean;
  /** The person will be confirmed on a later day. */
  is_confirmed_ahead: boolean;
  /** Probation ends that have a decision: no further review opens for them. */
  decided_ends: readonly string[];
  /** The probation is paused. */
  is_paused?: boolean;
  /** The last day of the previous employment; null for the first one. */
  left_before?: string | null;
};

/** The purpose of the fields: a new person, a change, or a new employment of a former employee. */
export type Purpose = { kind: 'create' } | ({ kind: 'update' } & OfPerson) | ({ kind: 'rehire' } & OfPerson);
type OfPerson = {
  id: number;
  stored: Values;
  reviews?: DecidedReviews;
  /** Fields hidden from the sender: no refusal may depend on their stored values. */
  unseen?: readonly Field[];
};

export type Verdict = {
  /** The complete fields to store, with defaults. */
  values: Values;
  /** Fields whose value differs from the stored one. */
  changed: Field[];
  errors: FieldErrors;
  /** Warnings that block nothing. */
  warnings: FieldErrors;
};

type Case = {
  purpose: Purpose;
  values: Values;
  context: RuleContext;
  today: string;
  /** True for a new value, which must satisfy the current rules. */
  isNew: (field: Field) => boolean;
  refuse: (field: Field, message: Text) => void;
  warn: (field: Field, message: Text) => void;
};

const employmentEnds = ['resigned', 'terminated'];
/** The joining date, compared with today in the company, decides between active and joining. */
export const activityOn = (joining_date: string | null, today: string): 'active' | 'joining' =>
  joining_date !== null && joining_date > today ? 'joining' : 'active';

const byTransition = [
  'activity_status',
  'employment_lifecycle',
  'confirmation_date',
  'notice_date',
  'last_working_date',
] as const;
/** Fields that a new employment resets. */
const ofEmployment = [...byTransition, 'joining_date', 'probation_start_date', 'probation_end_date'] as const;
const references = ['entity_id', 'department_id', 'reporting_manager_id'] as const;

/** The reason why a probation cannot end on that day. */
export const decidedEnd = text('probation.day_decided');

const youngestAge = 14;
const yearsAfter = (day: string, years: number) => Temporal.PlainDate.from(day).add({ years }).toString();

function startingValues(purpose: Purpose): Values {
  if (purpose.kind === 'create') return emptyValues;
  if (purpose.kind === 'update') return purpose.stored;
  const ended = Object.fromEntries(ofEmployment.map((field) => [field, null]));
  return { ...purpose.stored, ...ended, early_access: false };
}

function fillIn(values: Values, entity: RuleEntity | undefined): Values {
  const filled = { ...values };
  filled.employment_type ??= 'full_time';
  filled.employment_lifecycle ??= entity?.probation_months === 0 ? 'confirmed' : 'probationary';
  if (filled.employment_lifecycle === 'probationary' && entity) {
    filled.probation_start_date ??= filled.joining_date;
    if (filled.probation_start_date && entity.probation_months > 0)
      filled.probation_end_date ??= probationEnd(filled.probation_start_date, entity.probation_months);
  }
  const left = employmentEnds.includes(filled.employment_lifecycle);
  const lastDay = filled.last_working_date;
  const gone = left && (lastDay === null || (entity !== undefined && lastDay < entity.today));
  filled.activity_status ??= gone ? 'inactive' : 'active';
  return filled;
}

/**
 * Derives active or joining from the dates; an update only changes it when a date changes. Early access ends with the
 * first day.
 */
function withActivity(purpose: Purpose, values: Values, today: string): Values {
  const stored = purpose.kind === 'update' ? purpose.stored : undefined;
  if (values.activity_status === 'inactive' || stored?.activity_status === 'inactive') return values;
  const stays = stored?.joining_date === values.joining_date && stored.entity_id === values.entity_id;
  const activity_status = stays ? stored.activity_status : activityOn(values.joining_date, today);
  const begins = stored?.activity_status === 'joining' && activity_status === 'active';
  return { ...values, activity_status, ...(begins && { early_access: false }) };
}

function checkReferences({ values, context, isNew, refuse, purpose }: Case) {
  const { entity_id, department_id, reporting_manager_id } = values;
  const entity = entity_id === null ? undefined : context.entities.get(entity_id);
  if (isNew('entity_id') && entity?.status !== 'active') refuse('entity_id', messages.unavailable);
  const department = department_id === null ? undefined : context.departments.get(department_id);
  const moved = isNew('department_id') || isNew('entity_id');
  if (moved && (department?.status !== 'active' || department.entity_id !== entity_id))
    refuse('department_id', messages.unavailable);
  if (reporting_manager_id === null || !isNew('reporting_manager_id')) return;
  const self = purpose.kind !== 'create' && purpose.id === reporting_manager_id;
  if (self || !context.managers.get(reporting_manager_id)?.is_employed)
    refuse('reporting_manager_id', messages.unavailable);
}

/** Only transitions change the state of an employment. */
function refuseTransitions({ values, isNew, refuse }: Case, stored: Values) {
  // active and joining follow from the dates
  const isSettled = ![values.activity_status, stored.activity_status].includes('inactive');
  for (const field of byTransition)
    if (isNew(field) && !(isSettled && field === 'activity_status')) refuse(field, text('validation.fixed_here'));
}

/** The states and dates of a new employment must fit each other. */
function checkStartingState({ values, today, refuse, purpose }: Case) {
  const {
    employment_lifecycle: lifecycle,
    activity_status,
    confirmation_date,
    notice_date,
    last_working_date,
  } = values;
  const leaving = employmentEnds.includes(lifecycle ?? '');
  const prohibited = text('validation.prohibited_in_lifecycle', { state: stateOf(lifecycle ?? '') });
  if (confirmation_date !== null && lifecycle !== 'confirmed') refuse('confirmation_date', prohibited);
  else if (confirmation_date !== null && confirmation_date > today)
    refuse('confirmation_date', messages.beforeOrEqual(today));
  if (notice_date !== null && !leaving) refuse('notice_date', prohibited);
  if (last_working_date !== null && !leaving) refuse('last_working_date', prohibited);
  if (notice_date !== null && last_working_date !== null && last_working_date < notice_date)
    refuse('last_working_date', messages.afterOrEqual({ field: 'notice_date' }));
  if (purpose.kind === 'rehire' && leaving) refuse('employment_lifecycle', messages.selected);
  const gone = leaving && (last_working_date === null || last_working_date < today);
  if ((gone && activity_status !== 'inactive') || (purpose.kind === 'rehire' && activity_status === 'inactive'))
    refuse('activity_status', messages.selected);
}

function checkEmploymentState(one: Case) {
  if (one.purpose.kind === 'update') refuseTransitions(one, one.purpose.stored);
  else checkStartingState(one);
}

/** Prevents changing the probation end to bypass an open or decided review. */
function checkProbationEnd({ values, isNew, refuse, purpose }: Case) {
  if (purpose.kind === 'create' || !purpose.reviews || !isNew('probation_end_date')) return;
  const { is_under_review, is_confirmed_ahead, decided_ends, is_paused } = purpose.reviews;
  const { employment_lifecycle: lifecycle, probation_end_date: end } = values;
  const { employment_lifecycle: before, probation_end_date: former } = purpose.stored;
  const isOnProbation = purpose.kind === 'update' && lifecycle === 'probationary' && before === 'probationary';
  if (is_under_review) refuse('probation_end_date', text('probation.end_by_outcome'));
  else if (is_confirmed_ahead) refuse('probation_end_date', text('probation.end_decided'));
  else if (lifecycle === 'probationary' && end !== null && decided_ends.includes(end))
    refuse('probation_end_date', decidedEnd);
  else if (isOnProbation && is_paused) refuse('probation_end_date', text('probation.end_paused'));
  // a later day is an extension, which needs a reason and is counted; without an end there is nothing to extend
  else if (isOnProbation && former !== null && (end === null || end > former))
    refuse('probation_end_date', text('probation.extend_instead'));
}

/** True when a message about these fields would reveal a hidden value. */
const isGuess = (purpose: Purpose, fields: readonly Field[]): boolean =>
  purpose.kind !== 'create' && fields.some((field) => purpose.unseen?.includes(field));

/** A new employment begins after the previous one. */
function checkFirstDay({ purpose, values: { joining_date: first }, isNew, refuse }: Case) {
  if (purpose.kind !== 'update' || first === null || !isNew('joining_date')) return;
  const before = purpose.reviews?.left_before ?? null;
  if (before !== null && first <= before) refuse('joining_date', messages.after(before));
}

function checkAge({ purpose, values: { date_of_birth, joining_date }, today, isNew, refuse }: Case) {
  if (date_of_birth === null) return;
  if (isNew('date_of_birth') && date_of_birth >= today) {
    refuse('date_of_birth', messages.before('today'));
    return;
  }
  if (joining_date === null || !(isNew('date_of_birth') || isNew('joining_date'))) return;
  if (isGuess(purpose, ['date_of_birth', 'joining_date'])) return;
  if (joining_date < yearsAfter(date_of_birth, youngestAge))
    refuse('joining_date', text('validation.youngest_age', { years: youngestAge }));
}

function checkProbationDates({ values, today, isNew, refuse, warn }: Case) {
  const { probation_start_date: start, probation_end_date: end } = values;
  if (start !== null && end !== null && end <= start && (isNew('probation_start_date') || isNew('probation_end_date')))
    refuse('probation_end_date', messages.after({ field: 'probation_start_date' }));
  else if (values.employment_lifecycle === 'probationary' && end !== null && end < today && isNew('probation_end_date'))
    warn('probation_end_date', text('employees.probation_end_past'));
}

/** Early access only has a meaning before the first day. */
function checkEarlyAccess({ values, isNew, refuse }: Case) {
  if (values.early_access && isNew('early_access') && values.activity_status === 'active')
    refuse('early_access', text('employees.early_access_only_before_joining'));
}

function checkPresence({ values, refuse, purpose }: Case) {
  const needed = ['first_name', 'last_name', 'entity_id', 'department_id'] as const;
  for (const field of needed) if (values[field] === null) refuse(field, messages.required);
  // a new person without a number gets the next one
  if (purpose.kind !== 'create' && values.employee_number === null) refuse('employee_number', messages.required);
}

/** Sorts messages by the order of the fields. */
const ordered = (found: FieldErrors): FieldErrors =>
  Object.keys(found).length < 2
    ? found
    : Object.fromEntries(employeeFields.flatMap((field) => (found[field] ? [[field, found[field]]] : [])));

/**
 * Checks the fields of a person, for form, import and rehire alike: fills in defaults, and checks fields against each
 * other and their references. Depends only on its arguments. Types and lengths are checked before; the caller checks
 * for management cycles and for unique number and email.
 */
export function checkPerson(purpose: Purpose, sent: Sent, context: RuleContext): Verdict {
  const start = startingValues(purpose);
  const merged = merge(start, sent);
  const entity = merged.entity_id === null ? undefined : context.entities.get(merged.entity_id);
  const today = entity?.today ?? context.today;
  const values = withActivity(purpose, purpose.kind === 'update' ? merged : fillIn(merged, entity), today);
  const stored = purpose.kind === 'create' ? emptyValues : purpose.stored;
  const changed = employeeFields.filter((field) => !isSame(stored[field], values[field]));
  const fresh = new Set<Field>(purpose.kind === 'update' ? changed : [...changed, ...references, ...ofEmployment]);
  const [errors, warnings]: [FieldErrors, FieldErrors] = [{}, {}];
  const found: Case = {
    purpose,
    values,
    context,
    today,
    isNew: (field) => fresh.has(field),
    refuse: (field, message) => (errors[field] ??= [say(field, message)]),
    warn: (field, message) => (warnings[field] ??= [message]),
  };
  for (const check of [
    checkPresence,
    checkReferences,
    checkEmploymentState,
    checkProbationEnd,
    checkFirstDay,
    checkAge,
    checkProbationDates,
    checkEarlyAccess,
  ])
    check(found);
  return { values, changed, errors: ordered(errors), warnings: ordered(warnings) };
}
