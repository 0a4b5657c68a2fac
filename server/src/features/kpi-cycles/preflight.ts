import { text } from '@tenure/contract';
import type { kpiCycles, PreflightFinding as Finding, ReplyIn, Text } from '@tenure/contract';
import { sql } from 'kysely';
import { highestResult } from '@tenure/contract/highest-result';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { conflict } from '../../http/errors.ts';
import { itemsOf } from '../kpi-templates/queries.ts';
import { movesOfDepartments } from './move-rows.ts';
import { chosenDepartments, planInDetail } from './plan.ts';
import type { ChosenDepartment, Plan } from './plan.ts';
import type { CycleRecord } from './queries.ts';

type Preflight = ReplyIn<typeof kpiCycles.preflight>['data'];
type PreflightFinding = Omit<Finding, 'message'> & { message: Text };

export const closedCycle = text('kpi_cycles.closed_cannot_publish');

type Templated = Pick<ChosenDepartment, 'template_id' | 'template_name' | 'scale_max'>;

const finding = (
  code: PreflightFinding['code'],
  message: Text,
  about: Partial<Pick<PreflightFinding, 'department_id' | 'employee'>> = {},
): PreflightFinding => ({ department_id: null, employee: null, ...about, code, message });

function templateBlockers({ id, name, template_id, template_status }: ChosenDepartment): PreflightFinding[] {
  if (template_id === null)
    return [finding('no_template', text('kpi_cycles.no_template', { name }), { department_id: id })];
  return template_status === 'active'
    ? []
    : [finding('template_not_active', text('kpi_cycles.template_not_active', { name }), { department_id: id })];
}

/** A published department stays in the cycle wherever it moves. */
function placeBlockers(department: ChosenDepartment): PreflightFinding[] {
  const { id, name, is_published, has_left_cycle, has_left_template } = department;
  const found = (message: Text) => [finding('other_company', message, { department_id: id })];
  if (is_published) return [];
  if (has_left_cycle) return found(text('kpi_cycles.other_company', { name }));
  return has_left_template ? found(text('kpi_cycles.template_of_other_company', { name })) : [];
}

/** The reasons against publishing. */
export function blockersOf(departments: readonly ChosenDepartment[], plan: Plan): PreflightFinding[] {
  if (departments.length === 0) return [finding('no_departments', text('kpi_cycles.no_department'))];
  return [
    ...departments.flatMap(templateBlockers),
    ...departments.flatMap(placeBlockers),
    ...(plan.eligible === 0 ? [finding('nobody_eligible', text('kpi_cycles.nobody_eligible'))] : []),
    ...plan.without_reviewer.map(({ department_id, employee }) =>
      finding('no_reviewer', text('kpi_cycles.no_reviewer', { name: employee.name }), { department_id, employee }),
    ),
    ...(plan.others_without_reviewer > 0
      ? [finding('no_reviewer', text('kpi_cycles.people_without_reviewer', { count: plan.others_without_reviewer }))]
      : []),
  ];
}

/** Today in the company of a cycle, in UTC without a company. */
async function todayOf(db: Db, { entity_id }: CycleRecord): Promise<string> {
  const { rows } = await sql<{ today: string }>`
    select (now() at time zone coalesce((select timezone from entities where id = ${entity_id}), 'UTC'))::date
      as today`.execute(db);
  return (rows[0] as { today: string }).today;
}

/** The templates of departments by name, with the highest percentage that each can reach. */
async function highestResults(db: Db, departments: readonly Templated[]): Promise<Preflight['templates']> {
  const used = new Map(
    departments.map(({ template_id, template_name, scale_max }) => [template_id, { template_name, scale_max }]),
  );
  const ids = [...used.keys()].filter((id) => id !== null);
  const items = await itemsOf(db, ids);
  const found = ids.map((id) => {
    const { template_name, scale_max } = used.get(id) ?? {};
    return { id, name: template_name ?? '', highest_pct: highestResult(items.get(id) ?? [], scale_max ?? 1) ?? 0 };
  });
  return found.toSorted((a, b) => a.name.localeCompare(b.name));
}

const belowFull = ({ name, highest_pct }: Preflight['templates'][number]) =>
  text('kpi_cycles.highest_below_full', { name, percent: highest_pct });

/** Warnings about these templates if they cannot reach the full result. */
export async function belowFullOf(db: Db, ids: readonly number[]): Promise<Text[]> {
  const { rows } = await sql<Templated>`
    select id as template_id, name as template_name, scale_max from kpi_templates
    where id = any(${ids}::bigint[])`.execute(db);
  return (await highestResults(db, rows)).filter(({ highest_pct }) => highest_pct < 100).map(belowFull);
}

/** The effect of publishing a cycle or some of its departments. */
export async function preflight(
  ctx: { db: Db; actor: Actor },
  cycle: CycleRecord,
  named: readonly number[] | undefined,
): Promise<Preflight> {
  if (cycle.status === 'closed') throw conflict(closedCycle, cycle);
  const chosen = await chosenDepartments(ctx, cycle.id, named);
  const departmentIds = chosen.map(({ id }) => id);
  const plan = await planInDetail({ ...ctx, cycleId: cycle.id, departmentIds });
  const { replaced, without_reviewer: _listed, others_without_reviewer: _others, ...figures } = plan;
  // a template of another company blocks publishing and is not named
  const templates = await highestResults(
    ctx.db,
    chosen.filter(({ has_left_template }) => !has_left_template),
  );
  const moves = await movesOfDepartments(ctx, cycle.id, departmentIds);
  const closes = cycle.self_assessment_closes_on;
  const isPast = closes !== null && closes < (await todayOf(ctx.db, cycle));
  const warnings = [
    ...(isPast
      ? [finding('window_passed', text('kpi_cycles.window_passed', { date: { day: closes }, days: cycle.min_days }))]
      : []),
    ...replaced.map(({ department_id, name, instead }) =>
      finding('manager_without_permission', text('kpi_cycles.may_not_review', { name, instead }), { department_id }),
    ),
    ...templates
      .filter(({ highest_pct }) => highest_pct < 100)
      .map((template) => finding('highest_below_full', belowFull(template))),
    ...moves.map(({ employee, from_department: from, to_department: to }) =>
      finding(
        'move_undecided',
        text('kpi_cycles.move_undecided', { name: employee.name, from: from.name, to: to.name }),
        { department_id: to.id, employee },
      ),
    ),
  ];
  return { cycle_id: cycle.id, ...figures, templates, blockers: blockersOf(chosen, plan), warnings };
}
