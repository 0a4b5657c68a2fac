import { dayOf, note, rowsOf, succeed } from './world.ts';
import type { World } from './world.ts';

/** The three KPI rounds of the year. */

type Plan = {
  name: string;
  start: number;
  end: number;
  published: number;
  closes: number;
  /** The day on which the template of the first department turns out to be wrong. */
  mended?: number;
};
export const plans: readonly Plan[] = [
  { name: 'First quarter', start: 0, end: 90, published: 80, closes: 150 },
  { name: 'First half', start: 0, end: 181, published: 175, closes: 250, mended: 181 },
  { name: 'Whole year', start: 0, end: 365, published: 290, closes: 360 },
];

/** The index of the department with the wrong template, which has many people. */
const mendedDepartment = 1;

async function publish(world: World, { name, start, end, published, mended }: Plan): Promise<void> {
  const { data: cycle } = await succeed(world, 'post', {
    as: world.admin,
    url: '/kpi-cycles',
    body: {
      name,
      start_date: dayOf(start).toString(),
      end_date: dayOf(end).toString(),
      self_assessment_opens_on: dayOf(published).toString(),
      self_assessment_closes_on: dayOf(published + 14).toString(),
      manager_review_opens_on: dayOf(published).toString(),
      manager_review_closes_on: dayOf(published + 28).toString(),
      acceptance_days: 7,
      auto_skip_self: true,
      auto_accept: true,
      manager_weight_pct: 70,
      self_weight_pct: 30,
    },
  });
  const departments = world.companies.flatMap((company) => company.departments.map(({ id }) => id));
  for (const [index, id] of departments.entries()) {
    const isWrong = mended !== undefined && index === mendedDepartment;
    const body = { template_id: isWrong ? world.templates.wrong : world.templates.right };
    await succeed(world, 'put', { as: world.admin, url: `/kpi-cycles/${cycle.id}/departments/${id}`, body });
  }
  const { result } = await succeed(world, 'post', {
    as: world.admin,
    url: `/kpi-cycles/${cycle.id}/publish`,
    body: { allow_missing_reviewer: true },
  });
  world.cycles.push({ id: cycle.id, departments });
  note(world, `${name} is published: ${JSON.stringify(result)}`);
}

/** HR sees who has started, and replaces every evaluation, including those. */
async function mend(world: World, index: number): Promise<void> {
  const { id, departments } = world.cycles[index]!;
  const url = `/kpi-cycles/${id}/departments/${departments[mendedDepartment]!}/replace-template`;
  const body = { template_id: world.templates.right, reason: 'The template was that of the year before.' };
  const seen = (await succeed(world, 'post', { as: world.admin, url, body: { ...body, dry_run: true } })).data;
  const ticked = (seen.evaluations as { evaluation_id: number; can_be_replaced: boolean; outcome: string }[])
    .filter(({ outcome, can_be_replaced }) => outcome === 'kept' && can_be_replaced)
    .map(({ evaluation_id }) => evaluation_id);
  const all = { ...body, evaluation_ids: ticked };
  const { plan_hash } = (await succeed(world, 'post', { as: world.admin, url, body: { ...all, dry_run: true } })).data;
  const { data } = await succeed(world, 'post', { as: world.admin, url, body: { ...all, plan_hash } });
  note(world, `the template of ${data.department.name} is replaced: ${JSON.stringify(data.counts)}`);
}

/** Ends a round: whatever has not finished by then is ended now. */
async function close(world: World, index: number): Promise<void> {
  const { id } = world.cycles[index]!;
  const open = await rowsOf(
    world,
    `select id::int, status, status_changed_at::date::text from kpi_evaluations
     where cycle_id = $1 and status not in ('completed', 'cancelled') order by id`,
    id,
  );
  const body = open.length === 0 ? {} : { force: true, reason: 'The round has to end.' };
  await succeed(world, 'post', { as: world.admin, url: `/kpi-cycles/${id}/close`, body });
  note(world, `round ${index + 1} is closed with ${open.length} open`);
}

export async function runRounds(world: World): Promise<void> {
  for (const [index, plan] of plans.entries()) {
    if (plan.published === world.day) await publish(world, plan);
    if (plan.mended === world.day) await mend(world, index);
    if (plan.closes === world.day) await close(world, index);
  }
}
