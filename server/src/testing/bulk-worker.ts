import { pino } from 'pino';
import { connect } from '../db/connect.ts';
import { changeEvaluationsJob } from '../features/kpi-evaluations/bulk/job.ts';
import type { Deps } from '../http/context.ts';
import { databaseNow } from '../jobs/task.ts';

/** Works on one bulk change of evaluations, for tests that kill the process. Arguments: database and run. */
const [url = '', id = ''] = process.argv.slice(2);
const { db } = connect({ url, max: 5 });
// the change needs nothing else that a process holds
const deps = { db, log: pino({ level: 'silent' }) } as unknown as Deps;
await changeEvaluationsJob({ deps, now: await databaseNow(db) }, { id: Number(id) });
await db.destroy();
