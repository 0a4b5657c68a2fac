import type { EvaluationStatus } from '@tenure/contract';
import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import type { DB } from '../db/schema.ts';
import { overallOf } from '../scores/overall.ts';
import type { TestApp } from './app.ts';
import type { MadeEmployee } from './make.ts';

type Fields<T extends keyof DB> = Partial<Insertable<DB[T]>>;
/** `weight` in basis points. */
export type ItemFields = Fields<'kpi_template_items'>;
type AnswerFields = Fields<'kpi_evaluation_items'>;

type TemplateFields = Fields<'kpi_templates'> & { items?: readonly ItemFields[] };
type CycleFields = Fields<'kpi_cycles'> & {
  /** Participating departments, with their templates. */
  departments?: readonly { department_id: number; template_id: number | null; is_published?: boolean }[];
};
type EvaluationFields = Fields<'kpi_evaluations'> & {
  status?: EvaluationStatus;
  /** The person; a new one when absent. */
  employee?: MadeEmployee | undefined;
  reviewer?: MadeEmployee | undefined;
  template?: MadeTemplate | undefined;
  /** What is written into each item, in order, in addition to what the status implies. */
  answers?: readonly AnswerFields[];
};

export type MadeTemplate = { id: number; name: string; version: number; items: { id: number; name: string }[] };
export type MadeCycle = { id: number; name: string; revision: number };
export type MadeEvaluation = {
  id: number;
  cycle_id: number;
  employee_id: number;
  entity_id: number;
  department_id: number;
  reviewer_id: number | null;
  template_id: number;
  status: string;
  revision: number;
  items: { id: number; name: string; weight: number }[];
};

export type KpiMakers = {
  template: (fields?: TemplateFields) => Promise<MadeTemplate>;
  cycle: (fields?: CycleFields) => Promise<MadeCycle>;
  evaluation: (fields?: EvaluationFields) => Promise<MadeEvaluation>;
};

/** The day this many days after today, in UTC, the time zone of test companies. */
export const dayFromNow = (days: number) => Temporal.Now.plainDateISO('UTC').add({ days }).toString();
const daysAgo = (days: number) =>
  Temporal.Now.instant()
    .subtract({ hours: 24 * days })
    .toString();

const usualItems: readonly ItemFields[] = [
  { name: 'Savings against budget', weight: 4000 },
  { name: 'Supplier lead time', weight: 3000 },
  { name: 'Teamwork', weight: 3000 },
];
const selfScores = [5, 4, 4];
const managerScores = [4, 5, 3];

const stages = ['self_assessment', 'manager_review', 'hr_review', 'pending_acceptance', 'accepted', 'completed'];
/** The stage that an evaluation has reached; a disputed one counts like an accepted one. */
const stageOf = (status: string) => (status === 'disputed' ? 4 : stages.indexOf(status));

/** What is written into an item by the time of a stage. */
const usualAnswer = (stage: number, index: number, most: number): AnswerFields => ({
  ...(stage > 0 && { self_score: Math.min(most, selfScores[index % 3] ?? 4) }),
  ...(stage > 1 && { manager_score: Math.min(most, managerScores[index % 3] ?? 4), manager_not_applicable: false }),
  ...(stage > 2 && { final_score: Math.min(most, managerScores[index % 3] ?? 4) }),
});

