import { pino } from 'pino';
import { connect } from '../db/connect.ts';
import { publishCycleJob } from '../features/kpi-cycles/publish-job.ts';
import type { Deps } from '../http/context.ts';
import { databaseNow } from '../jobs/task.ts';

/** Publishes one cycle, for tests that kill the process. Arguments: database and cycle. */
const [url = '', id = ''] = process.argv.slice(2);
const { db } = connect({ url, max: 5 });
// publishing needs nothing else that a process holds
const deps = { db, log: pino({ level: 'silent' }) } as unknown as Deps;
await publishCycleJob({ deps, now: await databaseNow(db) }, { id: Number(id) });
await db.destroy();
