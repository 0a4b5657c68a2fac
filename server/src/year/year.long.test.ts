import { afterAll, expect, test } from 'vitest';
import { connect } from '../db/connect.ts';
import { startApp } from '../testing/app.ts';
import { databaseWithClock } from '../testing/clock.ts';
import { wrongAfter } from '../testing/year/checks.ts';
import { begin, live } from '../testing/year/year.ts';

/**
 * A simulated year of two companies: people join, leave, move, pause and return, three KPI rounds run, a department
 * moves, results are disputed. After each day the rules of testing/year/checks.ts hold. A seed repeats its year.
 * CONTRIBUTING.md has the command for many seeds.
 */

const { YEAR_SEEDS, YEAR_PEOPLE = '48' } = process.env;
/** The first round of one year; with given seeds, whole years, including the template that is corrected. */
const { YEAR_DAYS = YEAR_SEEDS === undefined ? '110' : '366' } = process.env;
const [first = 1, last = first] = (YEAR_SEEDS ?? '1').split('-').map(Number);
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);
const days = Number(YEAR_DAYS);

test.each(seeds)('the year of seed %i', { timeout: 3_600_000 }, async (seed) => {
  const clock = await databaseWithClock();
  const app = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' }, { database: clock.database });
  const { db } = connect({ url: clock.database.ownerUrl, max: 2 });
  afterAll(async () => {
    await db.destroy();
    await clock.end();
  });
  const world = await begin(app, { seed, people: Number(YEAR_PEOPLE), goTo: clock.goTo });
  for (let day = 1; day < days; day += 1) {
    await live(world, day);
    const wrong = await wrongAfter(world, db, { thorough: day % 30 === 0 || day === days - 1 });
    expect(wrong, `day ${day}\n${world.diary.slice(-15).join('\n')}`).toEqual([]);
  }
});