/** Texts and times that an evaluation has by the time of a stage. */
function usualFields(status: string, stage: number): Fields<'kpi_evaluations'> {
  return {
    ...(stage > 0 && { self_comment: 'Good quarter.', self_submitted_at: daysAgo(10) }),
    ...(stage > 1 && {
      manager_comment: 'Agreed.',
      strengths: 'Negotiation',
      improvements: 'Planning',
      manager_submitted_at: daysAgo(6),
      manager_submitted_by_name: 'The reviewer',
    }),
    ...(stage > 2 && {
      hr_comment: 'Consistent with peers.',
      hr_submitted_at: daysAgo(3),
      hr_submitted_by_name: 'Human resources',
      acceptance_due_on: dayFromNow(4),
    }),
    ...(stage > 3 && { responded_at: daysAgo(2) }),
    ...(stage > 3 && status !== 'disputed' && { acceptance_mode: 'employee' }),
    ...(status === 'disputed' && { dispute_reason: 'Item 1 was not seen in full.' }),
    ...(status === 'completed' && { completed_at: daysAgo(1) }),
    status_changed_at: daysAgo([20, 10, 6, 3, 2, 1][stage] ?? 20),
  };
}

type Answered = AnswerFields & { weight: number };

/** The figures computed from the items, named like the columns of `kpi_evaluations`. */
async function figuresOf(
  db: Db,
  items: readonly Answered[],
  { cycle_id, scale_max, stage }: { cycle_id: number; scale_max: number; stage: number },
): Promise<Fields<'kpi_evaluations'>> {
  if (stage === 0) return {};
  const settings = await db
    .selectFrom('kpi_cycles')
    .select(['manager_weight_pct', 'self_weight_pct', 'pip_below_pct', 'hipo_from_pct'])
    .where('id', '=', cycle_id)
    .executeTakeFirstOrThrow();
  const number = (value: unknown) => (typeof value === 'number' ? value : null);
  const scored = items.map((item, id) => ({
    id,
    weight: item.weight,
    not_applicable: item.manager_not_applicable ?? item.self_not_applicable ?? false,
    self_score: number(item.self_score),
    self_achievement_pct: null,
    manager_score: number(item.manager_score),
    final_score: number(item.final_score),
    achievement_pct: null,
  }));
  const all = overallOf({ ...settings, scale_max, self_skipped: false, items: scored });
  const { complete: _complete, self_overall_score, ...result } = all;
  if (stage === 1) return { self_overall_score };
  return { self_overall_score, ...result, ...(stage > 2 && { performance_flag: result.suggested_flag }) };
}

async function personOf(db: Db, employeeId: number) {
  return db
    .selectFrom('employees')
    .select(['entity_id', 'department_id', 'job_title', sql<string>`fold(name)`.as('person_sort')])
    .where('id', '=', employeeId)
    .executeTakeFirstOrThrow();
}

/** The copy of a template that evaluations keep. */
async function copyOf(db: Db, templateId: number) {
  const { name, version, ...scale } = await db
    .selectFrom('kpi_templates')
    .select(['name', 'version', 'scale_min', 'scale_max', 'score_step', 'scale_words'])
    .where('id', '=', templateId)
    .executeTakeFirstOrThrow();
  const copies = await db
    .selectFrom('kpi_template_items')
    .select(['id as template_item_id', 'name', 'description', 'weight', 'sort_order', 'evidence_required'])
    .select(['item_type', 'direction', 'unit', 'target_value', 'baseline_value', 'tolerance_pct', 'cap_pct', 'prorate'])
    .where('template_id', '=', templateId)
    .orderBy('sort_order')
    .execute();
  return { header: { ...scale, template_id: templateId, template_name: name, template_version: version }, copies };
}

const makeTemplate = async (db: Db, name: string, { items = usualItems, ...fields }: TemplateFields) => {
  const total_weight = items.reduce((sum, { weight = 0 }) => sum + weight, 0);
  const template = await db
    .insertInto('kpi_templates')
    .values({ name, total_weight, items_count: items.length, ...fields })
    .returning(['id', 'name', 'version'])
    .executeTakeFirstOrThrow();
  const rows = items.map((item, index) => ({
    name: `Item ${index + 1}`,
    sort_order: index + 1,
    ...item,
    weight: item.weight ?? Math.floor(10_000 / items.length),
    template_id: template.id,
  }));
  const made = await db.insertInto('kpi_template_items').values(rows).returning(['id', 'name']).execute();
  return { ...template, items: made };
};

