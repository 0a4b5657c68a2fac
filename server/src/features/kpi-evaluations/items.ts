import type { KpiTemplateItem } from '@tenure/contract';
import { sql } from 'kysely';
import { allColumns } from '../../db/all-columns.ts';
import type { Db } from '../../db/connect.ts';
import type { ItemRecord } from './step.ts';
import { evidenceSeen } from './visibility.ts';
import type { Sight } from './visibility.ts';

type Copied = Omit<KpiTemplateItem, 'id'>;

/** An item as stored, `weight` in basis points; `evidence` is the number of visible pieces. */
export type StoredItem = Copied & Omit<ItemRecord, keyof Copied>;

/** The items of an evaluation in their order. */
export async function readItems(db: Db, evaluationId: number, sight: Sight): Promise<StoredItem[]> {
  const { rows } = await sql<StoredItem>`
    select ${allColumns('kpi_evaluation_items', 'i')}, (select count(*) from kpi_evidence f
                 where f.item_id = i.id and f.stage = any(${evidenceSeen(sight)}::text[])) as evidence
    from kpi_evaluation_items i where i.evaluation_id = ${evaluationId} order by i.sort_order, i.id`.execute(db);
  return rows;
}
