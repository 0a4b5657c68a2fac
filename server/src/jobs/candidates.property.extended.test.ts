import { sql } from 'kysely';
import type { ControlledTransaction } from 'kysely';
import { expect, test } from 'vitest';
import { connect } from '../db/connect.ts';
import type { DB } from '../db/schema.ts';
import { startApp } from '../testing/app.ts';
import { brokenRules } from '../invariants/invariants.ts';
import { dutiesOf, lives, probationsOf } from '../testing/figure-changes.ts';
import type { Change } from '../testing/figure-changes.ts';
import { dayFromNow, kpiMaker } from '../testing/make-kpi.ts';
import { probationMaker } from '../testing/make-probation.ts';
import type { MadeEmployee } from '../testing/make.ts';
import { randomOf } from '../testing/year/random.ts';
import type { Random } from '../testing/year/random.ts';
import { pruneCandidates } from './housekeeping.ts';
import { storedFigures } from './stored-figures.ts';

/**
 * Overlapping transactions change people, departments, cycles, evaluations and reviews at random while the job removes
 * candidates. In any order, no one with a task is missing, and the job removes everyone without one.
 */

const app = await startApp();
const { make, deps, database } = app;
const [kpi, probation] = [kpiMaker(app), probationMaker(app)];
const { db } = connect({ url: database.ownerUrl, max: 6, prepared: false });

const here = await make.entity();
const [hall, yard] = [await make.department({ entity_id: here.id }), await make.department({ entity_id: here.id })];
const away = await make.department();
const leads = await Promise.all([0, 1, 2].map(() => make.employee({ department_id: hall.id, roles: ['Manager'] })));
const staff = await Promise.all([0, 1, 2, 3].map(() => probation.person({ department_id: hall.id })));
const cycle = await kpi.cycle();
const template = await kpi.template();
for (const [index, employee] of staff.entries()) {
  await kpi.evaluation({ cycle_id: cycle.id, template, employee, reviewer: leads[index % leads.length] });
  if (index > 0) await probation.review({ employee, reviewer: leads[index % leads.length] });
}

const places = { hall, yard, away, cycle };
const duties = dutiesOf(places);

const idOf = (random: Random, list: readonly { id: number }[]) => random.pick(list).id;

/** Removes all responsibilities, so that each round has only one kind. */
const relieve = `
  update employees set reporting_manager_id = null, activity_status = 'active', deleted_at = null;
  update departments set manager_id = null, team_lead_id = null; update kpi_cycles set owner_id = null;
  update kpi_evaluations set reviewer_id = null; update probation_reviews set reviewer_id = null`;

type Open = ControlledTransaction<DB>;
const end = (transaction: Open, way: 'commit' | 'rollback') =>
  transaction[way]()
    .execute()
    .catch(() => undefined);

async function begin(): Promise<Open> {
  const transaction = await db.startTransaction().execute();
  await sql`select set_config('lock_timeout', '20ms', true)`.execute(transaction);
  return transaction;
}

const idsOf = (random: Random) => {
  const lead = idOf(random, leads);
  return { lead, person: idOf(random, staff), head: random.chance(0.6) ? String(lead) : 'null' };
};

const rules = Object.fromEntries(Object.entries(storedFigures).map(([rule, { differing }]) => [rule, differing]));
/** Committed data includes everyone and counts everything at any time. */
const broken = () => brokenRules(db, rules);

/** Steps of several open transactions in turn, some of which are refused or rolled back. */
async function live(random: Random, changes: readonly Change[]): Promise<number> {
  const open: (Open | undefined)[] = [undefined, undefined, undefined];
  let done = 0;
  for (let step = 0; step < 40; step += 1) {
    const place = random.between(0, open.length - 1);
    const transaction = (open[place] ??= await begin());
    const turn = random.between(0, 9);
    if (turn < 3) {
      await end(transaction, random.chance(0.85) ? 'commit' : 'rollback');
      open[place] = undefined;
      expect(await broken()).toEqual([]);
    } else if (turn < 5) {
      await pruneCandidates({ deps, now: Temporal.Now.instant() });
      expect(await broken()).toEqual([]);
    } else {
      const isDone = await sql
        .raw(random.pick(changes)(random, idsOf(random)))
        .execute(transaction)
        .then(() => true)
        .catch(() => false);
      if (isDone) done += 1;
      else {
        await end(transaction, 'rollback');
        open[place] = undefined;
      }
    }
  }
  for (const transaction of open) if (transaction) await end(transaction, 'commit');
  return done;
}

