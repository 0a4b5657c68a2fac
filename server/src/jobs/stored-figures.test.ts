import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../db/connect.ts';
import { startApp } from '../testing/app.ts';
import { brokenInvariants } from '../invariants/invariants.ts';
import { kpiMaker } from '../testing/make-kpi.ts';
import { probationMaker } from '../testing/make-probation.ts';
import { checkStoredFigures, storedFigures } from './stored-figures.ts';

const app = await startApp();
const { make, database, deps, owner } = app;
const { db } = connect({ url: database.ownerUrl, max: 1 });
afterAll(() => db.destroy());

await make.admin();
const leaver = await make.employee({ employment_lifecycle: 'resigned' });
await make.employee({ reporting_manager_id: leaver.id, joining_date: '2020-02-29' });
await probationMaker(app).person();
await probationMaker(app).review({ status: 'submitted' });
await kpiMaker(app).evaluation({ status: 'completed', overall_percentage: 82.5 });

type Line = { event: string; table: string; count: number };
/** Runs the check with the service's rights; returns the lines that it logs for the operator. */
async function check(): Promise<Line[]> {
  const lines: Line[] = [];
  const log = { ...deps.log, error: (line: Line) => lines.push(line) } as unknown as typeof deps.log;
  await checkStoredFigures({ deps: { ...deps, log }, now: Temporal.Now.instant() });
  return lines;
}

const wrong = async () => {
  const found: string[] = [];
  for (const [rule, { differing }] of Object.entries(storedFigures))
    if ((await differing.execute(db)).rows.length > 0) found.push(rule);
  return found;
};

const counts = ['employee_counts', 'employee_tenure_counts', 'kpi_evaluation_counts', 'probation_review_counts'];
const fold = () => sql.raw(`select ${counts.map((name) => `fold_${name}()`).join(', ')}`).execute(db);

test('the daily check is silent while figures and records agree', async () => {
  expect(await check()).toEqual([]);
});

test.each(Object.entries(storedFigures))('%s: logged and corrected by the daily check', async (rule, { table }) => {
  if (table === 'kpi_folded_counts') await fold();
  await owner.query(`delete from ${table}`);
  expect(await wrong()).toEqual([rule]);
  expect(await check()).toMatchObject([{ event: 'stored_figures_corrected', table }]);
  expect(await wrong()).toEqual([]);
  expect(await check()).toEqual([]);
});

test('figures counted twice are corrected too, and stay so when they are folded', async () => {
  for (const table of [...counts, 'kpi_folded_counts'])
    await owner.query(`insert into ${table} select * from ${table}`);
  expect((await check()).map(({ table }) => table)).toEqual(counts);
  await fold();
  expect(await wrong()).toEqual([]);
  expect((await brokenInvariants(db)).filter((line) => /differs|noted/.test(line))).toEqual([]);
});

test('lost counts by department are corrected together with those by company', async () => {
  await fold();
  await owner.query('delete from kpi_evaluation_counts');
  expect((await check()).map(({ table }) => table)).toEqual(['kpi_evaluation_counts', 'kpi_folded_counts']);
  expect(await wrong()).toEqual([]);
  const total = 'select sum(evaluations)::int as total from kpi_company_counts';
  expect((await owner.query(total)).rows).toEqual([{ total: 1 }]);
});
