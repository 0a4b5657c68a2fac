import type { KpiTemplateItem } from '@tenure/contract';
import { sql } from 'kysely';
import { allColumns } from '../../db/all-columns.ts';
import type { Db } from '../../db/connect.ts';
import { fold } from '../../db/fold.ts';
import { itemsOf, usagesOf } from '../kpi-templates/queries.ts';
import type { TemplateRecord } from '../kpi-templates/queries.ts';
import type { Group } from './lines.ts';

/** An existing template with the name of a group. */
export type Existing = { template: TemplateRecord; items: KpiTemplateItem[]; published_cycles: number };

/** The existing templates by group; `lock` locks them. */
export async function loadExisting(
  db: Db,
  groups: readonly Group[],
  { lock = false } = {},
): Promise<ReadonlyMap<string, Existing>> {
  const wanted = groups.flatMap(({ key, entity_id, lines }) => {
    const name = lines[0]?.meanings.template_name;
    return name && entity_id !== undefined ? [{ key, entity_id: entity_id ?? 0, name: fold(name) }] : [];
  });
  const { rows } = await sql<TemplateRecord & { group_key: string }>`
    select ${allColumns('kpi_templates', 't')}, wanted.key as group_key
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted (key text, entity_id bigint, name text)
    join kpi_templates t on coalesce(t.entity_id, 0) = wanted.entity_id and fold(t.name) = wanted.name
    order by t.id ${lock ? sql`for update of t` : sql``}`.execute(db);
  const ids = rows.map(({ id }) => id);
  const [items, usages] = [await itemsOf(db, ids), await usagesOf(db, ids)];
  return new Map(
    rows.map(({ group_key, ...template }) => [
      group_key,
      {
        template,
        items: items.get(template.id) ?? [],
        published_cycles: usages.get(template.id)?.published_cycles ?? 0,
      },
    ]),
  );
}