test.each<[what: string, refer: (leaver: MadeEmployee) => Promise<unknown>]>([
  ['person', ({ id }) => make.employee({ reporting_manager_id: id })],
  ['department with a manager', ({ id }) => make.department({ manager_id: id })],
  ['department with a team lead', ({ id }) => make.department({ team_lead_id: id })],
  ['cycle', ({ id }) => kpi.cycle({ owner_id: id })],
  ['evaluation', (reviewer) => kpi.evaluation({ reviewer })],
  ['probation review', (reviewer) => probation.review({ reviewer })],
])('a new %s makes its leaver a candidate', async (_what, refer) => {
  const leaver = await make.employee({ employment_lifecycle: 'resigned' });
  const isCandidate = async () =>
    (await sql`select from offboarding_candidates where employee_id = ${leaver.id}`.execute(db)).rows.length > 0;
  await pruneCandidates({ deps, now: Temporal.Now.instant() });
  expect(await isCandidate()).toBe(false);
  await refer(leaver);
  await pruneCandidates({ deps, now: Temporal.Now.instant() });
  expect(await isCandidate()).toBe(true);
});

test.each<[what: string, give: (lead: MadeEmployee) => Promise<string>]>([
  [
    'give a responsibility',
    async ({ id }) => `update employees set reporting_manager_id = ${id} where id = ${(await make.employee()).id}`,
  ],
  [
    'give one back',
    async (reviewer) => {
      const { id } = await kpi.evaluation({ reviewer, status: 'cancelled' });
      return `update kpi_evaluations set status = 'manager_review' where id = ${id}`;
    },
  ],
])('a leaver stays a candidate while a transaction is about to %s', async (_what, give) => {
  const leaver = await make.employee();
  const change = await give(leaver);
  const transaction = await begin();
  await sql.raw(change).execute(transaction);
  await sql`update employees set employment_lifecycle = 'resigned' where id = ${leaver.id}`.execute(db);
  await pruneCandidates({ deps, now: Temporal.Now.instant() });
  await end(transaction, 'commit');
  expect(await broken()).toEqual([]);
});

test('a probation stays a candidate while a transaction is about to revert its review', async () => {
  const employee = await probation.person({ probation_end_date: dayFromNow(30) });
  const { id } = await probation.review({ employee, status: 'approved', probation_end_date: dayFromNow(60) });
  const transaction = await begin();
  await sql`update probation_reviews set status = 'reverted' where id = ${id}`.execute(transaction);
  await sql`update employees set probation_end_date = ${dayFromNow(60)} where id = ${employee.id}`.execute(db);
  await pruneCandidates({ deps, now: Temporal.Now.instant() });
  await end(transaction, 'commit');
  expect(await broken()).toEqual([]);
});

const surplus = sql<{ id: number }>`
  select employee_id as id from offboarding_candidates c join employees e on e.id = c.employee_id
  where not is_away(e.activity_status, e.employment_lifecycle, e.deleted_at) or not has_responsibilities(e.id)
  union all select employee_id from probation_review_candidates c where not lacks_probation_review(c)
  union all select employee_id from offboarding_candidates group by 1 having count(*) > 1`;

const kinds: [what: string, changes: Change[]][] = [
  ...['reports', 'departments', 'cycles', 'evaluations', 'reviews'].map((what, index): [string, Change[]] => [
    `leavers with ${what}`,
    [...lives, ...(duties[index] ?? [])],
  ]),
  ['probations', probationsOf(places)],
];

test.each(kinds)('no one with a task of HR is missing among the candidates: %s', async (_what, changes) => {
  let done = 0;
  for (let seed = 1; seed <= 6; seed += 1) {
    await sql.raw(relieve).execute(db);
    done += await live(randomOf(seed), changes);
    expect(await broken()).toEqual([]);
    await pruneCandidates({ deps, now: Temporal.Now.instant() });
    expect(await broken()).toEqual([]);
    expect((await surplus.execute(db)).rows).toEqual([]);
  }
  expect(done).toBeGreaterThan(40);
});
