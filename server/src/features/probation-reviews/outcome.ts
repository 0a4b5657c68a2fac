import type { ProbationOutcome, Text } from '@tenure/contract';
import { isDay, longestExtension, messages, text } from '@tenure/contract';
import { extendedProbationEnd, firstExtension } from '@tenure/contract/probation-days';
import { invalid } from '../../http/errors.ts';
import { confirmProbationer, extendProbation, terminateProbationer } from '../../people/lifecycle-changes.ts';
import type { Deciding, Probationer } from '../../people/lifecycle-changes.ts';
import { scheduleConfirmation } from '../../people/confirmations.ts';
import { cancelOpenReviewsOf } from './bulk-transitions.ts';
import { cancelOpenOf } from '../kpi-evaluations/bulk-transitions.ts';

/** What was decided, complete: every default is filled in. */
export type Decision = {
  outcome: ProbationOutcome;
  months: number | null;
  /** The last day after an extension. */
  until: string | null;
  effective_date: string;
};

/** The probation that is decided on. */
type Decided = { probation_start_date: string | null; probation_end_date: string };

/** The day after a day. */
export const dayAfter = (day: string): string => Temporal.PlainDate.from(day).add({ days: 1 }).toString();

const later = (...days: (string | null)[]): string =>
  days
    .filter((day) => day !== null)
    .toSorted()
    .at(-1) ?? '';

/** From when a decision holds without a chosen day. */
function usualDay(outcome: ProbationOutcome, end: string, { today, joining_date }: Probationer): string {
  if (outcome === 'terminate') return later(today, joining_date);
  const next = dayAfter(end);
  // the last day of all has none after it
  return isDay(next) ? next : end;
}

/**
 * The day a decision holds from. A person is confirmed on any day since the probation began, on a later one by the job
 * of that day. An extension goes on where the probation ends. An employment ends today at the earliest, because the days
 * before were worked.
 * @param end the end of the probation that is decided on
 * @throws 422 on `effective_date` for a day that makes no sense
 */
export function effectiveDay(
  outcome: ProbationOutcome,
  wanted: string | null | undefined,
  { end, person }: { end: string; person: Probationer },
): string {
  const usual = usualDay(outcome, end, person);
  if (!wanted) return usual;
  if (outcome === 'extend' && wanted !== usual)
    throw invalid('effective_date', text('probation.extension_begins', { date: { day: usual } }));
  const began = later(person.joining_date, person.probation_start_date);
  if (outcome === 'confirm' && wanted < began) throw invalid('effective_date', messages.afterOrEqual(began));
  if (outcome === 'terminate' && wanted < usual)
    throw invalid('effective_date', messages.afterOrEqual(usual === person.today ? 'today' : usual));
  return wanted;
}

/**
 * The end a probation is extended to.
 * @throws 422 on `outcome_extension_months` when that day is not ahead
 */
export function extendedEnd(
  { probation_start_date: start, probation_end_date: end }: Decided,
  months: number,
  today: string,
): string {
  const until = extendedProbationEnd(start, end, months);
  if (until === null) throw invalid('outcome_extension_months', text('probation.end_after_all_years'));
  const tooShort = tooShortExtension({ start, end, today }, months);
  if (tooShort !== undefined) throw invalid('outcome_extension_months', tooShort);
  return until;
}

/** Why an extension by so many months ends on no day ahead, with the first length that does. */
export function tooShortExtension(
  { start, end, today }: { start: string | null; end: string; today: string },
  months: number,
): Text | undefined {
  const until = extendedProbationEnd(start, end, months);
  if (until === null || until > today) return undefined;
  const first = firstExtension(start, end, { today, longest: longestExtension });
  const date = { day: until };
  return first === null
    ? text('probation.end_not_in_future', { date })
    : text('probation.extension_too_short', { date, months: first });
}

/** What a decision changes: the record of the person, now or on its day, and what else hangs on the employment. */
export async function applyOutcome(
  acting: Deciding,
  person: Probationer,
  { outcome, until, effective_date }: Decision,
): Promise<void> {
  if (until !== null) return extendProbation(acting, person, until);
  // reviews on the way have nothing left to prepare
  await cancelOpenReviewsOf(acting, [person.id], 'reasons.probation_decided');
  if (outcome === 'confirm') {
    if (effective_date <= person.today) return confirmProbationer(acting, person, effective_date);
    return scheduleConfirmation(acting, {
      employee_id: person.id,
      person_name: person.name,
      effective_from: effective_date,
    });
  }
  await terminateProbationer(acting, person, effective_date);
  await cancelOpenOf(acting, person.id);
}
