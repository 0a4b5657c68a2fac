import { text } from '@tenure/contract';
import type { EvaluationPart, Text } from '@tenure/contract';
import { sql } from 'kysely';

/** Whether the evaluation of a person who moved can be split on the day of the move, and into which parts. */

/** The facts of the record that decide it. */
export type SplitFacts = {
  split: {
    part: number | null;
    /** The first and last day of the cycle, and the last day in the former department. */
    start: string;
    end: string;
    until: string | null;
    /** The days of employment before and after the move; null for a move outside the cycle. */
    days: [number, number] | null;
    /** The department before the move; null if unknown. */
    came_from: number | null;
  };
};

/** JSON of the facts: of an evaluation `v` of a cycle `c`, its person `e` and the day `m.day` of the move. */
export const splitFacts = sql`json_build_object(
  'part', v.part, 'start', c.start_date, 'end', c.end_date, 'until', m.day - 1,
  'days', case when m.day > c.start_date and m.day <= c.end_date then json_build_array(
    employed_days(e.id, c.start_date, m.day - 1), employed_days(e.id, m.day, c.end_date)) end,
  'came_from', (
    select h.department_id from job_history h
    where h.employee_id = e.id and h.status in ('current', 'past') and h.effective_from < m.day
    order by h.effective_from desc, h.id desc limit 1)) as split`;

type Row = { moved_on: string | null; from_department: { id: number } };

/** The reason why no split is possible, whatever the template and reviewer. */
export function whyNoSplit({ moved_on, from_department }: Row, split: SplitFacts['split']): Text | null {
  if (split.part !== null) return text('kpi_cycles.split_already');
  if (moved_on === null) return text('kpi_cycles.split_without_day');
  if (split.days === null || split.days.some((days) => days < 1)) return text('kpi_cycles.split_outside_cycle');
  const isOther = split.came_from !== null && split.came_from !== from_department.id;
  return isOther ? text('kpi_cycles.split_moved_again') : null;
}

/** Both parts; the second one starts on the day of the move. */
export function partsOf({ moved_on }: Row, { start, end, until, days }: SplitFacts['split']): EvaluationPart[] | null {
  if (moved_on === null || until === null || days === null) return null;
  return [
    { number: 1, from: start, until, days: days[0] },
    { number: 2, from: moved_on, until: end, days: days[1] },
  ];
}
