import type {
  KpiTemplate,
  KpiTemplateItem,
  KpiTemplateRow,
  kpiTemplates,
  Permission,
  QueryOut,
} from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, Selectable, SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { departmentsIn } from '../../access/scope.ts';
import { allColumns } from '../../db/all-columns.ts';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, oneOfIds, oneOfTexts, orderedBy, selectPage } from '../../db/lists.ts';
import { refTo } from '../../db/refs.ts';
import type { KpiTemplates } from '../../db/schema.ts';
import type { ReadCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { can, templatesFor } from './policy.ts';
import type { TemplateState } from './policy.ts';

export type ListQuery = QueryOut<typeof kpiTemplates.list>;
export type TemplateRecord = Selectable<KpiTemplates>;

type Counts = KpiTemplateRow['usage'] & Pick<TemplateState, 'cycle_rows' | 'open_rows'>;
type Stored = Omit<KpiTemplateRow, 'allowed_actions' | 'usage'> & { counts: Counts; is_complete: boolean };

/** Cycles that use a template: readers see those in their scope, but all of them determine the actions. */
const counts = (actor: Actor) => {
  const isShown = departmentsIn(actor, reachOf(actor, 'kpi-template.view'));
  return sql`(
    select json_build_object(
      'draft_cycles', count(distinct c.id) filter (where c.status = 'draft' and ${isShown}),
      'published_cycles', count(distinct c.id) filter (where c.status <> 'draft' and ${isShown}),
      'cycle_rows', count(*),
      'open_rows', count(*) filter (where not r.is_published and c.status <> 'closed'))
    from kpi_cycle_departments r
    join kpi_cycles c on c.id = r.cycle_id
    join departments d on d.id = r.department_id
    where r.template_id = t.id)`;
};

const isComplete = sql`(t.total_weight = 10000 and t.items_count > 0 and not exists (
  select from kpi_template_items i
  where i.template_id = t.id and i.item_type = 'measured'
    and (i.direction is null or (i.direction <> 'boolean' and i.target_value is null))))`;

const columns = (actor: Actor) => sql`
  t.id, t.name, t.description, t.entity_id, ${refTo('n')} as entity, t.job_title, t.grade, t.scale_min, t.scale_max,
  t.score_step, t.scale_words, t.status, t.version, t.total_weight / 100.0 as total_weight, t.items_count, ${counts(actor)} as counts,
  ${isComplete} as is_complete, t.revision, t.created_at, t.updated_at`;

const items = sql`
  i.id, i.name, i.description, i.weight / 100.0 as weight, i.sort_order, i.evidence_required, i.item_type, i.direction,
  i.unit, i.target_value, i.baseline_value, i.tolerance_pct, i.cap_pct, i.prorate`;

const tables = sql`kpi_templates t left join entities n on n.id = t.entity_id`;

const sorts: Record<NonNullable<ListQuery['sort_by']>, RawBuilder<unknown>> = {
  name: sql`t.name_sort`,
  status: sql`t.status`,
  items_count: sql`t.items_count`,
  created_at: sql`t.created_at`,
  updated_at: sql`t.updated_at`,
};

const isText = (column: RawBuilder<unknown>, text: string | null | undefined) =>
  text ? [sql<SqlBool>`fold(${column}) = fold(${text}::text)`] : [];

/** The templates of a list that the actor sees. */
export const templatesMatching = (actor: Actor, query: Omit<ListQuery, 'page' | 'per_page'>) =>
  every([
    templatesFor(actor, 'kpi-template.view'),
    ...oneOfIds(sql`t.entity_id`, query.entity_id, { orNone: true }),
    ...oneOfTexts(sql`t.status`, query.status),
    ...isText(sql`t.job_title`, query.job_title),
    ...isText(sql`t.grade`, query.grade),
    ...holdsWords([sql`t.name`, sql`t.description`, sql`t.job_title`], query.search),
  ]);

export const templatesOrdered = ({ sort_by, sort_direction }: Pick<ListQuery, 'sort_by' | 'sort_direction'>) =>
  orderedBy(sorts[sort_by ?? 'name'], sort_direction, sql`t.id`);

function withActions<T extends Stored>(actor: Actor, rows: readonly T[]) {
  const actions = can(actor);
  return rows.map(({ counts: found, is_complete, ...row }) => {
    const { draft_cycles, published_cycles, ...state } = found;
    return {
      ...row,
      usage: { draft_cycles, published_cycles },
      allowed_actions: actions({ ...state, ...row, is_complete }),
    };
  });
}

/** A page of the templates that the actor sees. */
export async function listTemplates(
  { db, actor }: ReadCtx,
  query: ListQuery,
): Promise<{ rows: KpiTemplateRow[]; total: number }> {
  const where = templatesMatching(actor, query);
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Stored>`select ${columns(actor)} from ${tables} where ${where} ${templatesOrdered(query)}`,
    total: sql`select count(*) from kpi_templates t where ${where}`,
  });
  return { rows: withActions(actor, rows), total };
}

