import { describeIssue, employeeInput, messages, text } from '@tenure/contract';
import { sha256Hex } from '../../crypto/crypto.ts';
import type { Actor } from '../../access/actor.ts';
import { quoted } from '../../quoted.ts';
import { fold } from '../../db/fold.ts';
import { say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { hasInvalidCharacters, ofIssues } from '../../http/validation.ts';
import { isEndless, readDate } from '../../imports/dates.ts';
import { keyOf } from '../../imports/record.ts';
import type { ImportRecord, Outcome } from '../../imports/record.ts';
import { formulaErrors, skippedCellWarnings } from '../../imports/remarks.ts';
import { isSelf } from '../../people/policy.ts';
import type { PastRow } from '../job-history/past-rows.ts';
import { choices } from './choices.ts';
import { managerKey, placeKey } from './known.ts';
import type { Managers, Person, Places } from './known.ts';
import type { Group, Line } from './lines.ts';
import { checkJobs } from './plan-jobs.ts';
import type { Entered, FileJob, JobValues, CheckedJob } from './plan-jobs.ts';

export type HistoryContext = { actor: Actor; record: ImportRecord; places: Places; managers: Managers };
/** The checked rows of a person: the jobs that a commit adds to the known ones. */
export type Checked = {
  outcomes: Outcome[];
  person: Person | undefined;
  days: CheckedJob[];
  known: readonly PastRow[];
  entered: readonly Entered[];
};

type Read = { line: Line; job: FileJob | undefined; errors: FieldErrors };

/** Reads a day of a row, with its error. */
function readDay(
  { meanings }: Line,
  field: 'effective_from' | 'effective_to',
  record: ImportRecord,
  errors: FieldErrors,
) {
  const written = meanings[field];
  if (typeof written !== 'string') return undefined;
  const day = readDate(written, record.date_format);
  if (field === 'effective_to' && isEndless(day)) return undefined;
  const read = employeeInput.joining_date.safeParse(day);
  if (read.success && typeof read.data === 'string') return read.data;
  errors[field] = [text('imports.not_a_date', { value: quoted(written), format: { date_format: record.date_format } })];
  return undefined;
}

const plainFields = ['job_title', 'grade', 'employment_type', 'employment_lifecycle'] as const;
const isChoice = (field: string) => field.startsWith('employment_');

/** Reads the values of a row that its cells contain, with their errors. */
function readPlain({ meanings }: Line, values: JobValues, errors: FieldErrors): void {
  for (const field of plainFields) {
    const written = meanings[field];
    if (written === undefined) continue;
    if (typeof written === 'string' && hasInvalidCharacters(written)) {
      errors[field] = [say(field, messages.characters)];
      continue;
    }
    const cell = written !== null && isChoice(field) ? choices.read(field, written) : written;
    const read = employeeInput[field].safeParse(cell, { error: describeIssue });
    const possible = choices.of(field);
    if (read.success && !(read.data === null && isChoice(field))) Object.assign(values, { [field]: read.data });
    else if (possible && written !== null)
      errors[field] = [
        text('imports.not_a_choice', { value: quoted(written), choices: { choices: possible, of: field } }),
      ];
    else
      errors[field] = [
        ...ofIssues(field, read.error?.issues.map(({ message }) => message) ?? []),
        ...(read.success ? [say(field, messages.required)] : []),
      ];
  }
}

type Found = { values: JobValues; errors: FieldErrors };

/** Finds the company and department of a row in the importer's scope; closed ones too, because jobs are in the past. */
function findPlace(places: Places, { meanings }: Line, base: PastRow, { values, errors }: Found): void {
  const company = meanings.entity_id ?? meanings.entity;
  if (company) {
    const id = /^[1-9]\d{0,14}$/.test(company) && places.entityIds.has(Number(company)) ? Number(company) : undefined;
    const found = id ?? places.entities.get(fold(company));
    if (found === undefined) errors.entity_id = [text('imports.no_company', { name: quoted(company) })];
    else values.entity_id = found;
  }
  const entityId = values.entity_id ?? base.entity_id;
  const department = meanings.department_id ?? meanings.department;
  if (!department || errors.entity_id) {
    if (values.entity_id !== undefined && values.entity_id !== base.entity_id)
      errors.department_id = [say('department_id', messages.required)];
    return;
  }
  const id = /^[1-9]\d{0,14}$/.test(department) ? Number(department) : undefined;
  const isThere = id !== undefined && places.entityOf.get(id) === entityId;
  const found = isThere ? id : places.departments.get(placeKey(entityId, department));
  if (found === undefined) errors.department_id = [text('imports.no_department', { name: quoted(department) })];
  else values.department_id = found;
}

/** Finds the manager of a row by number, address or full name, first among the people of the company. */
function findManager(managers: Managers, { meanings }: Line, person: Person, { values, errors }: Found): void {
  const written = meanings.reporting_manager;
  if (written === undefined) return;
  if (written === null) {
    values.reporting_manager_id = null;
    return;
  }
  const all = managers.get(managerKey(written)) ?? [];
  const near = all.filter(({ entity_id }) => entity_id === person.entity_id);
  const [only, ...others] = near.length > 0 ? near : all;
  const name = quoted(written);
  if (only && others.length === 0 && only.id !== person.id) values.reporting_manager_id = only.id;
  else if (only && others.length > 0) {
    const people = [only, ...others].slice(0, 5).map(({ label }) => label);
    errors.reporting_manager_id = [
      text('imports.several_managers', { name, people: [...people, ...(others.length > 4 ? ['…'] : [])].join(', ') }),
    ];
  } else errors.reporting_manager_id = [text('imports.no_manager', { name })];
}

function readLine(
  { record, places, managers }: HistoryContext,
  line: Line,
  person: Person,
  known: readonly PastRow[],
): Read {
  const errors: FieldErrors = formulaErrors(record, line as never);
  const values: JobValues = {};
  const from = readDay(line, 'effective_from', record, errors);
  const to = readDay(line, 'effective_to', record, errors);
  if (from === undefined) errors.effective_from ??= [say('effective_from', messages.required)];
  readPlain(line, values, errors);
  const base =
    known.find((row) => from !== undefined && row.effective_from <= from && (row.effective_to ?? '9999') >= from) ??
    known[0];
  if (base) findPlace(places, line, base, { values, errors });
  findManager(managers, line, person, { values, errors });
  const isRight = Object.keys(errors).length === 0 && from !== undefined;
  return { line, errors, job: isRight ? { row: line.row, from, to, values } : undefined };
}

const outcomeOf = (line: Line, found: Partial<Outcome> & { errors: FieldErrors }): Outcome => {
  const isFailed = Object.keys(found.errors).length > 0;
  return {
    row: line.row,
    status: isFailed ? 'failed' : 'valid',
    action: 'skip',
    key: keyOf(line.meanings.employee_number),
    subject_id: null,
    warnings: {},
    changes: null,
    digest: 'skip',
    ...found,
    ...(isFailed && { action: 'none' as const, digest: '', subject_id: null }),
  };
};

/** A skipped row has no effect. */
export const leftOutcome = (line: Line): Outcome => outcomeOf(line, { errors: {} });

const failedAll = ({ lines }: Group, person: Person | undefined, errors: FieldErrors): Checked => ({
  outcomes: lines.map((line) => outcomeOf(line, { errors })),
  person,
  days: [],
  known: [],
  entered: [],
});

/** The maximum number of jobs per person: each is compared with all, so thousands would block the service. */
const maxJobs = 200;

/** Checks the rows of a person: their errors, their outcome, and what a commit adds. */
export function checkGroup(
  context: HistoryContext,
  group: Group,
  person: Person | undefined,
  known: readonly PastRow[],
): Checked {
  const { actor, record } = context;
  const [first] = group.lines;
  if (group.number === undefined)
    return failedAll(group, undefined, { employee_number: [say('employee_number', messages.required)] });
  if (!person) {
    const name = quoted(first?.meanings.employee_number ?? '');
    return failedAll(group, undefined, { employee_number: [text('history_imports.no_person', { name })] });
  }
  if (isSelf(actor, person) || (person.is_admin && !actor.is_admin))
    return failedAll(group, person, { employee_number: [text('imports.row_not_permitted')] });
  if (known.length === 0) return failedAll(group, person, { employee_number: [text('job_history.no_rows')] });
  if (group.lines.length > maxJobs)
    return failedAll(group, person, { employee_number: [text('history_imports.too_many', { most: maxJobs })] });
  const read = group.lines.map((line) => readLine(context, line, person, known));
  const jobs = read.flatMap(({ job }) => job ?? []);
  const days = checkJobs(jobs, known, person);
  const dayOfRow = new Map(days.map((one) => [one.row, one]));
  const entered = jobs.flatMap((job) => {
    const checked = dayOfRow.get(job.row) as CheckedJob;
    return checked.action === 'create' || checked.action === 'update' ? [{ job, checked }] : [];
  });
  entered.sort((a, b) => a.checked.from.localeCompare(b.checked.from));
  const before = JSON.stringify([person.id, known]);
  const outcomes = read.map(({ line, job, errors }) => {
    const checked = dayOfRow.get(line.row);
    if (!checked) return outcomeOf(line, { errors });
    const digest =
      checked.action === 'skip' ? 'skip' : sha256Hex(before + JSON.stringify([job, checked.to])).slice(0, 16);
    const warnings = { ...skippedCellWarnings(record, line as never), ...checked.warnings };
    return outcomeOf(line, { errors: checked.errors, warnings, action: checked.action, subject_id: person.id, digest });
  });
  return { outcomes, person, days, known, entered };
}
