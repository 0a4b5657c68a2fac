import { sql } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import { peopleIn, visiblePeople } from '../../access/scope.ts';
import { record as recordAudit } from '../../audit.ts';
import type { Entry } from '../../audit.ts';
import { undoReasonOf } from '../../imports/record.ts';
import type { ImportRecord } from '../../imports/record.ts';
import { passOnRevisions } from '../../imports/undo.ts';
import type { Undo, Undoing } from '../../imports/undo.ts';
import { rightWithdrawn } from './write.ts';

const batch = 5_000;

/**
 * Marks the rows that stay: results changed or deleted since, and results of people for whom the actor no longer has
 * the permission.
 */
async function check({ db, actor }: Undoing, { id }: ImportRecord): Promise<void> {
  const company = { ...reachOf(actor, 'kpi-evaluation.hr-review'), managed: false, own: false };
  await sql`
    select from former_results where id in (
      select subject_id from import_rows where import_id = ${id} and status in ('created', 'updated'))
    order by id for update`.execute(db);
  await sql`
    update import_rows r set kept_reason = t.reason
    from (
      select w."row", case
        when not (e.id is distinct from ${actor.employee_id}::bigint and ${visiblePeople(actor)} and ${peopleIn(actor, company)})
          then 'not_permitted'
        when f.id is null or f.revision <> (w.before ->> 'revision')::int then 'changed_since'
        end as reason
      from import_rows w
      left join former_results f on f.id = w.subject_id
      left join employees e on e.id = f.employee_id
      where w.import_id = ${id} and w.status in ('created', 'updated')) as t
    where r.import_id = ${id} and r."row" = t."row" and r.kept_reason is distinct from t.reason`.execute(db);
}

type Gone = { id: number; employee_id: number; name: string; entity_id: number; is_new: boolean };

const entryFor =
  (reason: string) =>
  ({ id, employee_id, name, entity_id, is_new }: Gone): Entry => ({
    action: is_new ? 'former_result.deleted' : 'former_result.updated',
    subject_id: id,
    subject_label: name,
    entity_id,
    about_employee_id: employee_id,
    reason,
  });

/** Deletes added results and restores changed ones, for some rows. */
async function undoSome({ db, onBatch, ...acting }: Undoing, record: ImportRecord, rows: readonly number[]) {
  const these = sql`r.import_id = ${record.id} and r."row" = any(${rows}::int[])`;
  const { rows: gone } = await sql<Gone>`
    select f.id, f.employee_id, e.name, e.entity_id, r.status = 'created' as is_new
    from import_rows r join former_results f on f.id = r.subject_id join employees e on e.id = f.employee_id
    where ${these} order by r."row"`.execute(db);
  await sql`
    update former_results f
    set period = t.period, unit = t.unit, result = t.result, scale_from = t.scale_from, scale_to = t.scale_to,
        percentage = t.percentage, band = t.band, source = t.source
    from import_rows r, jsonb_to_record(r.before -> 'values') as t (period text, unit text, result numeric,
      scale_from numeric, scale_to numeric, percentage numeric, band text, source text)
    where ${these} and r.status = 'updated' and f.id = r.subject_id`.execute(db);
  await sql`
    delete from former_results f using import_rows r
    where ${these} and r.status = 'created' and f.id = r.subject_id`.execute(db);
  await sql`update import_rows r set status = 'undone' where ${these}`.execute(db);
  const reason = undoReasonOf(record);
  await recordAudit({ db, ...acting }, ...gone.map(entryFor(reason)));
  await onBatch();
}

async function undoRows(undoing: Undoing, record: ImportRecord): Promise<void> {
  const { rows } = await sql<{ row: number }>`
    select "row" from import_rows where import_id = ${record.id} and status in ('created', 'updated')
      and kept_reason is null order by "row"`.execute(undoing.db);
  const going = rows.map(({ row }) => row);
  for (let start = 0; start < going.length; start += batch)
    await undoSome(undoing, record, going.slice(start, start + batch));
  await passOnRevisions(undoing.db, 'former_results', record.id);
}

/** How imports of former results are undone. */
export const resultsUndo: Undo<void> = {
  permission: 'kpi-evaluation.hr-review',
  rightWithdrawn,
  check,
  undoRows,
  sentences: { changed_since: 'imports.record_changed', not_permitted: 'imports.record_not_permitted' },
};