/** Throws 404 for a template that the actor does not see. */
export async function findTemplate({ db, actor }: ReadCtx, id: number): Promise<void> {
  const { rows } = await sql`
    select from kpi_templates t where t.id = ${id} and ${templatesFor(actor, 'kpi-template.view')}`.execute(db);
  if (rows.length === 0) throw notFound();
}

/** Finds and locks the template of a path for a change. Throws 404 outside the permission's scope. */
export async function lockTemplate(
  { db, actor }: ReadCtx,
  id: number,
  permission: Permission,
): Promise<TemplateRecord> {
  const { rows } = await sql<TemplateRecord>`
    select ${allColumns('kpi_templates', 't')} from kpi_templates t where t.id = ${id} and ${templatesFor(actor, permission)} for update`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

/** The items of templates in display order, by template. */
export async function itemsOf(db: Db, templateIds: readonly number[]): Promise<ReadonlyMap<number, KpiTemplateItem[]>> {
  const { rows } = await sql<KpiTemplateItem & { template_id: number }>`
    select i.template_id, ${items} from kpi_template_items i
    where i.template_id = any(${templateIds}::bigint[]) order by i.sort_order, i.id`.execute(db);
  const found = new Map(templateIds.map((id): [number, KpiTemplateItem[]] => [id, []]));
  for (const { template_id, ...item } of rows) found.get(template_id)?.push(item);
  return found;
}

/** The items of a template in display order. */
export const readItems = async (db: Db, templateId: number): Promise<KpiTemplateItem[]> =>
  (await itemsOf(db, [templateId])).get(templateId) ?? [];

/** A template as a response; the caller has checked its visibility. */
export async function readTemplate({ db, actor }: ReadCtx, id: number): Promise<KpiTemplate> {
  const { rows } = await sql<Stored & Pick<KpiTemplate, 'items'>>`
    select ${columns(actor)}, coalesce((
      select json_agg(to_json(i) order by i.sort_order, i.id)
      from (select ${items} from kpi_template_items i where i.template_id = t.id) as i), '[]') as items
    from ${tables} where t.id = ${id}`.execute(db);
  const [template] = withActions(actor, rows);
  if (!template) throw notFound();
  return template;
}

export type Usage = { draft_cycles: number; published_cycles: number; open_rows: number };

/** The usage of templates by template, whatever the actor's scope. */
export async function usagesOf(db: Db, templateIds: readonly number[]): Promise<ReadonlyMap<number, Usage>> {
  const { rows } = await sql<Usage & { id: number }>`
    select wanted.id, count(distinct c.id) filter (where c.status = 'draft') as draft_cycles,
           count(distinct c.id) filter (where c.status <> 'draft') as published_cycles,
           count(*) filter (where not r.is_published and c.status <> 'closed') as open_rows
    from unnest(${templateIds}::bigint[]) as wanted (id)
    left join kpi_cycle_departments r on r.template_id = wanted.id
    left join kpi_cycles c on c.id = r.cycle_id
    group by wanted.id`.execute(db);
  return new Map(rows.map(({ id, ...usage }) => [id, usage]));
}

const unused: Usage = { draft_cycles: 0, published_cycles: 0, open_rows: 0 };

/** The usage of a template. */
export const usageOf = async (db: Db, id: number): Promise<Usage> => (await usagesOf(db, [id])).get(id) ?? unused;
