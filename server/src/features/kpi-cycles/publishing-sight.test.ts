import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

/** The progress of publishing is one figure for all of its companies: readers who see only some do not get it. */

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const [north, south] = [await make.entity(), await make.entity()];
const hrOf = async (...ids: number[]) =>
  as((await make.employee({ entity_id: north.id, roles: [{ role: 'HR', entity_ids: ids }] })).user_id);
const [hrOfNorth, hrOfSouth, hrOfBoth] = [await hrOf(north.id), await hrOf(south.id), await hrOf(north.id, south.id)];
const hrOfAll = await as((await make.employee({ roles: ['HR'] })).user_id);
const [inNorth, inSouth] = [
  await make.department({ entity_id: north.id }),
  await make.department({ entity_id: south.id }),
];

const template = await kpi.template();

/** A published cycle of all companies, with these departments being published. */
async function publishing(...departments: { id: number }[]) {
  const { id } = await kpi.cycle({
    status: 'published',
    departments: [inNorth, inSouth].map(({ id: department_id }) => ({
      department_id,
      template_id: template.id,
      is_published: true,
    })),
  });
  await owner.query(
    `update kpi_cycles set publishing_processed = 40, publishing_total = 212, publishing_request = $2 where id = $1`,
    [id, { cycle_id: id, department_ids: departments.map((one) => one.id), actor: { user_id: 1, name: 'Hana Ito' } }],
  );
  const seenBy = async (client: typeof hrOfAll) => {
    const [one, list] = [
      await client.get(`/api/kpi-cycles/${id}`),
      await client.get('/api/kpi-cycles?per_page=100&sort_by=created_at&sort_direction=desc'),
    ];
    const row = list.body.data.find((cycle: { id: number }) => cycle.id === id);
    expect(row.publishing).toEqual(one.body.data.publishing);
    expect(one.body.data.allowed_actions).not.toContain('publish');
    return one.body.data.publishing as unknown;
  };
  return Promise.all([hrOfAll, hrOfBoth, hrOfNorth, hrOfSouth].map(seenBy));
}
const figures = { processed: 40, total: 212 };

test('a publish of two companies shows its figures to readers of both', async () => {
  expect(await publishing(inNorth, inSouth)).toEqual([figures, figures, {}, {}]);
});

test('a publish of one company shows its figures to its readers', async () => {
  expect(await publishing(inNorth)).toEqual([figures, figures, figures, {}]);
});