const makeCycle = async (db: Db, name: string, { departments = [], ...fields }: CycleFields) => {
  const { status = 'published' } = fields;
  const cycle = await db
    .insertInto('kpi_cycles')
    .values({
      name,
      type: 'quarterly',
      start_date: dayFromNow(-100),
      end_date: dayFromNow(-10),
      self_assessment_opens_on: dayFromNow(-20),
      self_assessment_closes_on: dayFromNow(5),
      manager_review_opens_on: dayFromNow(-20),
      manager_review_closes_on: dayFromNow(15),
      created_by_name: 'Human resources',
      ...(status !== 'draft' && { published_at: daysAgo(20) }),
      ...(status === 'closed' && { closed_at: daysAgo(0) }),
      ...fields,
      status,
    })
    .returning(['id', 'name', 'revision'])
    .executeTakeFirstOrThrow();
  for (const { is_published = false, ...row } of departments) {
    const published = is_published && { published_at: daysAgo(20), published_by_name: 'Human resources' };
    const values = { ...row, cycle_id: cycle.id, is_published, ...published };
    await db.insertInto('kpi_cycle_departments').values(values).execute();
  }
  return cycle;
};

type Settled = Fields<'kpi_evaluations'> & {
  status: EvaluationStatus;
  cycle_id: number;
  employee_id: number;
  template_id: number;
};

async function makeEvaluation(db: Db, fields: Settled, answers: readonly AnswerFields[]): Promise<MadeEvaluation> {
  const { status, cycle_id, employee_id, template_id } = fields;
  const reached = status === 'cancelled' ? (fields.cancelled_from ?? 'self_assessment') : status;
  const stage = stageOf(reached);
  const { header, copies } = await copyOf(db, template_id);
  const items = copies.map((copy, index) => ({
    ...copy,
    ...usualAnswer(stage, index, header.scale_max),
    ...answers[index],
  }));
  const cancelled = { cancel_reason: 'No longer needed.', cancelled_from: reached, cancelled_at: daysAgo(0) };
  const row = await db
    .insertInto('kpi_evaluations')
    .values({
      ...(await personOf(db, employee_id)),
      ...header,
      ...usualFields(reached, stage),
      ...(await figuresOf(db, items, { cycle_id, scale_max: header.scale_max, stage })),
      ...(status === 'cancelled' && cancelled),
      ...fields,
    })
    .returning(['id', 'cycle_id', 'employee_id', 'entity_id', 'department_id', 'reviewer_id', 'template_id'])
    .returning(['status', 'revision'])
    .executeTakeFirstOrThrow();
  const made = await db
    .insertInto('kpi_evaluation_items')
    .values(items.map((item) => ({ ...item, evaluation_id: row.id })))
    .returning(['id', 'name', 'weight'])
    .execute();
  return { ...row, items: made };
}

/** Inserts templates, cycles and evaluations directly; fills in consistently what a test does not specify. */
export function kpiMaker({ deps: { db }, make }: Pick<TestApp, 'deps' | 'make'>): KpiMakers {
  let serial = 0;
  const next = () => (serial += 1);
  const kpi: KpiMakers = {
    template: (fields = {}) => makeTemplate(db, `Template ${next()}`, fields),
    cycle: (fields = {}) => makeCycle(db, `Cycle ${next()}`, fields),
    evaluation: async ({ employee, reviewer, template, answers = [], status = 'self_assessment', ...fields } = {}) =>
      makeEvaluation(
        db,
        {
          ...(reviewer && { reviewer_id: reviewer.id }),
          ...fields,
          status,
          employee_id: fields.employee_id ?? (employee ?? (await make.employee())).id,
          template_id: fields.template_id ?? (template ?? (await kpi.template())).id,
          cycle_id: fields.cycle_id ?? (await kpi.cycle()).id,
        },
        answers,
      ),
  };
  return kpi;
}
