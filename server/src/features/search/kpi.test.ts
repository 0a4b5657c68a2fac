import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

const testApp = await startApp();
const { as, make } = testApp;
const kpi = kpiMaker(testApp);
const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const limited = await as((await make.employee({ roles: [{ role: 'HR', entity_ids: [north.id] }] })).user_id);

const find = async (who: typeof hr, q: string) => (await who.get(`/api/search?q=${q}`)).body.data;
const labels = (hits?: { label: string }[]) => hits?.map(({ label }) => label);

test('cycles are found by users who see them or one of their evaluations', async () => {
  const [here, there, all] = [
    await kpi.cycle({ name: 'Spring North', entity_id: north.id, start_date: '2026-01-01' }),
    await kpi.cycle({ name: 'Spring South', entity_id: south.id, start_date: '2025-01-01' }),
    await kpi.cycle({ name: 'Spring everywhere', start_date: '2024-01-01' }),
  ];
  const person = await make.employee({ entity_id: south.id });
  const reviewer = await make.employee({ roles: ['Manager'] });
  await kpi.evaluation({ cycle_id: there.id, employee: person, reviewer });
  expect(labels((await find(hr, 'spring')).cycles)).toEqual(['Spring North', 'Spring South', 'Spring everywhere']);
  expect(labels((await find(limited, 'spring')).cycles)).toEqual(['Spring North', 'Spring everywhere']);
  const [hit] = (await find(hr, 'everywhere')).cycles;
  expect([hit.id, hit.url]).toEqual([all.id, `/kpi/cycles/${all.id}`]);
  for (const who of [person, reviewer]) {
    const { cycles, templates } = await find(await as(who.user_id), 'spring');
    expect(cycles).toMatchObject([{ label: 'Spring South', url: `/kpi/evaluations?cycle_id=${there.id}` }]);
    expect(templates).toBeUndefined();
  }
  const stranger = await find(await as((await make.employee()).user_id), 'spring');
  expect(stranger.cycles).toEqual([]);
  expect(here.id).toBeGreaterThan(0);
});

test("templates are found by name and job title, in the reader's scope", async () => {
  await kpi.template({ name: 'Buyer goals', entity_id: north.id, job_title: 'Buyer' });
  await kpi.template({ name: 'Seller goals', entity_id: south.id });
  const common = await kpi.template({ name: 'Common goals' });
  expect(labels((await find(hr, 'goals')).templates)).toEqual(['Buyer goals', 'Common goals', 'Seller goals']);
  expect(labels((await find(limited, 'goals')).templates)).toEqual(['Buyer goals', 'Common goals']);
  expect(labels((await find(limited, 'buyer')).templates)).toEqual(['Buyer goals']);
  const only = (await hr.get('/api/search?q=common&types=templates')).body.data;
  expect(only).toEqual({
    templates: [{ id: common.id, label: 'Common goals', sublabel: '', url: `/kpi/templates/${common.id}` }],
  });
});
