import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { connect } from '../db/connect.ts';
import { startApp } from '../testing/app.ts';
import { dutiesOf, lives, movesOf, probationsOf } from '../testing/figure-changes.ts';
import { brokenRules } from '../invariants/invariants.ts';
import { kpiMaker } from '../testing/make-kpi.ts';
import { probationMaker } from '../testing/make-probation.ts';
import { randomOf } from '../testing/year/random.ts';
import type { Random } from '../testing/year/random.ts';
import { pruneCandidates } from './housekeeping.ts';
import { storedFigures } from './stored-figures.ts';

/**
 * Eight concurrent writers change people, departments, cycles, evaluations and reviews at random, each in separate
 * transactions, some of which are rolled back, while the jobs fold figures and remove candidates. At any time, every
 * stored figure equals a full count. CONTRIBUTING.md has the command for 100,000 writes.
 */

const writes = Number(process.env.FIGURES_WRITES ?? '500');
const writers = 8;

const app = await startApp();
const { make, deps, database } = app;
const [kpi, probation] = [kpiMaker(app), probationMaker(app)];
const { db } = connect({ url: database.ownerUrl, max: writers + 2, prepared: false });

const here = await make.entity();
const [hall, yard] = [await make.department({ entity_id: here.id }), await make.department({ entity_id: here.id })];
const away = await make.department();
const times = (length: number) => Array.from({ length });
const leads = await Promise.all(times(20).map(() => make.employee({ department_id: hall.id, roles: ['Manager'] })));
const staff = await Promise.all(times(100).map(() => probation.person({ department_id: yard.id })));
const cycle = await kpi.cycle();
const template = await kpi.template();
for (const [index, employee] of staff.entries()) {
  const reviewer = leads[index % leads.length];
  await kpi.evaluation({ cycle_id: cycle.id, template, employee, reviewer });
  if (index % 2 === 0) await probation.review({ employee, reviewer });
}

const places = { hall, yard, away, cycle };
const changes = [...lives, ...dutiesOf(places).flat(), ...probationsOf(places), ...movesOf(places)];
const rules = Object.fromEntries(Object.entries(storedFigures).map(([rule, { differing }]) => [rule, differing]));
const counts = ['employee_counts', 'employee_tenure_counts', 'kpi_evaluation_counts', 'probation_review_counts'];

/** A transaction of one to four writes; returns how many were committed, and the refusals of the database. */
async function write(random: Random, refused: Set<string>): Promise<number> {
  const ids = () => {
    const lead = random.pick(leads).id;
    return { lead, person: random.pick(staff).id, head: random.chance(0.6) ? String(lead) : 'null' };
  };
  const statements = Array.from({ length: random.between(1, 4) }, () => random.pick(changes)(random, ids()));
  const isUndone = random.chance(0.1);
  try {
    await db.transaction().execute(async (trx) => {
      // writers that wait for each other time out soon
      await sql`select set_config('lock_timeout', '20ms', true)`.execute(trx);
      for (const statement of statements) await sql.raw(statement).execute(trx);
      if (isUndone) throw new Error('undone');
    });
    return statements.length;
  } catch (error) {
    refused.add((error as Error).message);
    return 0;
  }
}

test(`${writes} writes by ${writers} writers leave every stored figure exact`, { timeout: 3_600_000 }, async () => {
  let done = 0;
  const refused = new Set<string>();
  const isBusy = () => done < writes;
  const busy = Array.from({ length: writers }, async (_, index) => {
    const random = randomOf(index + 1);
    while (isBusy()) {
      const written = await write(random, refused);
      done += written;
    }
  });
  while (isBusy()) {
    await sql.raw(`select ${counts.map((name) => `fold_${name}()`).join(', ')}`).execute(db);
    await pruneCandidates({ deps, now: Temporal.Now.instant() });
    expect(await brokenRules(db, rules)).toEqual([]);
  }
  await Promise.all(busy);
  expect(await brokenRules(db, rules)).toEqual([]);
  // writers collide, and reviews and evaluations have their own rules; no figure refuses a write
  const expected = /^undone$|lock timeout$|^deadlock detected$|constraint "(probation_reviews|kpi_evaluations)_\w+"/;
  expect([...refused].filter((message) => !expected.test(message))).toEqual([]);
});
