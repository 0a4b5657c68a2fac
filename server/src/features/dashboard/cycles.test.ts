import type { CyclesReport, Dashboard } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const here = await make.entity({ name: 'Here' });
const there = await make.entity({ name: 'There' });
const [alpha, beta] = [
  await make.department({ entity_id: here.id, name: 'Alpha' }),
  await make.department({ entity_id: there.id, name: 'Beta' }),
];
const me = await make.employee({ department_id: alpha.id, roles: ['HR'] });
const [hr, local, manager] = [
  await as(me.user_id),
  await as((await make.employee({ department_id: alpha.id, roles: [{ role: 'HR', entity_ids: [here.id] }] })).user_id),
  await as((await make.employee({ department_id: alpha.id, roles: ['Manager'] })).user_id),
];
const template = await kpi.template();
const people = await Promise.all(
  [...Array.from({ length: 6 }, () => alpha), ...Array.from({ length: 6 }, () => beta)].map(async ({ id }) => ({
    department_id: id,
    employee: await make.employee({ department_id: id }),
  })),
);

/** A published cycle with these people; with their results if it is completed. */
async function cycleOf(name: string, published_at: string, some: typeof people, percentage?: number) {
  const cycle = await kpi.cycle({ name });
  await owner.query('update kpi_cycles set published_at = $2 where id = $1', [cycle.id, published_at]);
  const result = percentage !== undefined && {
    status: 'completed' as const,
    overall_percentage: percentage,
    overall_score: percentage / 20,
    performance_flag: 'standard',
  };
  for (const one of some) await kpi.evaluation({ cycle_id: cycle.id, template, ...one, ...result });
  return cycle.id;
}
const q1 = await cycleOf('Q1', '2026-01-01T08:00:00Z', people, 60);
const q2 = await cycleOf('Q2', '2026-04-01T08:00:00Z', people, 80);
await kpi.evaluation({
  cycle_id: q2,
  template,
  department_id: alpha.id,
  employee: me,
  status: 'completed',
  overall_percentage: 10,
  overall_score: 1,
  performance_flag: 'pip',
});
const pilot = await cycleOf('Pilot', '2026-05-01T08:00:00Z', people.slice(4, 8), 100);

const reportOf = async (client = hr, query = '') =>
  ((await client.get(`/api/reports/kpi-cycles${query}`)).body.data as CyclesReport).cycles;
const shown = async (client = hr, query = '') =>
  ((await client.get(`/api/dashboard${query}`)).body.data as Dashboard).kpi_cycle?.cycle.name;

test('the last cycles have their evaluations and results, without the own result and averages of few', async () => {
  expect(await reportOf()).toMatchObject([
    { id: pilot, name: 'Pilot', evaluations: 4, results: 4, average_percentage: null },
    { id: q2, name: 'Q2', evaluations: 13, results: 12, average_percentage: 80 },
    { id: q1, name: 'Q1', evaluations: 12, results: 12, average_percentage: 60 },
  ]);
  const counted = (cycles: CyclesReport['cycles']) => cycles.map(({ evaluations, results }) => [evaluations, results]);
  expect(counted(await reportOf(hr, `?entity_id=${there.id}`))).toEqual([
    [2, 2],
    [6, 6],
    [6, 6],
  ]);
  await owner.query('select fold_kpi_evaluation_counts()');
  expect(counted(await reportOf(local))).toEqual([
    [2, 2],
    [7, 7],
    [6, 6],
  ]);
  expect(await reportOf(local, `?entity_id=${there.id}`)).toEqual([]);
});

test('only readers of all figures get the report', async () => {
  expect((await manager.get('/api/reports/kpi-cycles')).status).toBe(403);
});

test('a pilot does not replace the latest cycle of usual size, and can be chosen', async () => {
  expect(await shown()).toBe('Q2');
  expect(await shown(local)).toBe('Q2');
  expect(await shown(hr, `?cycle_id=${pilot}`)).toBe('Pilot');
});

test('a cycle of comparable size is the latest one', async () => {
  await cycleOf('Q3', '2026-07-01T08:00:00Z', people.slice(0, 8));
  expect(await shown()).toBe('Q3');
  // for the other company this cycle is only a pilot
  expect(await shown(hr, `?entity_id=${there.id}`)).toBe('Q2');
});
