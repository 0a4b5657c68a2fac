import { statusByDates, text } from '@tenure/contract';
import { sha256Hex } from '../../crypto/crypto.ts';
import { say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import type { Sent } from '../../people/fields.ts';
import { movesWayIn, unseenIn } from '../../people/policy.ts';
import type { ScopedPerson } from '../../people/policy.ts';
import { checkPerson } from '../../people/rules.ts';
import type { Verdict } from '../../people/rules.ts';
import { formulaErrors, skippedCellWarnings } from '../../imports/remarks.ts';
import { assumedStatus } from './assumed-status.ts';
import { readMeanings, readValues, withDefaults } from './cells.ts';
import type { Meanings } from './cells.ts';
import { emailKey, numberKey, rowsWith } from './file-keys.ts';
import type { Person } from './people.ts';
import { keyOf } from '../../imports/record.ts';
import type { Outcome, StagedCells } from '../../imports/record.ts';
import { findReferences } from './references.ts';
import { changesOf, planText } from './row-changes.ts';
import type { Plan } from './row-changes.ts';
import { emailTaken, isProtectedFrom, notPermitted, numberTaken, unseenFields } from './row-refusals.ts';
import { isDefault, checkRoles, checkWithoutSignIn } from './row-roles.ts';
import type { RoleVerdict } from './row-roles.ts';
import type { Known, ImportContext } from './import-context.ts';

export type Checked = Outcome & {
  plan: Plan | null;
  /** The person of the row: the id of an existing person, or the negative row number of a new one. */
  node: number;
  /** The manager after the import, in the same form. */
  manager: number | null;
  /** The person will be active, or join later. */
  employed: boolean;
};

type Row = {
  staged: StagedCells;
  meanings: Meanings;
  person: Person | undefined;
  /** The person whose number a row for a new person uses. */
  taken?: Person | undefined;
};
type Read = { sent: Sent; errors: FieldErrors; warnings: FieldErrors };

const noAddress = say('email', text('imports.no_address_no_sign_in'));
const noErrors: FieldErrors = Object.freeze({});
const orNoErrors = (found: FieldErrors) => (Object.keys(found).length > 0 ? found : noErrors);

function outcome({ staged, meanings, person }: Row, { errors, warnings }: Omit<Read, 'sent'>): Checked {
  const isFailed = Object.keys(errors).length > 0;
  return {
    row: staged.row,
    status: isFailed ? 'failed' : 'valid',
    action: isFailed ? 'none' : 'skip',
    key: keyOf(meanings.employee_number),
    subject_id: (!isFailed && person?.id) || null,
    errors: orNoErrors(errors),
    warnings: orNoErrors(warnings),
    changes: null,
    digest: isFailed ? '' : 'skip',
    plan: null,
    node: person?.permitted ? person.id : -staged.row,
    manager: null,
    employed: person !== undefined && person.activity_status !== 'inactive',
  };
}

/** The outcome of a row that failed for these reasons. */
export const asFailed = (checked: Checked, errors: FieldErrors): Checked => ({
  ...checked,
  status: 'failed',
  action: 'none',
  subject_id: null,
  changes: null,
  plan: null,
  digest: '',
  errors,
});

const repeated = (rows: readonly number[]) =>
  rows.length > 5
    ? text('imports.duplicate_in_rows_and_more', { rows: rows.slice(0, 5).join(', ') })
    : text('imports.duplicate_in_rows', { rows: { list: rows } });

/** Numbers and addresses that the file contains more than once. */
function duplicates({ keys }: ImportContext, meanings: Meanings): FieldErrors {
  const errors: FieldErrors = {};
  const check = (field: string, rows: readonly number[]) => {
    if (rows.length > 1) errors[field] = [say(field, repeated(rows))];
  };
  if (meanings.employee_number) check('employee_number', rowsWith(keys.numbers, numberKey(meanings.employee_number)));
  if (meanings.email) check('email', rowsWith(keys.emails, emailKey(meanings.email)));
  return errors;
}

/** True if the number must not belong to this person yet; the other cells are checked as for a new person. */
const isTaken = ({ record: { on_conflict } }: ImportContext, { permitted, deleted_at }: Person) =>
  permitted && (on_conflict === 'fail' || (on_conflict === 'update' && deleted_at !== null));

/** Refuses or skips rows about existing people that the import must not update. */
function refusedOrSkipped(context: ImportContext, row: Row): Checked | undefined {
  const { person, staged } = row;
  const { on_conflict } = context.record;
  if (!person) return undefined;
  if (!person.permitted) return outcome(row, { errors: { employee_number: [notPermitted] }, warnings: noErrors });
  const warnings = skippedCellWarnings(context.record, staged);
  const errors = duplicates(context, row.meanings);
  if (on_conflict === 'update') return undefined;
  if (person.deleted_at !== null) warnings.employee_number = numberTaken(person);
  return outcome(row, { errors, warnings });
}

/** Reads a row with the errors of its values and its references. */
function readRow(context: ImportContext, known: Known, { staged, meanings: raw, person, taken }: Row): Read {
  const { record } = context;
  const meanings = person ? raw : withDefaults(raw, record.defaults);
  const values = readValues(meanings, record.date_format);
  const found = findReferences(context, { row: staged.row, meanings, raw, person });
  const errors = { ...values.errors, ...found.errors, ...duplicates(context, raw), ...formulaErrors(record, staged) };
  const account = values.sent.email ? known.accounts.get(values.sent.email) : undefined;
  const owner = person ?? taken;
  if (account && account.employee_id !== owner?.id) errors.email ??= emailTaken(account);
  if (taken) errors.employee_number = numberTaken(taken);
  // the number identifies the person; another spelling does not change it
  const { employee_number, ...others } = values.sent;
  return {
    sent: { ...(person ? others : values.sent), ...found.refs },
    errors,
    warnings: { ...skippedCellWarnings(record, staged), ...found.warnings },
  };
}

const checkedBy = ({ groupsOf }: ImportContext, person: Person) => ({
  id: person.id,
  stored: person.values,
  reviews: person,
  unseen: unseenIn(groupsOf(person)),
});

function checkSent(context: ImportContext, person: Person | undefined, sent: Sent): Verdict {
  const { organisation: known, ruleManagers, today } = context;
  const kind = person ? 'update' : 'create';
  return checkPerson(person ? { kind: 'update', ...checkedBy(context, person) } : { kind: 'create' }, sent, {
    entities: known.entities[kind],
    departments: known.departments[kind],
    managers: ruleManagers,
    today,
  });
}

/** Applies the form rules to the row, without repeating errors of unreadable values. */
function checkValues(context: ImportContext, person: Person | undefined, read: Read): Verdict {
  const first = checkSent(context, person, read.sent);
  const byDates = context.record.defaults.employment_lifecycle === statusByDates;
  const assumed = byDates && !person ? assumedStatus(read.sent, first) : undefined;
  const verdict = assumed ? checkSent(context, person, { ...read.sent, employment_lifecycle: assumed.status }) : first;
  if (assumed) read.warnings.employment_lifecycle = [assumed.warning];
  for (const [field, found] of Object.entries(verdict.errors)) {
    if (field === 'department_id' && read.errors.entity_id && read.sent.department_id === undefined) continue;
    read.errors[field] ??= found;
  }
  Object.assign(read.warnings, verdict.warnings);
  return verdict;
}

const scopeOf = ({ values }: Verdict, person: Person | undefined): ScopedPerson => ({
  id: person?.id ?? 0,
  entity_id: values.entity_id ?? 0,
  department_id: values.department_id ?? 0,
  reporting_manager_id: values.reporting_manager_id,
});

function rolesOf(
  { actor, roles }: ImportContext,
  { person }: Row,
  named: Meanings['role'],
  verdict: Verdict,
): RoleVerdict {
  const holder = scopeOf(verdict, person);
  if (verdict.values.email === null) return checkWithoutSignIn(roles, { named, isNew: person === undefined });
  if (person?.user_id !== null) return checkRoles(actor, roles, { named, held: person?.roles ?? null, person: holder });
  // the first address gives the default role
  const { given, error } = checkRoles(actor, roles, { named, held: null, person: holder });
  if (error) return { given: null, error };
  return { given: given?.every(({ role }) => isDefault(role)) ? null : given };
}

function planned(context: ImportContext, row: Row, read: Read, plan: Plan, manager: string | null): Checked {
  const base = outcome(row, read);
  const { values } = plan;
  return {
    ...base,
    action: plan.person ? 'update' : 'create',
    changes: plan.person ? changesOf(context, plan, manager) : null,
    digest: sha256Hex(planText(context, plan, manager)).slice(0, 16),
    plan,
    manager: values.reporting_manager_id,
    employed: values.activity_status !== 'inactive',
  };
}

const managerText = ({ record }: ImportContext, { meanings, person }: Row) =>
  (person ? meanings : withDefaults(meanings, record.defaults)).reporting_manager ?? null;

/** Checks one row: its outcome, its errors, and what a commit writes for it. */
export function checkRow(context: ImportContext, known: Known, staged: StagedCells): Checked {
  const meanings = readMeanings(staged.cells, context.layout);
  if (staged.flaws?.left_out)
    return outcome({ staged, meanings, person: undefined }, { errors: noErrors, warnings: noErrors });
  const found = meanings.employee_number ? known.people.get(numberKey(meanings.employee_number)) : undefined;
  const taken = found && isTaken(context, found) ? found : undefined;
  const person = taken ? undefined : found;
  const row = { staged, meanings, person, taken };
  const early = refusedOrSkipped(context, row);
  if (early) return early;
  const read = readRow(context, known, row);
  const verdict = checkValues(context, person, read);
  if (!person && verdict.values.email === null && !read.errors.email) read.warnings.email = [noAddress];
  const groups = context.groupsOf(person ?? scopeOf(verdict, person));
  // without company and department, it is unknown which fields the importer can set
  if (!read.errors.entity_id && !read.errors.department_id) Object.assign(read.errors, unseenFields(groups, read.sent));
  const roleText = person ? meanings.role : withDefaults(meanings, context.record.defaults).role;
  const { given, error } = rolesOf(context, row, roleText, verdict);
  if (error) read.errors.role = [error];
  const changes = verdict.changed.length > 0 || given !== null || Object.keys(read.errors).length > 0;
  if (person && changes && (isProtectedFrom(context.actor, person) || movesWayIn(person, verdict.changed)))
    return outcome(row, { errors: { employee_number: [notPermitted] }, warnings: noErrors });
  if (Object.keys(read.errors).length > 0 || (person && !changes)) return outcome(row, read);
  const { values, changed } = verdict;
  const plan: Plan = { values, changed, person: person ?? null, roles: given };
  return planned(context, row, read, plan, managerText(context, row));
}
