import { pino } from 'pino';
import { connect } from '../db/connect.ts';
import { changeEvaluationsJob } from '../features/kpi-evaluations/bulk/job.ts';
import type { Deps } from '../http/context.ts';
import { databaseNow } from '../jobs/task.ts';

/** A process that works on one change of many evaluations, for tests that kill it: database and run are its arguments. */
const [url = '', id = ''] = process.argv.slice(2);
const { db } = connect({ url, max: 5 });
// nothing else of what a process holds is needed for the change
const deps = { db, log: pino({ level: 'silent' }) } as unknown as Deps;
await changeEvaluationsJob({ deps, now: await databaseNow(db) }, { id: Number(id) });
await db.destroy();
