import { readConfig } from '../server/src/config.ts';
import { openLog, refuseStart } from '../server/src/logging.ts';
import { startService } from '../server/src/service.ts';
import type { Service } from '../server/src/service.ts';
import { insertDemoCycles } from './demo-cycles.ts';
import { insertDemoHome } from './demo-home.ts';
import { insertDemoTemplates } from './demo-kpi.ts';
import { insertDemoFiles } from './demo-files.ts';
import { insertDemo } from './demo-people.ts';
import { insertDemoProbation } from './demo-probation.ts';
import { ensureWebBuild } from './web-build.ts';

/** `npm run demo`: a realistic group of companies in its own data directory; running it again shows the same one. */

const password = 'Willow!Harbor42';
const roles = [
  ['Admin', 'admin@northwind.example'],
  ['HR of all companies', 'hr@northwind.example'],
  ['HR of Northwind Retail', 'hr.retail@northwind.example'],
  ['Manager (Sales)', 'manager@northwind.example'],
  ['Team lead (Sales)', 'lead@northwind.example'],
  ['Employee', 'employee@northwind.example'],
] as const;

async function fill({ deps }: Service) {
  const { db, hashing } = deps;
  const known = await db.selectFrom('installation').select('is_demo').executeTakeFirstOrThrow();
  if (known.is_demo) return;
  const password_hash = await hashing.hash(password);
  const hr = await db.transaction().execute(async (trx) => {
    const today = Temporal.Now.plainDateISO('UTC');
    const cast = await insertDemo(trx, today);
    const ids = await insertDemoTemplates(trx);
    await insertDemoCycles(trx, today, { ...cast, ids });
    await insertDemoProbation(trx, deps, cast);
    await insertDemoHome(trx, today);
    const people = [cast.hr, cast.entityHr, cast.manager, cast.lead, cast.employee];
    for (const [index, { user_id }] of people.entries())
      await trx
        .updateTable('users')
        .set({ email: roles[index + 1]?.[1] ?? '', password_hash })
        .where('id', '=', user_id)
        .execute();
    // the accounts have had these addresses from the start, so people may request password links
    await trx
      .updateTable('users')
      .set({ address_changed_at: null })
      .where('address_changed_at', 'is not', null)
      .execute();
    return cast.hr;
  });
  await insertDemoFiles(db, deps.files, hr);
}

async function main() {
  const config = readConfig({
    LOG_LEVEL: 'warn',
    ...process.env,
    DATA_DIR: process.env.DEMO_DATA_DIR ?? './demo-data',
    ADMIN_EMAIL: roles[0][1],
    ADMIN_PASSWORD: password,
  });
  ensureWebBuild();
  const service = await startService(config, openLog(config));
  await fill(service);
  // before it reports that it is ready, because a caller waiting for that may end it immediately
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void service.stop().then(() => process.exit(0)));
  console.log(`\n  The demo is ready at ${service.address}\n\n  Password of all: ${password}\n`);
  for (const [role, email] of roles) console.log(`  ${role.padEnd(24)} ${email}`);
  console.log('');
}

await main().catch(refuseStart);
