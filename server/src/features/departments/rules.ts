import { departmentInput, departmentRows, messages, text } from '@tenure/contract';
import type { Department, FieldOptions, Permission, Text } from '@tenure/contract';
import { sql } from 'kysely';
import { reachesEntity, reachOf } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import type { ReadCtx } from '../../http/context.ts';
import { say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { tally } from '../../counts.ts';
import { checkHead } from './heads.ts';
import { departmentsFor, headFields } from './policy.ts';
import type { HeadField } from './policy.ts';

const deepest = 8;
const treeLock = 7_365_045;

type Field = keyof typeof departmentInput;
export const departmentFields = Object.keys(departmentInput) as Field[];
export type Values = Pick<Department, Field>;

/** A new department with empty optional fields. */
export const blank = Object.fromEntries(
  departmentFields.flatMap((field) => {
    const { required, begins }: FieldOptions = departmentRows[field];
    return required ? [] : [[field, begins ?? null]];
  }),
) as Omit<Values, 'entity_id' | 'name'>;

/** The planned department; `before` is null for a new one. */
export type Draft = { id: number | null; before: Values | null; after: Values };

/** Locks the tree for one transaction at a time, so that two changes cannot close a circle together. */
export const lockTree = (db: Db) => sql`select pg_advisory_xact_lock(${treeLock})`.execute(db);

export const differs = ({ before, after }: Draft, field: Field) => (before?.[field] ?? null) !== after[field];

export const changedHeads = (draft: Draft): HeadField[] => headFields.filter((field) => differs(draft, field));

async function entityProblems({ db, actor }: ReadCtx, draft: Draft, permission: Permission): Promise<FieldErrors> {
  const { entity_id } = draft.after;
  if (!differs(draft, 'entity_id')) return {};
  const { rows } = await sql`
    select from entities where id = ${entity_id} and status = 'active' for share`.execute(db);
  const fits = rows.length > 0 && reachesEntity(reachOf(actor, permission), entity_id);
  return fits ? {} : { entity_id: [say('entity_id', messages.unavailable)] };
}

type Tree = { levels_above: number | null; levels_below: number | null; is_circle: boolean };

/** The place of the department below the parent; without levels above if the caller cannot name the parent. */
async function lookAtTree({ db, actor }: ReadCtx, { id, after }: Draft, permission: Permission): Promise<Tree> {
  const { rows } = await sql<Tree>`
    with recursive above as (
      select d.id, d.parent_id, 1 as level from departments d
      where d.id = ${after.parent_id} and d.entity_id = ${after.entity_id} and ${departmentsFor(actor, permission)}
      union all
      select d.id, d.parent_id, above.level + 1 from departments d join above on d.id = above.parent_id
    ), below as (
      select d.id, 1 as level from departments d where d.id = ${id}::bigint
      union all
      select d.id, below.level + 1 from departments d join below on d.parent_id = below.id
    )
    select (select max(level) from above) as levels_above, (select max(level) from below) as levels_below,
           exists (select from above where above.id = ${id}::bigint) as is_circle`.execute(db);
  return rows[0] as Tree;
}

/** Changing the parent requires scope over the old and the new parent, or over the company. */
async function mayLeave({ db, actor }: ReadCtx, { before, after }: Draft, permission: Permission): Promise<boolean> {
  if (!before || reachesEntity(reachOf(actor, permission), before.entity_id)) return true;
  if (after.parent_id === null) return false;
  const { rows } = await sql`
    select from departments d where d.id = ${before.parent_id} and ${departmentsFor(actor, permission)}`.execute(db);
  return rows.length > 0;
}

async function parentProblems(ctx: ReadCtx, draft: Draft, permission: Permission): Promise<FieldErrors> {
  if (!differs(draft, 'parent_id')) return {};
  if (!(await mayLeave(ctx, draft, permission))) return { parent_id: [say('parent_id', messages.unavailable)] };
  if (draft.after.parent_id === null) return {};
  await lockTree(ctx.db);
  const { levels_above, levels_below, is_circle } = await lookAtTree(ctx, draft, permission);
  if (levels_above === null) return { parent_id: [say('parent_id', messages.unavailable)] };
  if (is_circle) return { parent_id: [say('parent_id', text('departments.is_itself_or_below'))] };
  return levels_above + (levels_below ?? 1) > deepest
    ? { parent_id: [text('departments.too_deep', { levels: deepest })] }
    : {};
}

async function statusProblems({ db }: ReadCtx, draft: Draft): Promise<FieldErrors> {
  if (!draft.before || !differs(draft, 'status') || draft.after.status === 'active') return {};
  const { rows } = await sql<{ active: number; joining: number }>`
    select count(*) filter (where activity_status = 'active') as active,
           count(*) filter (where activity_status = 'joining') as joining
    from employees where department_id = ${draft.id} and deleted_at is null`.execute(db);
  const { active = 0, joining = 0 } = rows[0] ?? {};
  const list = tally({ active_people: active, joining_people: joining });
  return list ? { status: [text('departments.still_has', { name: draft.before.name, list })] } : {};
}

export type Verdict = { errors: FieldErrors; warnings: Text[] };

/**
 * Checks the changed fields. The database checks unique name and code; the permission to set heads was checked before.
 */
export async function check(ctx: ReadCtx, draft: Draft, permission: Permission): Promise<Verdict> {
  const inEntity = await entityProblems(ctx, draft, permission);
  // other fields depend on the company, so they would fail for the same reason
  if (Object.keys(inEntity).length > 0) return { errors: inEntity, warnings: [] };
  const errors: FieldErrors = {
    ...(await parentProblems(ctx, draft, permission)),
    ...(await statusProblems(ctx, draft)),
  };
  const warnings: Text[] = [];
  for (const field of changedHeads(draft)) {
    const verdict = await checkHead(ctx, draft.after, field);
    if (verdict.refusal) errors[field] = [say(field, verdict.refusal)];
    warnings.push(...verdict.warnings);
  }
  return { errors, warnings };
}
