import { pino } from 'pino';
import { connect } from '../server/src/db/connect.ts';
import type { Deps } from '../server/src/http/context.ts';
import { timedTasks } from '../server/src/jobs/schedule.ts';
import type { Bench } from './bench.ts';
import { boundRow } from './table.ts';
import type { Row } from './table.ts';

/** The jobs of a day, ordered by their dependencies. */
const ofTheDay = [
  'apply_job_changes',
  'end_leavers',
  'open_probation_reviews',
  'skip_self_assessments',
  'accept_lapsed_results',
  'remind_of_kpi',
  'remind_of_probation',
];

/** Everything that the clock triggers in a day of all companies, at nine tomorrow morning. */
export async function dayRows(bench: Bench): Promise<Row[]> {
  const { db } = connect({ url: bench.database, max: 4 });
  const now = Temporal.Now.zonedDateTimeISO('UTC').add({ days: 1 }).withPlainTime('09:00').toInstant();
  const context = { deps: { db, log: pino({ level: 'warn' }) } as unknown as Deps, now };
  const times: { name: string; seconds: number }[] = [];
  try {
    for (const name of ofTheDay) {
      const started = performance.now();
      await timedTasks.find((task) => task.name === name)?.run(context);
      times.push({ name, seconds: (performance.now() - started) / 1_000 });
    }
  } finally {
    await db.destroy();
  }
  const total = times.reduce((sum, { seconds }) => sum + seconds, 0);
  return [
    ...times.map(({ name, seconds }) => boundRow(`the day: ${name.replaceAll('_', ' ')}`, seconds, 's', 30)),
    boundRow(`the day of ${bench.employees} people in all`, total, 's', 30),
  ];
}
