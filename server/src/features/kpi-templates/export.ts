import type { kpiTemplates } from '@tenure/contract';
import { sql } from 'kysely';
import type { FileReply, HandlerCtx } from '../../http/context.ts';
import { exportFile } from '../../http/downloads.ts';
import type { ExportColumn } from '../../http/downloads.ts';
import { writeWords } from './scale-words.ts';
import { templatesMatching, templatesOrdered } from './queries.ts';

type Line = {
  template_name: string;
  item_name: string | null;
  weight: number | null;
  item_description: string | null;
  sort_order: number | null;
  item_type: string | null;
  direction: string | null;
  unit: string | null;
  target_value: number | null;
  baseline_value: number | null;
  tolerance_pct: number | null;
  cap_pct: number | null;
  prorate: boolean | null;
  evidence_required: boolean | null;
  template_description: string | null;
  entity: string | null;
  job_title: string | null;
  grade: string | null;
  scale_min: number;
  scale_max: number;
  score_step: number;
  scale_words: string[] | null;
  status: string;
  version: number;
};

/** The columns of a file of templates in order; an import reads all of them but `version`. */
const headers = [
  'template_name',
  'item_name',
  'weight',
  'item_description',
  'sort_order',
  'item_type',
  'direction',
  'unit',
  'target_value',
  'baseline_value',
  'tolerance_pct',
  'cap_pct',
  'prorate',
  'evidence_required',
  'template_description',
  'entity',
  'job_title',
  'grade',
  'scale_min',
  'scale_max',
  'score_step',
  'scale_words',
  'status',
  'version',
] as const satisfies readonly (keyof Line)[];

const columns = headers.map((header): ExportColumn<Line> => ({
  header,
  value: (line) => (header === 'scale_words' ? line.scale_words && writeWords(line.scale_words) : line[header]),
}));

/** Exports templates: a row for each item, and one for a template without items. */
export async function exportTemplates(ctx: HandlerCtx<typeof kpiTemplates.export>): Promise<FileReply> {
  const { db, actor, query } = ctx;
  const { rows } = await sql<Line>`
    select t.name as template_name, i.name as item_name, i.weight / 100.0 as weight, i.description as item_description,
           i.sort_order, i.item_type, i.direction, i.unit, i.target_value, i.baseline_value, i.tolerance_pct, i.cap_pct,
           i.prorate, i.evidence_required, t.description as template_description, n.name as entity, t.job_title, t.grade,
           t.scale_min, t.scale_max, t.score_step, t.scale_words, t.status, t.version
    from kpi_templates t
    left join entities n on n.id = t.entity_id
    left join kpi_template_items i on i.template_id = t.id
    where ${templatesMatching(actor, query)}
    ${templatesOrdered(query)}, i.sort_order, i.id`.execute(db);
  return exportFile(ctx, { name: 'kpi-templates', columns, rows, count: rows.length });
}
