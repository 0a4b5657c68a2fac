import { jobFields, messages, text } from '@tenure/contract';
import type { Job, JobField } from './guards.ts';
import { invalid } from '../../http/errors.ts';

/** Pure changes of a job history: its rows after a past job was added or corrected. */

export type PastRow = Job & {
  id: number;
  effective_from: string;
  effective_to: string | null;
  status: 'past' | 'current';
  source: string;
  changed_fields: readonly string[];
  employment_lifecycle: string;
  /** The last day of the previous employment, in the first row of a new one. */
  rehired_after: string | null;
};
/** A new row has no id; `like` is the row whose author and reason it copies. */
export type NewRow = Omit<PastRow, 'id'> & { like?: number };
type AnyRow = NewRow & { id?: number };

export type Plan = {
  added: NewRow[];
  changed: PastRow[];
  removed: number[];
};

const historyFields = [...jobFields, 'employment_lifecycle'] as const;
export const addDays = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString();
const before = (day: string) => addDays(day, -1);
const after = (day: string) => addDays(day, 1);
const always = '9999-12-31';

const fieldsBetween = (earlier: AnyRow | undefined, row: AnyRow) =>
  historyFields.filter((field) => (earlier ? earlier[field] !== row[field] : row[field] !== null));

const inOrder = (rows: readonly AnyRow[]) =>
  rows.toSorted(
    (a, b) =>
      a.effective_from.localeCompare(b.effective_from) ||
      (a.effective_to ?? always).localeCompare(b.effective_to ?? always) ||
      (a.id ?? Infinity) - (b.id ?? Infinity),
  );

/** The plan from `old` to `next` rows; recomputes the changed fields of `told` rows and of the rows after them. */
export function planOf(old: readonly PastRow[], next: readonly AnyRow[], told: ReadonlySet<AnyRow>): Plan {
  const ordered = inOrder(next);
  const complete = ordered.map((row, index) => {
    const earlier = ordered[index - 1];
    return told.has(row) || (earlier && told.has(earlier))
      ? { ...row, changed_fields: fieldsBetween(earlier, row) }
      : row;
  });
  const kept = new Set(complete.map(({ id }) => id));
  const stored = new Map(old.map((row) => [row.id, JSON.stringify(row)]));
  return {
    added: complete.filter(({ id }) => id === undefined),
    changed: complete.filter(
      (row): row is PastRow => row.id !== undefined && stored.get(row.id) !== JSON.stringify(row),
    ),
    removed: old.map(({ id }) => id).filter((id) => !kept.has(id)),
  };
}

export type Period = { effective_from: string; effective_to?: string | null | undefined };

/** The last day of an added job: as sent, else the day before the next known job. */
function endOf(rows: readonly PastRow[], { effective_from: from, effective_to: sent }: Period): string {
  if (sent) return sent;
  const next = rows.find((row) => row.source !== 'assumed' && row.effective_from > from);
  if (!next) throw invalid('effective_to', messages.required);
  return before(next.effective_from);
}

/** The known job that overlaps with a period, if any. */
const sharing = (rows: readonly PastRow[], from: string, to: string) =>
  rows.find((row) => row.source !== 'assumed' && row.effective_from <= to && (row.effective_to ?? always) >= from);

/** The parts of an assumed row before and after an added job; the later part keeps its id and status. */
function partsOf(row: PastRow, from: string, to: string): AnyRow[] {
  const isAfter = row.effective_to === null || row.effective_to > to;
  const isBefore = row.effective_from < from;
  const later: AnyRow[] = isAfter ? [{ ...row, effective_from: after(to) }] : [];
  if (!isBefore) return later;
  const { id, ...copy } = row;
  const earlier = { ...copy, status: 'past', effective_to: before(from) } as const;
  return [isAfter ? { ...earlier, like: id } : { ...earlier, id }, ...later];
}

/** The row that gives an added job its missing values: the one on its first day, else the one before or after it. */
const baseOf = (rows: readonly PastRow[], from: string): PastRow =>
  rows.findLast((row) => row.effective_from <= from) ?? (rows[0] as PastRow);

