import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { record as recordAudit } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { DB } from '../../db/schema.ts';
import { fold } from '../../db/fold.ts';
import { addPlainDepartments } from '../departments/row-write.ts';
import type { GainsChecked as Gains } from '../../people/gains.ts';
import { takeEmployeeNumbers } from '../../people/numbers.ts';
import type { FileKeys } from './file-keys.ts';
import type { Checked } from './check-row.ts';
import { reasonOf } from '../../imports/record.ts';
import type { Plan } from './row-changes.ts';
import type { ImportContext } from './import-context.ts';
import { createPeople, updatePeople } from './write-people.ts';
import type { Written } from './write-people.ts';

/** A department or company became inactive during the write: the rows must be checked again. */
export class OrganisationChanged extends Error {}

/**
 * Reserves employee numbers for rows without one, in a separate transaction, so that the counter is not locked while
 * people are written. Skips numbers used elsewhere in the file.
 */
export async function takeNumbers(
  db: Kysely<DB>,
  checked: readonly Checked[],
  keys: FileKeys,
): Promise<ReadonlyMap<number, string>> {
  const byEntity = new Map<number, number[]>();
  for (const { row, action, plan } of checked)
    if (action === 'create' && plan && plan.values.employee_number === null) {
      const entityId = plan.values.entity_id as number;
      byEntity.set(entityId, [...(byEntity.get(entityId) ?? []), row]);
    }
  const numbers = new Map<number, string>();
  for (const [entityId, rows] of byEntity)
    await db.transaction().execute(async (trx) => {
      for (let open = rows; open.length > 0;) {
        const taken = await takeEmployeeNumbers(trx, entityId, open.length);
        if (taken.length === 0) throw new OrganisationChanged();
        const free = taken.filter((number) => !keys.numbers.has(fold(number)));
        for (const [index, number] of free.entries()) numbers.set(open[index] as number, number);
        open = open.slice(free.length);
      }
    });
  return numbers;
}

/** Creates the departments of the rows; returns their ids by their ids in the plans. */
async function makeDepartments(
  acting: { db: Db; actor: Actor },
  context: ImportContext,
  checked: readonly Checked[],
  used: UsedUnits,
): Promise<ReadonlyMap<number, number>> {
  const wanted = [...new Set(checked.flatMap(({ plan }) => plan?.values.department_id ?? []))].flatMap(
    (id) => context.organisation.newDepartments.get(id) ?? [],
  );
  if (wanted.length === 0) return new Map();
  const json = JSON.stringify(wanted);
  const made = await addPlainDepartments(acting.db, wanted);
  const { rows } = await sql<{ wanted: number; id: number }>`
    select t.id as wanted, d.id
    from jsonb_to_recordset(${json}::jsonb) as t (id bigint, entity_id bigint, name text)
    join departments d on d.entity_id = t.entity_id and fold(d.name) = fold(t.name)`.execute(acting.db);
  used.made.push(...made.map(({ id }) => id));
  await recordAudit(
    acting,
    ...made.map(({ id, entity_id, name }) => ({
      action: 'department.created' as const,
      subject_id: id,
      subject_label: name,
      entity_id,
      changes: { name: { from: null, to: name }, entity_id: { from: null, to: entity_id } },
      reason: reasonOf(context.record),
    })),
  );
  return new Map(rows.map((row) => [row.wanted, row.id]));
}

/** The companies and departments of written people, and the departments created for them. */
export type UsedUnits = { entities: Set<number>; departments: Set<number>; made: number[] };

function addUnits(used: UsedUnits, plans: readonly Plan[]) {
  for (const { person, changed, values } of plans) {
    if (person && !changed.includes('department_id') && !changed.includes('entity_id')) continue;
    used.entities.add(values.entity_id as number);
    used.departments.add(values.department_id as number);
  }
}

/**
 * Locks companies and departments until the end of the transaction, which should be short; they must still be active.
 * Throws OrganisationChanged.
 */
export async function lockUnits(db: Db, { entities, departments }: UsedUnits): Promise<void> {
  // materialized: in a subquery the condition would be checked before the locks, and active ones would stay unlocked
  const closed = await sql`
    with d as materialized (
      select status from departments where id = any(${[...departments]}::bigint[]) for share
    ), n as materialized (
      select status from entities where id = any(${[...entities]}::bigint[]) for share
    )
    select from d where status <> 'active' union all select from n where status <> 'active'`.execute(db);
  if (closed.rows.length > 0) throw new OrganisationChanged();
}

async function saveWritten(db: Db, importId: number, written: readonly Written[], skipped: readonly number[]) {
  if (written.length > 0)
    await sql`
      update import_rows r set status = t.status, subject_id = t.subject_id,
             before = t.before || jsonb_build_object('at', now())
      from jsonb_to_recordset(${JSON.stringify(written)}::jsonb)
        as t ("row" int, status text, subject_id bigint, before jsonb)
      where r.import_id = ${importId} and r."row" = t."row"`.execute(db);
  if (skipped.length > 0)
    await sql`
      update import_rows set status = 'skipped'
      where import_id = ${importId} and "row" = any(${skipped}::int[])`.execute(db);
}

/** Writes the plans of checked rows in the transaction of `db`; adds their companies and departments to `used`. */
export async function writeRows(
  db: Db,
  context: ImportContext,
  checked: readonly Checked[],
  { numbers, used, gains }: { numbers: ReadonlyMap<number, string>; used: UsedUnits; gains: Gains },
): Promise<void> {
  const acting = { db, actor: context.actor, gains };
  const departments = await makeDepartments(acting, context, checked, used);
  const placed = checked.flatMap(({ row, plan }) => {
    if (!plan) return [];
    const { values } = plan;
    const department_id = departments.get(values.department_id ?? 0) ?? values.department_id;
    const employee_number = values.employee_number ?? numbers.get(row) ?? null;
    return [{ ...plan, row, values: { ...values, department_id, employee_number } }];
  });
  const reason = reasonOf(context.record);
  const updated = await updatePeople(
    acting,
    placed.flatMap((one) => (one.person ? [{ ...one, person: one.person }] : [])),
    reason,
  );
  const created = await createPeople(
    acting,
    placed.flatMap((one) => (one.person ? [] : [{ ...one, roles: one.roles ?? [] }])),
    reason,
  );
  await recordAudit(acting, ...updated.entries, ...created.entries);
  const skipped = checked.filter(({ action }) => action === 'skip').map(({ row }) => row);
  await saveWritten(db, context.record.id, [...updated.written, ...created.written], skipped);
  addUnits(used, placed);
}
