import type { ProbationOutcome, Text } from '@tenure/contract';
import { isDay, longestExtension, messages, text } from '@tenure/contract';
import { extendedProbationEnd, firstExtension } from '@tenure/contract/probation-days';
import { invalid } from '../../http/errors.ts';
import { confirmProbationer, extendProbation, terminateProbationer } from '../../people/lifecycle-changes.ts';
import type { Deciding, Probationer } from '../../people/lifecycle-changes.ts';
import { scheduleConfirmation } from '../../people/confirmations.ts';
import { cancelOpenReviewsOf } from './bulk-transitions.ts';
import { cancelOpenOf } from '../kpi-evaluations/bulk-transitions.ts';

/** The complete decision, with all defaults filled in. */
export type Decision = {
  outcome: ProbationOutcome;
  months: number | null;
  /** The last day after an extension. */
  until: string | null;
  effective_date: string;
};

/** The probation to decide on. */
type Decided = { probation_start_date: string | null; probation_end_date: string };

/** The day after a day. */
export const dayAfter = (day: string): string => Temporal.PlainDate.from(day).add({ days: 1 }).toString();

const later = (...days: (string | null)[]): string =>
  days
    .filter((day) => day !== null)
    .toSorted()
    .at(-1) ?? '';

/** The default day from which a decision takes effect. */
function usualDay(outcome: ProbationOutcome, end: string, { today, joining_date }: Probationer): string {
  if (outcome === 'terminate') return later(today, joining_date);
  const next = dayAfter(end);
  // the maximum day has no next day
  return isDay(next) ? next : end;
}

/**
 * The day on which a decision takes effect. A person can be confirmed on any day since the probation started; on a
 * later day, the job of that day confirms. An extension continues where the probation ends. An employment ends today at
 * the earliest, because earlier days have been worked.
 * @param end the end of the probation to decide on
 * @throws 422 on `effective_date` for an invalid day
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
 * The end of an extended probation.
 * @throws 422 on `outcome_extension_months` if that day is not in the future
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

/** The refusal of an extension that ends on a past day, with the shortest possible length. */
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

/** The changes of a decision: the person's record, now or on its day, and everything that depends on the employment. */
export async function applyOutcome(
  acting: Deciding,
  person: Probationer,
  { outcome, until, effective_date }: Decision,
): Promise<void> {
  if (until !== null) return extendProbation(acting, person, until);
  // interim reviews have nothing left to prepare
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
