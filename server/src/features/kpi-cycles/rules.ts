import { messages, text } from '@tenure/contract';
import type { KpiCycle, Text } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { reachesEntity, reachOf } from '../../access/actor.ts';
import { holdsPermissionIn, visiblePeople } from '../../access/scope.ts';
import { fold } from '../../db/fold.ts';
import type { ReadCtx } from '../../http/context.ts';
import { say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';

export const cycleFields = [
  'name',
  'description',
  'type',
  'start_date',
  'end_date',
  'entity_id',
  'self_assessment_opens_on',
  'self_assessment_closes_on',
  'manager_review_opens_on',
  'manager_review_closes_on',
  'acceptance_days',
  'min_days',
  'min_service_days',
  'auto_skip_self',
  'auto_accept',
  'four_eyes',
  'hr_comment_optional',
  'manager_weight_pct',
  'self_weight_pct',
  'pip_below_pct',
  'hipo_from_pct',
  'band_caps',
  'bands',
  'owner_id',
] as const;
type Field = (typeof cycleFields)[number];
export type Values = Pick<KpiCycle, Field>;

/** Fields of a published cycle that can still change. */
const openFields: ReadonlySet<Field> = new Set([
  'name',
  'description',
  'self_assessment_opens_on',
  'self_assessment_closes_on',
  'manager_review_opens_on',
  'manager_review_closes_on',
  'acceptance_days',
  'min_days',
  'auto_skip_self',
  'auto_accept',
  'four_eyes',
  'hr_comment_optional',
  'band_caps',
  'owner_id',
]);

/** The days of the windows by step; steps are due at the end of their window. */
export const windowFields = {
  self_assessment: { opens: 'self_assessment_opens_on', closes: 'self_assessment_closes_on' },
  manager_review: { opens: 'manager_review_opens_on', closes: 'manager_review_closes_on' },
} as const satisfies Record<string, Record<'opens' | 'closes', Field>>;

/** Refusals of fields that can no longer change. */
export function fixedProblems(changed: readonly Field[], status: KpiCycle['status']): FieldErrors {
  const template = (field: Field) =>
    field === 'entity_id'
      ? text('kpi_cycles.fixed')
      : status !== 'draft' && !openFields.has(field)
        ? text('kpi_cycles.fixed_once_published')
        : undefined;
  return Object.fromEntries(
    changed.flatMap((field) => {
      const found = template(field);
      return found ? [[field, [say(field, found)]]] : [];
    }),
  );
}

const isBefore = (a: string | null, b: string | null) => a !== null && b !== null && a < b;

/** Refusals of limits that do not decrease, and of duplicate names. */
function bandProblems(bands: Values['bands']): FieldErrors {
  const { a, b, c } = bands;
  const errors: FieldErrors = {};
  const limit = text('kpi_cycles.band_limits');
  if (b.from >= a.from) errors['bands.b.from'] = [limit];
  if (c.from >= b.from) errors['bands.c.from'] = [limit];
  const names = Object.values(bands).map(({ name }) => fold(name));
  for (const [index, key] of Object.keys(bands).entries())
    if (names.indexOf(names[index] ?? '') !== index)
      errors[`bands.${key}.name`] = [say(`bands.${key}.name`, text('validation.duplicate'))];
  return errors;
}

/** Refusals of inconsistent days and numbers. */
export function valueProblems(v: Values): FieldErrors {
  const problems: [Field, Text, boolean][] = [
    ['end_date', messages.after({ field: 'start_date' }), v.end_date <= v.start_date],
    [
      'self_assessment_closes_on',
      messages.afterOrEqual({ field: 'self_assessment_opens_on' }),
      isBefore(v.self_assessment_closes_on, v.self_assessment_opens_on),
    ],
    [
      'manager_review_closes_on',
      messages.afterOrEqual({ field: 'manager_review_opens_on' }),
      isBefore(v.manager_review_closes_on, v.manager_review_opens_on),
    ],
    [
      'manager_review_closes_on',
      messages.afterOrEqual({ field: 'self_assessment_closes_on' }),
      isBefore(v.manager_review_closes_on, v.self_assessment_closes_on),
    ],
    ['manager_weight_pct', text('validation.least', { least: 50 }), v.manager_weight_pct < 50],
    ['self_weight_pct', text('kpi_cycles.weights_add_up'), v.manager_weight_pct + v.self_weight_pct !== 100],
    ['hipo_from_pct', text('kpi_cycles.bands_order'), v.hipo_from_pct <= v.pip_below_pct],
  ];
  const errors: FieldErrors = bandProblems(v.bands);
  for (const [field, message, wrong] of problems)
    if (wrong) errors[field] = [...(errors[field] ?? []), say(field, message)];
  return errors;
}

/** A new cycle belongs to an active company covered by the actor's permission. */
export async function entityProblems({ db, actor }: ReadCtx, entityId: number | null): Promise<FieldErrors> {
  if (entityId === null) return {};
  const { rows } = await sql`
    select from entities where id = ${entityId} and status = 'active' for share`.execute(db);
  const fits = rows.length > 0 && reachesEntity(reachOf(actor, 'kpi-cycle.create'), entityId);
  return fits ? {} : { entity_id: [say('entity_id', messages.unavailable)] };
}

/** SQL that is true for people `e` who can own a cycle of the company: active and permitted to publish there. */
export const mayOwn = (entity: number | null | RawBuilder<unknown>) => sql<boolean>`
  e.activity_status = 'active' and e.deleted_at is null and ${holdsPermissionIn('e', 'kpi-cycle.publish', entity)}`;

/** The owner is the actor or a visible person, and can publish the cycle; locked against a concurrent departure. */
export async function ownerProblems({ db, actor }: ReadCtx, { owner_id, entity_id }: Values): Promise<FieldErrors> {
  if (owner_id === null) return {};
  const seen = sql<boolean>`(e.id = ${actor.employee_id}::bigint or ${visiblePeople(actor)})`;
  const { rows } = await sql`
    select from employees e where e.id = ${owner_id} and ${seen} and ${mayOwn(entity_id)} for share of e`.execute(db);
  return rows.length > 0 ? {} : { owner_id: [say('owner_id', messages.unavailable)] };
}
