import { messages } from '@tenure/contract';
import type { ImportField } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { say } from '../../http/errors.ts';
import type { Layout } from '../../imports/columns.ts';
import type { ImportRecord } from '../../imports/record.ts';
import { holdNames, takenNames } from '../employees/name-facts.ts';
import { asFailed } from './judge-row.ts';
import type { Judged } from './judge-row.ts';

const refusal = say('display_name', messages.taken);

const cellOf = (layout: Layout<ImportField>, field: ImportField) => {
  const place = layout.get(field);
  return place === undefined ? sql`null::text` : sql`nullif(btrim(cells ->> ${place}::int), '')`;
};

/** Rows of a file that would show the name of another of its rows; none of a file without such a column. */
export async function rowsWithSharedNames(
  db: Db,
  { id }: ImportRecord,
  layout: Layout<ImportField>,
): Promise<ReadonlySet<number>> {
  if (!layout.has('display_name')) return new Set();
  const { rows } = await sql<{ row: number }>`
    with named as materialized (
      select "row", name_shape(${cellOf(layout, 'display_name')}) as shown,
             name_shape(coalesce(${cellOf(layout, 'first_name')}, '') || ' ' || coalesce(${cellOf(layout, 'last_name')}, '')) as own
      from import_rows where import_id = ${id} and not coalesce((flaws ->> 'left_out')::boolean, false)),
    used as (
      select own as shape, "row" from named where own <> ''
      union select shown, "row" from named where shown <> ''),
    counted as (select shape, count(*) as n from used group by shape having count(*) > 1)
    select n."row" from named n join counted c on c.shape = n.shown where n.shown <> n.own`.execute(db);
  return new Set(rows.map(({ row }) => row));
}

/** Of the rows that write, those that would show the name of another active person; the names held where asked. */
async function takenBy(db: Db, judged: readonly Judged[], lock: boolean): Promise<ReadonlySet<number>> {
  const naming = judged.flatMap(({ row, plan }) => {
    if (!plan || plan.values.display_name === null || plan.values.activity_status !== 'active') return [];
    const { display_name: shown, first_name, last_name } = plan.values;
    const isNew =
      !plan.person ||
      (['display_name', 'first_name', 'last_name'] as const).some((field) => plan.changed.includes(field));
    return isNew ? [{ row, person: plan.person?.id ?? null, shown, first_name, last_name }] : [];
  });
  if (lock) await holdNames(db, naming);
  const taken = await takenNames(db, naming);
  return new Set(naming.flatMap(({ row }, index) => (taken[index] ? [row] : [])));
}

/** Fails the rows that would show the name of somebody else, in the file or beyond it. */
export async function refuseTakenNames(
  db: Db,
  judged: Judged[],
  { shared, lock }: { shared: ReadonlySet<number>; lock: boolean },
): Promise<Judged[]> {
  const taken = await takenBy(db, judged, lock);
  return judged.map((one) => {
    const isTaken = taken.has(one.row) || (shared.has(one.row) && one.plan?.values.display_name);
    return isTaken ? asFailed(one, { display_name: [refusal] }) : one;
  });
}
