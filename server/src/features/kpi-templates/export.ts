import type { kpiTemplates } from '@tenure/contract';
import { sql } from 'kysely';
import type { FileReply, HandlerCtx } from '../../http/context.ts';
import { exportFile } from '../../http/downloads.ts';
import type { ExportColumn } from '../../http/downloads.ts';
import { templatesAsked, templatesOrdered } from './queries.ts';

type Line = {
  template_name: string;
  item_name: string | null;
  weight: number | null;
  item_description: string | null;
  sort_order: number | null;
  template_description: string | null;
  entity: string | null;
  status: string;
  version: number;
};

const columns = (
  [
    'template_name',
    'item_name',
    'weight',
    'item_description',
    'sort_order',
    'template_description',
    'entity',
    'status',
    'version',
  ] as const
).map((header): ExportColumn<Line> => ({ header, value: (line) => line[header] }));

/** Exports templates: a row for each item, and one for a template without items. */
export async function exportTemplates(ctx: HandlerCtx<typeof kpiTemplates.export>): Promise<FileReply> {
  const { db, actor, query } = ctx;
  const { rows } = await sql<Line>`
    select t.name as template_name, i.name as item_name, i.weight / 100.0 as weight, i.description as item_description,
           i.sort_order, t.description as template_description, n.name as entity, t.status, t.version
    from kpi_templates t
    left join entities n on n.id = t.entity_id
    left join kpi_template_items i on i.template_id = t.id
    where ${templatesAsked(actor, query)}
    ${templatesOrdered(query)}, i.sort_order, i.id`.execute(db);
  return exportFile(ctx, { name: 'kpi-templates', columns, rows, count: rows.length });
}
