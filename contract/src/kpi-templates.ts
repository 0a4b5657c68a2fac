import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { allowedActions, item, page, Ref, stamps } from './envelope.ts';
import { boolean, changes, decimal, id, integer, number, oneOf, revision, text } from './fields.ts';
import { exportQuery, filters, listQuery } from './lists.ts';
import { messages } from './messages.ts';
import { asIssue } from './texts.ts';
import { tables } from './files.ts';

export const templateStatuses = ['draft', 'active', 'archived'] as const;
export const itemTypes = ['rating', 'measured'] as const;
export const itemDirections = ['higher_better', 'lower_better', 'target', 'boolean'] as const;

const measure = () => decimal(-999_999_999_999, 999_999_999_999, 2);

const templateItem = z.object({
  /** The stored item that this one replaces; absent for a new one. */
  id: id().optional(),
  name: text(200, 2),
  description: text(5_000).nullish(),
  /** Percent with two decimals; stored as basis points. */
  weight: decimal(0.01, 100, 2),
  sort_order: integer(0, 1_000).nullish(),
  evidence_required: boolean().optional(),
  item_type: oneOf(itemTypes).optional(),
  direction: oneOf(itemDirections).nullish(),
  unit: text(20).nullish(),
  target_value: measure().nullish(),
  baseline_value: measure().nullish(),
  tolerance_pct: decimal(0, 50, 2).nullish(),
  cap_pct: decimal(100, 200, 2).nullish(),
  /** Whether the target is reduced for a person employed on only part of the cycle's days. */
  prorate: boolean().optional(),
});

const create = z.object({
  name: text(150, 2),
  description: text(5_000).nullish(),
  entity_id: id().nullish(),
  job_title: text(150).nullish(),
  grade: text(10).nullish(),
  scale_min: integer(0, 9).optional(),
  scale_max: integer(1, 10).optional(),
  /** 1 or 0.5. */
  score_step: number(0.5, 1)
    .refine((step) => step === 0.5 || step === 1, { error: asIssue(messages.selected) })
    .optional(),
  /** A label for each whole score, lowest first; null for none. */
  scale_words: z.array(text(60).nullable()).max(11).nullish(),
  status: oneOf(['draft', 'active']).optional(),
  items: z.array(templateItem).max(50),
});

/** Fields of a template and of its items, for other code that reads them. */
export const kpiTemplateInput = {
  template: create.shape,
  item: templateItem.shape,
  /** The status in a file, possibly that of an archived template. */
  status: oneOf(templateStatuses).optional(),
};

const optionalText = (max: number) => z.string().max(max).nullable();

/** An item as templates and evaluations show it; `weight` in percent. */
export const ItemShape = {
  name: z.string().max(200),
  description: optionalText(5_000),
  weight: z.number(),
  sort_order: z.int(),
  evidence_required: z.boolean(),
  item_type: z.enum(itemTypes),
  direction: z.enum(itemDirections).nullable(),
  unit: optionalText(20),
  target_value: z.number().nullable(),
  baseline_value: z.number().nullable(),
  tolerance_pct: z.number().nullable(),
  cap_pct: z.number().nullable(),
  prorate: z.boolean(),
};
export const KpiTemplateItem = z.object({ id: z.int(), ...ItemShape });
export type KpiTemplateItem = z.output<typeof KpiTemplateItem>;

/** A label for each whole score of a scale, lowest first, blank for none; null if no score has one. */
export const scaleWords = z.array(z.string().max(60)).nullable();

export const KpiTemplateRow = z.object({
  id: z.int(),
  name: z.string().max(150),
  description: optionalText(5_000),
  entity_id: z.int().nullable(),
  entity: Ref.nullable(),
  job_title: optionalText(150),
  grade: optionalText(10),
  scale_min: z.int(),
  scale_max: z.int(),
  score_step: z.number(),
  scale_words: scaleWords,
  status: z.enum(templateStatuses),
  version: z.int(),
  total_weight: z.number(),
  items_count: z.int(),
  usage: z.object({ draft_cycles: z.int(), published_cycles: z.int() }),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type KpiTemplateRow = z.output<typeof KpiTemplateRow>;
export const KpiTemplate = KpiTemplateRow.extend({ items: z.array(KpiTemplateItem) });
export type KpiTemplate = z.output<typeof KpiTemplate>;

const query = listQuery(['name', 'status', 'items_count', 'created_at', 'updated_at'], {
  entity_id: filters.ids(),
  status: filters.oneOf(templateStatuses),
  job_title: filters.text(150),
  grade: filters.text(10),
});

const path = '/kpi-templates/:id';
const reply = item(KpiTemplate);
const view = { permission: 'kpi-template.view', scope: 'scoped', status: 200 } as const;
const update = { permission: 'kpi-template.update', scope: 'scoped', reply, status: 200 } as const;

export const kpiTemplates = {
  list: endpoint({
    ...view,
    method: 'GET',
    path: '/kpi-templates',
    summary: 'List KPI templates',
    query,
    reply: page(KpiTemplateRow),
  }),
  export: endpoint({
    ...view,
    method: 'GET',
    path: '/kpi-templates/export',
    summary: 'Export KPI templates with their items',
    query: exportQuery(query),
    file: tables,
    budget: 'export',
  }),
  get: endpoint({ ...view, method: 'GET', path, summary: 'Read a KPI template', reply }),
  create: endpoint({
    method: 'POST',
    path: '/kpi-templates',
    summary: 'Add a KPI template',
    permission: 'kpi-template.create',
    scope: 'scoped',
    body: create,
    reply,
    status: 201,
  }),
  duplicate: endpoint({
    method: 'POST',
    path: `${path}/duplicate`,
    summary: 'Copy a KPI template as a draft',
    permission: 'kpi-template.create',
    scope: 'scoped',
    body: z.object({ name: text(150, 2).nullish(), entity_id: id().nullish() }),
    reply,
    status: 201,
  }),
  update: endpoint({
    ...update,
    method: 'PUT',
    path,
    summary: 'Change a KPI template',
    // a form may send the status back unchanged; only activate and archive change it
    body: changes(create, { ...revision, status: oneOf(templateStatuses).optional() }),
  }),
  activate: endpoint({
    ...update,
    method: 'POST',
    path: `${path}/activate`,
    summary: 'Let cycles use a KPI template',
    body: z.object(revision),
  }),
  archive: endpoint({
    ...update,
    method: 'POST',
    path: `${path}/archive`,
    summary: 'Take a KPI template out of use',
    body: z.object(revision),
  }),
  delete: endpoint({
    method: 'DELETE',
    path,
    summary: 'Delete a KPI template no cycle uses',
    permission: 'kpi-template.delete',
    scope: 'scoped',
    status: 204,
  }),
};
