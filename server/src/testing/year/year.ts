import { Logger, runOnce } from 'graphile-worker';
import { timedTasks, tasks } from '../../jobs/schedule.ts';
import { databaseNow } from '../../jobs/task.ts';
import type { TestApp } from '../app.ts';
import { found } from './companies.ts';
import { randomOf } from './random.ts';
import { runRounds } from './rounds.ts';
import { changeStaff, reorganise } from './staff-changes.ts';
import { doTasks, peopleWithTasks } from './tasks.ts';
import { firstDay, later } from './world.ts';
import type { World } from './world.ts';

type Options = { seed: number; people: number; goTo: (days: number) => Promise<void> };

const silent = new Logger(() => () => undefined);

/** A group on its first day. */
export async function begin(app: TestApp, { seed, people, goTo }: Options): Promise<World> {
  const before = Temporal.Now.plainDateISO('UTC').until(firstDay, { largestUnit: 'days' }).days;
  const world: World = {
    app,
    random: randomOf(seed),
    goTo: (day) => goTo(before + day),
    day: 0,
    companies: [],
    roles: new Map(),
    admin: (await app.make.admin()).user_id,
    chair: 0,
    soon: '',
    templates: { right: 0, wrong: 0 },
    cycles: [],
    probations: new Map(),
    diary: [],
    clients: new Map(),
    serial: 0,
  };
  // without these, the queue warns about the pool
  for (const event of ['error', 'connect'] as const) app.owner.on(event, () => undefined);
  await world.goTo(0);
  await found(world, people);
  return world;
}

/** Mail has no receiver here, and checking the audit log from its first entry takes longer each day. */
const isDue = (name: string, day: number) => name !== 'deliver_mail' && (name !== 'check_audit_log' || day % 30 === 0);

/** What the service's clock triggers in a day, then the jobs it queued. */
async function pass({ app: { deps, owner }, day }: World): Promise<void> {
  const ctx = { deps, now: await databaseNow(deps.db) };
  for (const { name, run } of timedTasks) if (isDue(name, day)) await run(ctx);
  // the queue uses the system clock
  const due = `pg_catalog.now() - interval '1 minute'`;
  await owner.query(`update graphile_worker._private_jobs set run_at = ${due} where run_at > ${due}`);
  const taskList = Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, async (payload: unknown) => void (await task(ctx, payload))]),
  );
  await runOnce({ pgPool: owner, taskList, noPreparedStatements: true, noHandleSignals: true, logger: silent });
}

/** One day: what the clock triggers, what changes, and what people do. */
export async function live(world: World, day: number): Promise<void> {
  world.day = day;
  world.soon = later(world, 6);
  world.clients.clear();
  await world.goTo(day);
  // like autovacuum, which is off in tests: without statistics, the statements of a long year become slow
  if (day % 14 === 0) await world.app.owner.query('vacuum (analyze)');
  await pass(world);
  await runRounds(world);
  await changeStaff(world);
  if (day === 150) for (const company of world.companies) await reorganise(world, company);
  for (const { user_id } of await peopleWithTasks(world))
    if (world.random.chance(0.08)) await doTasks(world, user_id, 0.8);
  for (const { hr } of world.companies)
    for (const user of hr) if (world.random.chance(0.6)) await doTasks(world, user, 0.6);
}
