import { pino } from 'pino';
import { connect } from '../db/connect.ts';
import type { Deps } from '../http/context.ts';
import { workOnImport } from '../jobs/imports.ts';

/** A process that works on one import, for tests that kill it: database and import are its arguments. */
const [url = '', id = ''] = process.argv.slice(2);
const { db } = connect({ url, max: 5 });
// nothing else of what a process holds is needed to work on an import
await workOnImport({ db, log: pino({ level: 'silent' }) } as unknown as Deps, Number(id));
await db.destroy();
