import type { Thread } from './by-subject.ts';

/** Events that occur in large numbers, each about another person or record. */
export const groupedEvents = [
  'probation_ending_reminder',
  'probation_review_created',
  'probation_review_submitted',
  'kpi_self_assessment_submitted',
  'kpi_manager_review_submitted',
  'kpi_deadline_reminder',
  'kpi_evaluation_accepted',
  'kpi_evaluation_completed',
  'kpi_evaluation_cancelled',
  'kpi_acceptance_lapsed',
  'employee_created',
  'employee_confirmed',
  'employee_separated',
  'job_change_applied',
] as const;
export type GroupedEvent = (typeof groupedEvents)[number];

/** One thread, or several of the same event as one line. */
export type Line = { key: string; event: GroupedEvent | undefined; threads: [Thread, ...Thread[]] };

/** Threads of an event are collapsed from this number on. */
const least = 3;

/** Collapses threads whose latest notification is of the same event, at the position of the latest. */
export function byEvent(threads: readonly Thread[]): Line[] {
  const eventOf = ({ latest }: Thread) => groupedEvents.find((event) => event === latest.event);
  const counts = new Map<string, number>();
  for (const { latest } of threads) counts.set(latest.event, (counts.get(latest.event) ?? 0) + 1);
  const lines = new Map<string, Line>();
  for (const thread of threads) {
    const event = eventOf(thread);
    const isMany = event !== undefined && (counts.get(event) ?? 0) >= least;
    const key = isMany ? `event:${event}` : thread.key;
    const line = lines.get(key);
    if (line) line.threads.push(thread);
    else lines.set(key, { key, event: isMany ? event : undefined, threads: [thread] });
  }
  return [...lines.values()];
}
