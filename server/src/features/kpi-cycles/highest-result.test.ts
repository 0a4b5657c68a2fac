import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const acme = await make.entity();
const hr = await as(
  (await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] })).user_id,
);

const measured = { item_type: 'measured', target_value: 10 } as const;
const done = { name: 'Certified', item_type: 'measured', direction: 'boolean', weight: 5_000 } as const;
const close = { name: 'On budget', ...measured, direction: 'target', weight: 5_000 } as const;

/** A department with a head and a member, and a template of these items, in a draft cycle. */
async function team(name: string, items: Parameters<typeof kpi.template>[0]) {
  const head = await make.employee({ entity_id: acme.id, roles: ['Manager'] });
  const { id } = await make.department({ entity_id: acme.id, manager_id: head.id });
  const member = await make.employee({ department_id: id, reporting_manager_id: head.id });
  const template = await kpi.template({ name, entity_id: acme.id, ...items });
  const cycle = await kpi.cycle({
    status: 'draft',
    entity_id: acme.id,
    self_assessment_opens_on: null,
    self_assessment_closes_on: null,
    departments: [{ department_id: id, template_id: template.id }],
  });
  return { url: `/api/kpi-cycles/${cycle.id}`, cycle, template, member: await as(member.user_id) };
}

test('the check before publishing shows the highest result of each template, and warns below 100 %', async () => {
  const capped = [
    { name: 'Revenue', ...measured, direction: 'higher_better', cap_pct: 105, weight: 2_000 },
    { ...done, weight: 3_000 },
    { name: 'Teamwork', weight: 5_000 },
  ];
  const low = await team('Capped', { items: capped });
  const { data } = (await hr.get(`${low.url}/preflight`)).body;
  expect(data.templates).toEqual([{ id: low.template.id, name: 'Capped', highest_pct: 96 }]);
  expect(data.warnings).toMatchObject([
    {
      code: 'highest_below_full',
      message:
        'With the template “Capped”, the highest possible result is 96%. A cap below 110% keeps an item from the highest score.',
    },
  ]);
  const full = await team('Full', { items: [done, close] });
  const other = (await hr.get(`${full.url}/preflight`)).body.data;
  expect([other.templates[0].highest_pct, other.warnings]).toEqual([100, []]);
});

test('yes/no and on-target items that are met have the highest score; existing evaluations keep the earlier rule', async () => {
  const { url, cycle, member } = await team('Met', { items: [done, close] });
  const { plan_hash } = (await hr.get(`${url}/preflight`)).body.data;
  expect((await hr.post(`${url}/publish`, { plan_hash })).status).toBe(200);
  const [{ id }] = (await member.get('/api/kpi-evaluations?mine=1')).body.data;
  const { items } = (await member.get(`/api/kpi-evaluations/${id}`)).body.data as { items: { id: number }[] };
  const answer = async (...values: number[]) => {
    const sent = items.map((item, index) => ({ id: item.id, self_actual_value: values[index] }));
    const { status, body } = await member.put(`/api/kpi-evaluations/${id}`, { items: sent });
    expect(status).toBe(200);
    return body.data.items.map(({ self_score }: { self_score: number }) => self_score);
  };
  expect(await answer(1, 10)).toEqual([5, 5]);
  expect(await answer(0, 9)).toEqual([1, 3]);
  // an evaluation from before the rule existed
  await owner.query('update kpi_evaluations set met_is_top = false where cycle_id = $1', [cycle.id]);
  expect(await answer(1, 10)).toEqual([4, 4]);
});
