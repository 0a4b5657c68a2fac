import { isCountable, messages } from '@tenure/contract';
import { sql } from 'kysely';
import type { ReadCtx, WriteCtx } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { companiesFor } from './policy.ts';
import { seenCycle } from './queries.ts';
import type { CycleRecord } from './queries.ts';
import { cycleFields, windowFields } from './rules.ts';
import type { Values } from './rules.ts';

/** The initial values of a new cycle that copies an earlier one. */

const windows = Object.values(windowFields).flatMap(({ opens, closes }) => [opens, closes]);

/** Fields that are not copied: the new cycle has its own, and its windows move. */
const own: ReadonlySet<string> = new Set([
  'name',
  'description',
  'start_date',
  'end_date',
  'entity_id',
  'owner_id',
  ...windows,
]);
const rules = cycleFields.filter((field) => !own.has(field));

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
/** A day moved by a number of days; null outside the range of valid years. */
function moved(day: string, days: number): string | null {
  const found = new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
  return isCountable(found) ? found : null;
}

/** The cycle to copy; one that the actor does not see is unavailable. */
export async function findSource(ctx: ReadCtx, id: number): Promise<CycleRecord> {
  const source = await seenCycle(ctx, id, 'kpi-cycle.view');
  if (!source) throw invalid('copy_from', messages.unavailable);
  return source;
}

/** The rules of a cycle, and its windows at the same distance from the new start. */
export function rulesOf(source: CycleRecord, start: string): Partial<Values> {
  const later = daysBetween(source.start_date, start);
  return {
    ...Object.fromEntries(rules.map((field) => [field, source[field]])),
    ...Object.fromEntries(windows.map((field) => [field, source[field] && moved(source[field], later)])),
  };
}

type Copy = { source: CycleRecord; cycle_id: number; entity_id: number | null };

/**
 * Copies the departments that the actor can see and select, each with its template if that is still active.
 * @returns their names
 */
export async function copyDepartments(
  { db, actor }: WriteCtx,
  { source, cycle_id, entity_id }: Copy,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with copied as (
      insert into kpi_cycle_departments (cycle_id, department_id, template_id)
      select ${cycle_id}, d.id, t.id
      from kpi_cycle_departments r
      join departments d on d.id = r.department_id
      left join kpi_templates t on t.id = r.template_id and t.status = 'active'
        and (t.entity_id is null or t.entity_id = d.entity_id)
      where r.cycle_id = ${source.id} and d.status = 'active'
        and (${entity_id}::bigint is null or d.entity_id = ${entity_id}::bigint)
        and ${companiesFor(actor, 'kpi-cycle.view', 'd.entity_id')}
        and ${companiesFor(actor, 'kpi-cycle.update', 'd.entity_id')}
      order by d.id
      for share of d
      returning department_id)
    select d.name from copied join departments d on d.id = copied.department_id order by d.name_sort, d.id`.execute(db);
  return rows.map(({ name }) => name);
}
