import type { BodyOut, jobHistory } from '@tenure/contract';
import { jobFields, messages } from '@tenure/contract';
import { changesBetween, record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { Ctx } from '../../http/context.ts';
import { conflict, invalid, invalidFields } from '../../http/errors.ts';
import { loadFacts, refuseManagerCycle } from '../employees/facts.ts';
import { valuesOf } from '../employees/fields.ts';
import type { Values } from '../employees/fields.ts';
import type { EmployeeRecord } from '../employees/queries.ts';
import { judge } from '../employees/rules.ts';
import { recordJobChange } from './write.ts';

type Doing = Pick<Ctx, 'db' | 'actor' | 'request'>;
type Body = BodyOut<typeof jobHistory.create>;
type JobField = (typeof jobFields)[number];
type Change = { fields: JobField[]; values: Values; before: Values };

const ended = ({ employment_lifecycle, activity_status }: EmployeeRecord) =>
  ['resigned', 'terminated'].includes(employment_lifecycle) && activity_status === 'inactive';

/** The job as it will be on a day, when everything that is scheduled until then comes true. */
async function jobOn(db: Db, person: EmployeeRecord, day: string): Promise<Values> {
  const scheduled = await db
    .selectFrom('job_history')
    .select(['changed_fields', ...jobFields])
    .where('employee_id', '=', person.id)
    .where('status', '=', 'scheduled')
    .where('effective_from', '<=', day)
    .orderBy('effective_from')
    .orderBy('id')
    .execute();
  const changes = scheduled.flatMap((row) =>
    jobFields.filter((field) => row.changed_fields.includes(field)).map((field) => [field, row[field]] as const),
  );
  return { ...valuesOf(person), ...Object.fromEntries(changes) };
}

async function refuseBeforeCurrent(db: Db, person: EmployeeRecord, day: string): Promise<void> {
  const current = await db
    .selectFrom('job_history')
    .select('effective_from')
    .where('employee_id', '=', person.id)
    .where('status', '=', 'current')
    .executeTakeFirst();
  if (current && day < current.effective_from)
    throw invalid('effective_from', messages.afterOrEqual(current.effective_from));
}

async function judged(doing: Doing, person: EmployeeRecord, body: Body): Promise<Change> {
  const { effective_from, reason: _reason, ...sent } = body;
  const { employment_lifecycle: status, revision } = person;
  const before = await jobOn(doing.db, person, effective_from);
  const { entity_id, department_id, reporting_manager_id } = sent;
  const facts = await loadFacts(
    doing,
    'employees.update',
    { entity_id, department_id, reporting_manager_id },
    { ...before },
  );
  const { values, changed, errors } = judge({ kind: 'update', id: person.id, stored: before }, sent, facts);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  const fields = jobFields.filter((field) => changed.includes(field));
  if (fields.length === 0) throw invalid('effective_from', 'Nothing would change on this day.');
  await refuseBeforeCurrent(doing.db, person, effective_from);
  if (ended(person)) throw conflict('This person has left.', { status, revision });
  if (fields.includes('reporting_manager_id') && values.reporting_manager_id !== null)
    await refuseManagerCycle(doing.db, person.id, values.reporting_manager_id);
  return { fields, values, before };
}

const picked = (values: Values, fields: readonly JobField[]) =>
  Object.fromEntries(fields.map((field) => [field, values[field]]));

async function applyNow({ db, actor }: Doing, person: EmployeeRecord, body: Body, { fields, values }: Change) {
  await db.updateTable('employees').set(picked(values, fields)).where('id', '=', person.id).execute();
  await recordJobChange(db, {
    employee_ids: [person.id],
    changed_fields: fields,
    by: actor,
    reason: body.reason ?? null,
    effective_from: body.effective_from,
  });
  const { id } = await db
    .selectFrom('job_history')
    .select('id')
    .where('employee_id', '=', person.id)
    .where('status', '=', 'current')
    .executeTakeFirstOrThrow();
  return id;
}

async function schedule({ db, actor }: Doing, person: EmployeeRecord, body: Body, { fields, values }: Change) {
  const { id } = await db
    .insertInto('job_history')
    .values({
      employee_id: person.id,
      effective_from: body.effective_from,
      status: 'scheduled',
      changed_fields: fields,
      entity_id: values.entity_id as number,
      department_id: values.department_id as number,
      reporting_manager_id: values.reporting_manager_id,
      job_title: values.job_title,
      grade: values.grade,
      employment_type: values.employment_type as string,
      employment_lifecycle: person.employment_lifecycle,
      reason: body.reason ?? null,
      created_by: actor.user_id,
      created_by_name: actor.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * M11: changes the job of a person from a day on, at once when the day is not in the future in the person's company.
 * @returns the id of the history row
 */
export async function changeJob(doing: Doing, person: EmployeeRecord, body: Body): Promise<number> {
  const change = await judged(doing, person, body);
  const write = body.effective_from > person.today ? schedule : applyNow;
  const id = await write(doing, person, body, change);
  const after = { ...picked(change.values, change.fields), effective_from: body.effective_from };
  await record(doing, {
    action: 'job_history.created',
    subject_id: id,
    subject_label: person.name,
    entity_id: person.entity_id,
    changes: changesBetween(change.before, after),
    reason: body.reason ?? null,
  });
  return id;
}
