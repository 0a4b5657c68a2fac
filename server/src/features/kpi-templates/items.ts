import type { BodyOut, KpiTemplateItem, kpiTemplates } from '@tenure/contract';
import { messages } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { sentOf } from '../../db/values.ts';
import { say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { basisPoints, itemFields, plainItem, totalOf } from './rules.ts';
import type { Item } from './rules.ts';

export type SentItem = BodyOut<typeof kpiTemplates.create>['items'][number];

const defaultCap = 120;
const measureFields = ['direction', 'target_value', 'baseline_value', 'tolerance_pct', 'cap_pct'] as const;
const unmeasured = {
  ...(Object.fromEntries(measureFields.map((field) => [field, null])) as Pick<Item, (typeof measureFields)[number]>),
  prorate: false,
};

/** Merges a sent item into the stored one; fields of measured items follow the kind. */
export function itemOf(sent: SentItem, stored: KpiTemplateItem | undefined, place: number): Item {
  const merged: Item = { ...plainItem, ...stored, ...sentOf(sent), sort_order: sent.sort_order ?? place };
  if (merged.item_type === 'rating')
    return stored?.item_type === 'measured' ? { ...merged, ...unmeasured, ...measuresIn(sent) } : merged;
  return { ...merged, cap_pct: merged.cap_pct ?? defaultCap };
}

const measuresIn = (sent: SentItem) =>
  Object.fromEntries(
    [...measureFields, 'prorate' as const].flatMap((field) =>
      sent[field] === undefined ? [] : [[field, sent[field]]],
    ),
  );

/** The planned items of a template, and errors about ids of stored ones. */
export function mergeItems(
  sent: readonly SentItem[],
  stored: readonly KpiTemplateItem[],
): { items: Item[]; errors: FieldErrors } {
  const known = new Map(stored.map((item) => [item.id, item]));
  const errors: FieldErrors = {};
  const items = sent.map((item, index) => {
    const found = item.id === undefined ? undefined : known.get(item.id);
    const key = `items.${index}.id`;
    if (item.id !== undefined && !found) errors[key] = [say(key, messages.selected)];
    // matches each stored item at most once
    if (found) known.delete(found.id);
    return itemOf(item, found, index + 1);
  });
  return { items, errors };
}

const rowsOf = (items: readonly Item[]) =>
  JSON.stringify(items.map((item) => ({ ...item, weight: basisPoints(item.weight) })));

const names = sql.join(itemFields.map((field) => sql.ref(field)));

const asRows = (items: readonly Item[]) =>
  sql`jsonb_populate_recordset(null::kpi_template_items, ${rowsOf(items)}::jsonb)`;

/** Adds items to a template that may already have others. */
async function insertItems(db: Db, templateId: number, items: readonly Item[]): Promise<void> {
  if (items.length === 0) return;
  await sql`
    insert into kpi_template_items (template_id, ${names})
    select ${templateId}::bigint, ${names} from ${asRows(items)}`.execute(db);
}

/** Writes the items of a template: updates those with an id, adds new ones and removes the rest. */
export async function writeItems(db: Db, templateId: number, items: readonly Item[]): Promise<void> {
  const kept = items.filter(({ id }) => id !== null);
  await sql`
    delete from kpi_template_items
    where template_id = ${templateId} and id <> all(${kept.map(({ id }) => id)}::bigint[])`.execute(db);
  if (kept.length > 0)
    await sql`
      update kpi_template_items i
      set ${sql.join(itemFields.map((field) => sql`${sql.ref(field)} = ${sql.ref(`sent.${field}`)}`))}
      from ${asRows(kept)} as sent
      where i.template_id = ${templateId} and i.id = sent.id`.execute(db);
  await insertItems(
    db,
    templateId,
    items.filter(({ id }) => id === null),
  );
}

/** The totals of the items, stored with the template. */
export const totalsOf = (items: readonly Item[]) => ({ total_weight: totalOf(items), items_count: items.length });
