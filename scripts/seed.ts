import { parseArgs } from 'node:util';
import pg from 'pg';
import { readConfig } from '../server/src/config.ts';
import { openLog } from '../server/src/logging.ts';
import { startService } from '../server/src/service.ts';
import { seedEvaluations } from './seed-evaluations.ts';
import { seedPeople } from './seed-people.ts';
import { seedProbation } from './seed-probation.ts';

/** `npm run seed -- --employees 100000`: a large data set in the configured database. */
const { values } = parseArgs({ options: { employees: { type: 'string', default: '1000' } } });
const employees = Number(values.employees);
if (!Number.isInteger(employees) || employees < 1 || employees > 2_000_000) {
  console.error('--employees takes a whole number up to 2000000');
  process.exit(1);
}
const config = readConfig({ ...process.env, PORT: '0', ROLE: 'api' }, { LOG_LEVEL: 'warn' });
const service = await startService(config, openLog(config));
const pool = new pg.Pool({ connectionString: service.database.ownerUrl, max: 1 });
const started = performance.now();
await seedPeople(pool, { employees });
const { evaluations } = await seedEvaluations(pool);
const { open, decided } = await seedProbation(pool);
console.log(
  `${employees} people, ${evaluations} evaluations and ${open + decided} probation reviews in ${((performance.now() - started) / 1_000).toFixed(1)} s`,
);
await pool.end();
await service.stop();
