import { expect, test } from 'vitest';
import { check, plainScale } from '../server/src/features/kpi-templates/rules.ts';
import { startApp } from '../server/src/testing/app.ts';
import { demoTemplates, insertDemoTemplates, itemsOf } from './demo-kpi.ts';

const { deps, as, make } = await startApp();

test('the templates of the demo could have been made by hand', async () => {
  for (const template of demoTemplates)
    expect(check({ ...plainScale, status: 'active', items: itemsOf(template) })).toEqual({});
  for (const code of ['NWH', 'NWR', 'NWL']) await make.entity({ code, name: code });
  const ids = await deps.db.transaction().execute(insertDemoTemplates);
  const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
  const { data } = (await hr.get('/api/kpi-templates')).body;
  expect(data.map(({ id, name }: { id: number; name: string }) => [name, id])).toEqual(
    ['Engineering', 'Operations', 'Sales', 'Shared services'].map((name) => [name, ids.get(name)]),
  );
  for (const row of data) expect([row.total_weight, row.status]).toEqual([100, 'active']);
});
