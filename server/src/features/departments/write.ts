import { text } from '@tenure/contract';
import type { departments, Text } from '@tenure/contract';
import { changesBetween, record } from '../../audit.ts';
import type { Entry } from '../../audit.ts';
import { sentOf } from '../../db/values.ts';
import type { HandlerCtx, WriteCtx } from '../../http/context.ts';
import { invalid, invalidFields, blocked } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { tally } from '../../counts.ts';
import type { GainsChecked } from '../../people/gains.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { refuseHeadGains } from './gains.ts';
import { checkHead } from './heads.ts';
import { allowMove, followMove, lockMembers } from './move.ts';
import { refuseHeads } from './policy.ts';
import type { HeadField } from './policy.ts';
import { blockersOf } from './queries.ts';
import type { DepartmentRecord } from './queries.ts';
import { addDepartment, changeDepartment } from './row-write.ts';
import { blank, changedHeads, departmentFields, differs, check } from './rules.ts';
import type { Draft, Values } from './rules.ts';

type CreateCtx = HandlerCtx<typeof departments.create>;
type UpdateCtx = HandlerCtx<typeof departments.update>;

const headings = ['entity_id', 'parent_id', 'manager_id', 'team_lead_id'] as const;

/** Checks the gains of the draft. A reference that the user cannot name is refused first. Throws 403. */
async function checkGains({ db, actor }: WriteCtx, draft: Draft, errors: FieldErrors): Promise<GainsChecked> {
  const isChecked = headings.some((field) => differs(draft, field)) && !headings.some((field) => errors[field]);
  return refuseHeadGains(db, actor, isChecked ? [{ id: draft.id, after: draft.after }] : []);
}

/** Adds a department. Returns its id, and warnings about its heads. */
export async function createDepartment(ctx: CreateCtx): Promise<{ id: number; warnings: Text[] }> {
  const after: Values = { ...blank, ...sentOf(ctx.body) };
  const draft: Draft = { id: null, before: null, after };
  refuseHeads(ctx.actor, changedHeads(draft), [{ id: null, entity_id: after.entity_id }]);
  const { errors, warnings } = await check(ctx, draft, 'departments.create');
  const gains = await checkGains(ctx, draft, errors);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  const id = await addDepartment(ctx.db, after, gains);
  await record(ctx, {
    action: 'department.created',
    subject_id: id,
    subject_label: after.name,
    entity_id: after.entity_id,
    changes: changesBetween({}, sentOf(ctx.body)),
  });
  return { id, warnings };
}

const valuesOf = (department: DepartmentRecord) =>
  Object.fromEntries(departmentFields.map((field) => [field, department[field]])) as Values;

/** Merges sent fields into the stored ones. Another company clears the parent, unless a parent there was sent. */
function draftOf(department: DepartmentRecord, body: UpdateCtx['body']): Draft {
  const { revision: _seen, move_employees: _meant, ...sent } = body;
  const before = valuesOf(department);
  const after: Values = { ...before, ...sentOf(sent) };
  if (after.entity_id !== before.entity_id && after.parent_id === before.parent_id) after.parent_id = null;
  return { id: department.id, before, after };
}

/** Writes changed fields. Returns warnings about the new heads. */
export async function updateDepartment(ctx: UpdateCtx, department: DepartmentRecord): Promise<Text[]> {
  const { db, actor, body } = ctx;
  const draft = draftOf(department, body);
  const { after } = draft;
  refuseHeads(actor, changedHeads(draft), [department, { ...department, entity_id: after.entity_id }]);
  const { errors, warnings } = await check(ctx, draft, 'departments.update');
  const gains = await checkGains(ctx, draft, errors);
  checkRevision(department, body, department.status);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  const changes = changesBetween(valuesOf(department), after);
  if (Object.keys(changes).length === 0) return warnings;
  const members = differs(draft, 'entity_id') ? await lockMembers(db, department.id) : undefined;
  const to = after.entity_id;
  if (members) await allowMove(ctx, department, members, { to, isMeant: body.move_employees ?? false });
  await changeDepartment(db, actor, { id: department.id, ...after }, gains);
  const followers: Entry[] = members ? await followMove(ctx, department, members, to) : [];
  const entry: Entry = {
    action: 'department.updated',
    subject_id: department.id,
    subject_label: after.name,
    entity_id: to,
    changes,
  };
  await record(ctx, entry, ...followers);
  return warnings;
}

/** Sets or clears a head of a department. Returns warnings about the new head. */
export async function setHead(
  doing: WriteCtx,
  department: DepartmentRecord,
  field: HeadField,
  { employee_id, revision }: { employee_id: number | null; revision?: number | undefined },
): Promise<Text[]> {
  const after = { ...department, [field]: employee_id };
  const { refusal, warnings } = await checkHead(doing, after, field);
  const isChecked = !refusal && department[field] !== employee_id;
  const gains = await refuseHeadGains(doing.db, doing.actor, isChecked ? [{ id: department.id, after }] : []);
  checkRevision(department, { revision }, department.status);
  if (department[field] === employee_id) return [];
  if (refusal) throw invalid('employee_id', refusal);
  await changeDepartment(doing.db, doing.actor, { id: department.id, [field]: employee_id }, gains);
  await record(doing, {
    action: 'department.updated',
    subject_id: department.id,
    subject_label: department.name,
    entity_id: department.entity_id,
    changes: { [field]: { from: department[field], to: employee_id } },
  });
  return warnings;
}

/** Deletes a department without references. */
export async function deleteDepartment(doing: WriteCtx, department: DepartmentRecord): Promise<void> {
  const { people, children, history, cycles, evaluations, reviews, roles } = await blockersOf(doing, department.id);
  const list = tally({
    people,
    departments_below: children,
    job_history: history,
    kpi_cycles: cycles,
    kpi_evaluations: evaluations,
    probation_reviews: reviews,
    limited_roles: roles,
  });
  if (list) throw blocked('department', text('departments.cannot_be_deleted', { name: department.name, list }));
  await doing.db.deleteFrom('departments').where('id', '=', department.id).execute();
  await record(doing, {
    action: 'department.deleted',
    subject_id: department.id,
    subject_label: department.name,
    entity_id: department.entity_id,
  });
}
