import { pino } from 'pino';
import { connect } from '../db/connect.ts';
import { publishCycleJob } from '../features/kpi-cycles/publish-job.ts';
import type { Deps } from '../http/context.ts';
import { databaseNow } from '../jobs/task.ts';

/** A process that publishes one cycle, for tests that kill it: database and cycle are its arguments. */
const [url = '', id = ''] = process.argv.slice(2);
const { db } = connect({ url, max: 5 });
// nothing else of what a process holds is needed to publish
const deps = { db, log: pino({ level: 'silent' }) } as unknown as Deps;
await publishCycleJob({ deps, now: await databaseNow(db) }, { id: Number(id) });
await db.destroy();