/**
 * Adds a job on past days without a known job: within assumed jobs, between two others, or right before the first one.
 * Missing fields are those of the job on its first day.
 * @throws 422 for days of a known job, days that leave a gap, and days that are not past
 */
export function addPast(rows: readonly PastRow[], sent: Period & Partial<Job>, today: string): Plan & { row: NewRow } {
  const { effective_from: from, effective_to: _sent, ...values } = sent;
  const to = endOf(rows, sent);
  if (to < from) throw invalid('effective_to', messages.afterOrEqual({ field: 'effective_from' }));
  if (to >= today) throw invalid('effective_to', messages.before('today'));
  const known = sharing(rows, from, to);
  if (known) throw invalid('effective_from', text('job_history.overlaps', { date: { date: known.effective_from } }));
  const [first] = rows as [PastRow];
  if (after(to) < first.effective_from)
    throw invalid('effective_to', text('job_history.leaves_a_gap', { date: { date: first.effective_from } }));
  const { id: _id, changed_fields: _changed, ...base } = baseOf(rows, from);
  const row: AnyRow = {
    ...base,
    ...values,
    effective_from: from,
    effective_to: to,
    status: 'past',
    source: 'entered',
    changed_fields: [],
  };
  const isShared = (one: PastRow) => one.effective_from <= to && (one.effective_to ?? always) >= from;
  const others = rows.flatMap((one): AnyRow[] => (isShared(one) ? partsOf(one, from, to) : [one]));
  const plan = planOf(rows, [...others, row], new Set([row]));
  return {
    ...plan,
    row: plan.added.find(({ effective_from, source }) => effective_from === from && source === 'entered') as NewRow,
  };
}

/** A job begins after the previous employment, and not after the end of its own if a rehire follows. */
function checkEmployment(rows: readonly PastRow[], index: number, from: string): void {
  const { effective_from: stored, rehired_after: before } = rows[index] as PastRow;
  if (before !== null && from <= before) throw invalid('effective_from', messages.after(before));
  const last = rows.slice(index + 1).find(({ rehired_after: left }) => left !== null)?.rehired_after ?? null;
  if (last !== null && stored <= last && from > last) throw invalid('effective_from', messages.beforeOrEqual(last));
}

/** The previous row then ends the day before. */
function movedStart(rows: readonly PastRow[], index: number, from: string, today: string): AnyRow[] {
  const [earlier, row] = [rows[index - 1], rows[index] as PastRow];
  if (from > (row.effective_to ?? today))
    throw invalid('effective_from', messages.beforeOrEqual(row.effective_to ?? 'today'));
  checkEmployment(rows, index, from);
  if (earlier && from <= earlier.effective_from)
    throw invalid('effective_from', text('job_history.overlaps', { date: { date: earlier.effective_from } }));
  return rows.map((one, place) => (earlier && place === index - 1 ? { ...one, effective_to: before(from) } : one));
}

/**
 * Corrects a past job, or the first day of the current one. The row then counts as entered.
 * @throws 422 for a first day before the previous job began, after this one ended, or outside its employment, and
 * without any difference
 */
export function correctPast(
  rows: readonly PastRow[],
  id: number,
  sent: Partial<Pick<PastRow, 'effective_from'>> & Partial<Job>,
  today: string,
): Plan & { before: PastRow; after: PastRow } {
  const index = rows.findIndex((row) => row.id === id);
  const old = rows[index] as PastRow;
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  const differing = given.filter(([field, value]) => old[field as JobField] !== value);
  if (differing.length === 0) throw invalid('effective_from', text('job_history.nothing_would_change'));
  const from = sent.effective_from ?? old.effective_from;
  const others = from === old.effective_from ? rows : movedStart(rows, index, from, today);
  const row: PastRow = { ...old, ...Object.fromEntries(differing), source: 'entered' };
  const next = others.map((one, place): AnyRow => (place === index ? row : one));
  return { ...planOf(rows, next, new Set<AnyRow>([row])), before: old, after: row };
}
