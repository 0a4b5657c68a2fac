import { jobFields, messages, text } from '@tenure/contract';
import { say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { addDays, planOf } from '../job-history/past-rows.ts';
import type { NewRow, PastRow, Plan } from '../job-history/past-rows.ts';
import type { Person } from './known.ts';

/** Checks the jobs of a person without any access to data: the days that they fill, and the resulting job history. */

export type JobValues = Partial<Pick<PastRow, (typeof jobFields)[number] | 'employment_lifecycle'>>;
/** A job of the file; undefined `to` means until the next job. */
export type FileJob = { row: number; from: string; to: string | undefined; values: JobValues };

export type CheckedJob = {
  row: number;
  errors: FieldErrors;
  warnings: FieldErrors;
  action: 'create' | 'update' | 'skip' | 'none';
  from: string;
  /** Null for today's job. */
  to: string | null;
};

const always = '9999-12-31';
const historyFields = [...jobFields, 'employment_lifecycle'] as const;
const last = (row: { effective_to: string | null }) => row.effective_to ?? always;
const isKnown = ({ source }: PastRow) => source !== 'assumed';

const isLeaving = ({ employment_lifecycle }: PastRow) => ['resigned', 'terminated'].includes(employment_lifecycle);

/** Fields of a row that differ from a known job. */
const differing = (job: FileJob, row: PastRow) =>
  historyFields.filter((field) => job.values[field] !== undefined && job.values[field] !== row[field]);

/** The first day after the start of a job on which another one, of the file or the history, begins. */
function nextStart(
  job: FileJob,
  jobs: readonly FileJob[],
  known: readonly PastRow[],
  today: string,
): string | undefined {
  const starts = [...jobs.map(({ from }) => from), ...known.filter(isKnown).map((row) => row.effective_from)];
  return starts.filter((day) => day > job.from && day <= today).toSorted()[0];
}

const error = (field: string, message: ReturnType<typeof text>): FieldErrors => ({ [field]: [say(field, message)] });
const dayOf = (date: string) => ({ date });

function wrongDays(
  { from, to }: { from: string; to: string | null },
  person: Person,
  first: string | undefined,
): FieldErrors {
  if (from > person.today || (to !== null && from === person.today))
    return error('effective_from', text('history_imports.not_past'));
  if (to !== null && to < from) return error('effective_to', messages.afterOrEqual({ field: 'effective_from' }));
  if (to !== null && to >= person.today) return error('effective_to', messages.before('today'));
  const { joining_date: joined } = person;
  if (joined !== null && from < joined && (first === undefined || from < first))
    return error('effective_from', text('history_imports.before_joining', { date: dayOf(joined) }));
  return {};
}

/** Why the job without a last day is not today's job. */
function notToday(job: FileJob, current: PastRow | undefined): FieldErrors {
  if (!current) return error('effective_to', messages.required);
  const [field] = differing(job, current);
  if (field === undefined) return {};
  return error('effective_to', text('history_imports.not_todays_job', { column: { field } }));
}

/** The known job with the same days and values, so that there is nothing to do. */
const sameJob = (job: FileJob, to: string | null, known: readonly PastRow[]) =>
  known.find(
    (row) =>
      isKnown(row) && row.effective_from === job.from && row.effective_to === to && differing(job, row).length === 0,
  );

/**
 * The last day of a job in the file. If the history has an end of employment, the same job continues under notice until
 * the last working day, so the file's job ends before the notice.
 */
function lastDayOf(job: FileJob, known: readonly PastRow[], person: Person): string | undefined {
  const index = known.findIndex((row) => isKnown(row) && isLeaving(row) && row.effective_from > job.from);
  const [notice, next] = [known[index], known[index + 1]];
  if (job.to === undefined || !notice || job.to < notice.effective_from) return job.to;
  const left = next ? next.rehired_after : person.last_working_date;
  const isOther = differing(job, notice).some((field) => field !== 'employment_lifecycle');
  return isOther || left === null || job.to > left ? job.to : addDays(notice.effective_from, -1);
}

function checkJob(job: FileJob, jobs: readonly FileJob[], known: readonly PastRow[], person: Person): CheckedJob {
  const next = nextStart(job, jobs, known, person.today);
  const to = lastDayOf(job, known, person) ?? (next === undefined ? null : addDays(next, -1));
  const checked: CheckedJob = { row: job.row, from: job.from, to, errors: {}, warnings: {}, action: 'create' };
  const refused = (errors: FieldErrors): CheckedJob => ({ ...checked, errors, action: 'none' });
  const days = wrongDays(checked, person, known[0]?.effective_from);
  if (Object.keys(days).length > 0) return refused(days);
  if (sameJob(job, to, known)) return { ...checked, action: 'skip' };
  const shared = known.find((row) => isKnown(row) && row.effective_from <= (to ?? always) && last(row) >= job.from);
  if (shared) {
    const message = text('history_imports.overlaps_known', {
      from: dayOf(job.from),
      date: dayOf(shared.effective_from),
    });
    return refused(error('effective_from', message));
  }
  if (to !== null) return checked;
  const errors = notToday(
    job,
    known.find(({ status }) => status === 'current'),
  );
  return Object.keys(errors).length > 0 ? refused(errors) : { ...checked, action: 'update' };
}

/** Fails jobs that overlap with an earlier row, and warns of days without a job between two rows. */
function compareRows(checked: readonly CheckedJob[]): void {
  let before: CheckedJob | undefined;
  for (const one of checked) {
    if (one.action === 'none') continue;
    if (before && last({ effective_to: before.to }) >= one.from) {
      const parameters = { row: before.row, from: dayOf(one.from), date: dayOf(before.from) };
      one.errors = error('effective_from', text('history_imports.overlaps_row', parameters));
      one.action = 'none';
      continue;
    }
    if (before?.to && addDays(before.to, 1) < one.from) {
      const gap = { from: dayOf(addDays(before.to, 1)), to: dayOf(addDays(one.from, -1)) };
      one.warnings = error('effective_from', text('history_imports.gap', gap));
    }
    before = one;
  }
}

/** Checks the jobs of a person against each other and the job history. */
export function checkJobs(jobs: readonly FileJob[], known: readonly PastRow[], person: Person): CheckedJob[] {
  const ordered = jobs.toSorted((a, b) => a.from.localeCompare(b.from) || a.row - b.row);
  const checked = ordered.map((job) => checkJob(job, ordered, known, person));
  compareRows(checked);
  return checked;
}

/** A job that a commit writes. */
export type Entered = { job: FileJob; checked: CheckedJob };

type AnyRow = NewRow & { id?: number };

/** The remaining parts of an assumed row: the days before the first added job and after the last. */
function restOf(row: PastRow, entered: readonly CheckedJob[]): AnyRow[] {
  const inside = entered.filter(({ from, to }) => from <= last(row) && (to ?? always) >= row.effective_from);
  const [first, final] = [inside[0], inside.at(-1)];
  if (!first || !final) return [row];
  const { id, ...copy } = row;
  const isBefore = row.effective_from < first.from;
  const isAfter = final.to === null || last(row) > final.to;
  const rest = final.to === null ? final.from : addDays(final.to, 1);
  const begins = rest > row.effective_from ? rest : row.effective_from;
  const after = isAfter ? [{ ...row, effective_from: begins, ...(final.to === null && { source: 'imported' }) }] : [];
  const earlier = { ...copy, status: 'past', effective_to: addDays(first.from, -1) } as const;
  return [...(isBefore ? [isAfter ? { ...earlier, like: id } : { ...earlier, id }] : []), ...after];
}

/** The job history with the added jobs; a row takes missing values from the known job of these days. */
export function planHistory(known: readonly PastRow[], entered: readonly Entered[]): Plan {
  const added = entered.flatMap(({ job, checked }): NewRow[] => {
    if (checked.action !== 'create') return [];
    const base = known.find((row) => row.effective_from <= checked.from && last(row) >= checked.from) ?? known[0];
    const { id: _id, ...values } = base as PastRow;
    const days = { effective_from: checked.from, effective_to: checked.to };
    // an assumed job of a leaver gets the lifecycle of its end
    if (!isKnown(base as PastRow) && isLeaving(base as PastRow)) values.employment_lifecycle = 'confirmed';
    return [{ ...values, ...job.values, ...days, status: 'past', source: 'imported', changed_fields: [] }];
  });
  const checked = entered.map((one) => one.checked);
  const rest = known.flatMap((row): AnyRow[] => (isKnown(row) ? [row] : restOf(row, checked)));
  const stated = new Set<AnyRow>([
    ...added,
    ...rest.filter(({ source, status }) => source === 'imported' && status === 'current'),
  ]);
  return planOf(known, [...rest, ...added], stated);
}
