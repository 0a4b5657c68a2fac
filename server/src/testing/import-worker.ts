import { pino } from 'pino';
import { connect } from '../db/connect.ts';
import type { Deps } from '../http/context.ts';
import { workOnImport } from '../jobs/imports.ts';

/** Works on one import, for tests that kill the process. Arguments: database and import. */
const [url = '', id = ''] = process.argv.slice(2);
const { db } = connect({ url, max: 5 });
// working on an import needs nothing else that a process holds
await workOnImport({ db, log: pino({ level: 'silent' }) } as unknown as Deps, Number(id));
await db.destroy();
