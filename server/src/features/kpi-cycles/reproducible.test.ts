import { evaluationStatuses } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';

/** Figures of a cycle equal the list of evaluations, and stored values equal the shown and the exported ones. */

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const [here, there] = [await make.entity({ timezone: 'Pacific/Kiritimati' }), await make.entity()];
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const hrHere = await as((await make.employee({ roles: [{ role: 'HR', entity_ids: [here.id] }] })).user_id);
const reviewer = await make.employee({ entity_id: here.id, roles: ['Manager'] });
const template = await kpi.template();
const places = [
  await make.department({ entity_id: here.id }),
  await make.department({ entity_id: here.id }),
  await make.department({ entity_id: there.id }),
];
const cycle = await kpi.cycle({
  self_assessment_closes_on: dayFromNow(-1),
  manager_review_closes_on: dayFromNow(0),
  departments: places.map(({ id }) => ({ department_id: id, template_id: template.id, is_published: true })),
});
for (const [index, { id }] of places.entries())
  for (const [turn, status] of [...evaluationStatuses, 'completed', 'completed', 'accepted'].entries()) {
    const score = 1 + ((index + turn) % 5);
    await kpi.evaluation({
      cycle_id: cycle.id,
      employee: await make.employee({ department_id: id }),
      template,
      status: status as (typeof evaluationStatuses)[number],
      ...((index + turn) % 3 > 0 && { reviewer }),
      ...(turn % 2 === 0 && { stage_open_until: dayFromNow((turn % 3) - 1) }),
      answers: [1, 2, 3].map(() => ({ manager_score: score, final_score: score })),
    });
  }
const url = `/api/kpi-cycles/${cycle.id}`;
const readers = { hr, 'HR of one company': hrHere };

test.each(Object.entries(readers))('every figure of a cycle equals its list, for %s', async (_name, client) => {
  const count = async (filters: string) =>
    (await client.get(`/api/kpi-evaluations?cycle_id=${cycle.id}&${filters}`)).body.meta.total as number;
  const { data } = (await client.get(`${url}/summary`)).body;
  expect(data.total).toBe(await count(''));
  for (const status of evaluationStatuses)
    expect([status, data.by_status[status]]).toEqual([status, await count(`status=${status}`)]);
  const stages = {
    self: 'self_assessment',
    manager: 'manager_review',
    hr: 'hr_review',
    acceptance: 'pending_acceptance',
  } as const;
  for (const [stage, status] of Object.entries(stages))
    expect([stage, data.overdue[stage]]).toEqual([stage, await count(`status=${status}&overdue=1`)]);
  for (const { band, count: n } of data.bands) expect([band, n]).toEqual([band, await count(`band=${band}`)]);
  for (const [flag, n] of Object.entries(data.flags))
    expect([flag, n]).toEqual([flag, await count(`performance_flag=${flag}&status=completed`)]);
  expect(data.departments.length).toBeGreaterThan(1);
  for (const { id, total, completed, overdue } of data.departments)
    expect([id, total, completed, overdue]).toEqual([
      id,
      await count(`department_id=${id}`),
      await count(`department_id=${id}&status=completed`),
      await count(`department_id=${id}&overdue=1`),
    ]);
  const board = (await client.get(`${url}/departments`)).body.data;
  for (const { department_id, by_status, overdue } of board) {
    expect(overdue).toBe(await count(`department_id=${department_id}&overdue=1`));
    for (const status of evaluationStatuses)
      expect(by_status[status]).toBe(await count(`department_id=${department_id}&status=${status}`));
  }
  const { groups, overall } = (await client.get(`${url}/distribution?by=reviewer`)).body.data;
  expect(overall.count).toBe(groups.reduce((sum: number, group: { count: number }) => sum + group.count, 0));
  for (const { id, bands } of groups)
    for (const { band, count: n } of bands)
      expect([id, band, n]).toEqual([id, band, await count(`reviewer_id=${id ?? 0}&band=${band}`)]);
});

test('stored values equal the listed, shown, explained and exported ones', async () => {
  const { rows: stored } = await owner.query(
    `select v.id::int, e.employee_number, v.overall_score::float, v.overall_percentage::float, v.self_overall_score::float
     from kpi_evaluations v join employees e on e.id = v.employee_id
     where v.cycle_id = $1 and v.status = 'completed' order by e.employee_number`,
    [cycle.id],
  );
  const list = (await hr.get(`/api/kpi-evaluations?cycle_id=${cycle.id}&status=completed&per_page=100`)).body.data;
  const file = (await hr.get(`${url}/export?status=completed`)).bytes.toString('utf8').replace('\uFEFF', '').trim();
  const [head, ...lines] = file.split('\r\n').map((line) => line.slice(1, -1).split('","'));
  const exported = new Map(
    lines.map((line) => {
      const cells = Object.fromEntries((head as string[]).map((name, index) => [name, line[index]]));
      return [cells['employee_number'], cells];
    }),
  );
  expect([list.length, exported.size]).toEqual([stored.length, stored.length]);
  for (const { id, employee_number, ...figures } of stored) {
    const row = list.find((one: { id: number }) => one.id === id);
    const { data } = (await hr.get(`/api/kpi-evaluations/${id}`)).body;
    for (const shown of [row, data]) expect(shown).toMatchObject(figures);
    expect(data.explain.result).toMatchObject({
      side: 'final',
      score: figures.overall_score,
      percentage: figures.overall_percentage,
    });
    const cells = exported.get(employee_number) ?? {};
    expect([cells['overall_score'], cells['overall_percentage'], cells['self_score']].map(Number)).toEqual([
      figures.overall_score,
      figures.overall_percentage,
      figures.self_overall_score,
    ]);
  }
});
